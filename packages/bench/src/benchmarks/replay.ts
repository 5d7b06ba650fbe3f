import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { DAY, isoDay } from '@slipstream/domain';
import { replay } from '@slipstream/server';
import { benchmark, figureAtLeast, figureAtMost } from '../measure/benchmark.js';
import { cpuNow, heapNow } from '../measure/cpu.js';
import { newFolder } from '../folder.js';
import { below, seeded } from '../seeded.js';

const SYMBOLS =
  'AAPL MSFT JPM KO PG XOM GE IBM INTC CSCO PFE MRK WMT HD DIS BA CAT MMM AXP VZ'.split(' ');
const MINUTES = 390;
const START = Date.UTC(2015, 0, 5);
const OPENS = '14:30';
const MEGABYTE = 1024 * 1024;

/** Weekdays from the first Monday of 2015 on; holidays among them have no session and count for nothing. */
const daysOf = (count: number): string[] =>
  Array.from({ length: count }, (_, day) => isoDay(START + (day + 2 * Math.floor(day / 5)) * DAY));

/** Minute bars of twenty stocks in cents; in winter the session opens at 14:30 UTC. */
async function writeBars(path: string, days: readonly string[]): Promise<void> {
  const random = seeded(23);
  const prices = SYMBOLS.map((_, symbol) => 5_000 + symbol * 700);
  const file = createWriteStream(path);
  file.write('timestamp,symbol,open,high,low,close,volume\n');
  for (const day of days) {
    const opensAt = Date.parse(`${day}T${OPENS}:00Z`);
    let text = '';
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const at = opensAt / 1_000 + minute * 60;
      SYMBOLS.forEach((symbol, index) => {
        const open = prices[index] as number;
        const close = Math.max(500, open + below(random, 11) - 5);
        const [high, low] = [
          Math.max(open, close) + below(random, 4),
          Math.min(open, close) - below(random, 4),
        ];
        prices[index] = close;
        text += `${at},${symbol},${open / 100},${high / 100},${low / 100},${close / 100},100\n`;
      });
    }
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** A new target of all stocks every day. */
const targetsOf = (days: readonly string[]): string =>
  [
    'at,stock_id,percent',
    ...days.flatMap((day, time) =>
      SYMBOLS.map(
        (symbol, index) => `${day}T15:00:00Z,${symbol},${0.04 + ((index + time) % 2) / 100}`,
      ),
    ),
  ].join('\n');

/** The speed and the memory of a replay (contract 12). */
export const replayOfMinutes = benchmark(
  'P23',
  [
    {
      what: 'minute bars a second of CPU, one strategy of 20 stocks: read, matched, booked, recorded',
      baseline: 'none: the figure itself',
      gate: figureAtLeast(25_000),
    },
    {
      what: 'MB of heap more at the end of a replay than after a fifth of it',
      baseline: 'none: the figure itself',
      gate: figureAtMost(32),
    },
  ],
  async ({ quick }) => {
    const folder = newFolder();
    const days = daysOf(quick ? 3 : 50);
    const [data, targets] = [folder.file('bars.csv'), folder.file('targets.csv')];
    await writeBars(data, days);
    await writeFile(targets, targetsOf(days));
    return {
      async round(number) {
        let early: number | undefined;
        let late = 0;
        const begun = cpuNow();
        const { bars, trades } = await replay(
          {
            data: [{ path: data }],
            orders: { kind: 'allocations', file: targets },
            out: folder.file(`run-${number}`),
            ...{ type: 'stock', hours: 'exchange', barTime: 'start' },
          },
          {
            reading: () => undefined,
            playing: (played, total) => {
              if (early === undefined && played >= total / 5) early = heapNow();
              if (played >= total) late = heapNow();
            },
            said: () => undefined,
          },
        );
        const cpu = cpuNow() - begun;
        if (trades < days.length) throw new Error('the replay did not trade');
        return [{ figure: (bars / cpu) * 1e6 }, { figure: (late - (early ?? late)) / MEGABYTE }];
      },
      close: () => folder.remove(),
    };
  },
);
