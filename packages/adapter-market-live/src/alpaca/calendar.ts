import { DAY, type MarketDay, MINUTE, isoDay, tradingDay } from '@slipstream/domain';
import type { MarketCalendar } from '@slipstream/ports';
import { z } from 'zod';
import { type AlpacaKey, alpacaRequests, refusedWith } from './requests.js';

const ANSWERED = 30_000;
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
const days = z.array(
  z.object({ date: z.string().regex(/^\d{4}-\d\d-\d\d$/), open: time, close: time }),
);

/** The exchanges are never closed for so many days in a row: such an answer is none. */
const LONGEST_CLOSURE = 10;

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
const noonOf = (date: string): number => Date.parse(`${date}T12:00:00Z`);

function dayOf({ date, open, close }: z.infer<typeof days>[number]): MarketDay {
  const midnight = tradingDay('stock', noonOf(date));
  const [opensAt, closesAt] = [open, close].map((text) => midnight + minutesOf(text) * MINUTE);
  if (opensAt === undefined || closesAt === undefined || opensAt >= closesAt)
    throw new Error('calendar: a session that ends before it begins');
  return { date, session: { opensAt, closesAt } };
}

/** The calendar of the US exchanges by Alpaca's trading API, whose host is that of the key: paper keys begin with PK. */
export function alpacaCalendar(options: AlpacaKey): MarketCalendar {
  const isPaper = options.keyId.startsWith('PK');
  const ask = alpacaRequests(options, isPaper ? 'paper-api.alpaca.markets' : 'api.alpaca.markets');
  return {
    async between(from, to) {
      const query = { start: from, end: to };
      const answer = await ask('/v2/calendar', query, AbortSignal.timeout(ANSWERED));
      if (!answer.ok) throw new Error(`calendar: ${refusedWith(answer)}`);
      const open = new Map(days.parse(answer.body).map((day) => [day.date, dayOf(day)]));
      const found: MarketDay[] = [];
      let closed = 0;
      for (let noon = noonOf(from); noon <= noonOf(to); noon += DAY) {
        const date = isoDay(noon);
        const day = open.get(date) ?? { date, session: null };
        closed = day.session ? 0 : closed + 1;
        if (closed >= LONGEST_CLOSURE) throw new Error('calendar: too many days without a session');
        found.push(day);
      }
      return found;
    },
  };
}
