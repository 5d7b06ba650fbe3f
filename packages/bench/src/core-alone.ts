import { type FixedClock, fixedClock, silentLog } from '@slipstream/adapter-memory/testing';
import type { Application, Caller } from '@slipstream/application';
import { type Quote, type StockId, decimal, id } from '@slipstream/domain';
import type { Events, UnitOfWork } from '@slipstream/ports';
import {
  APPLICATION,
  EVENTS,
  UNIT_OF_WORK,
  compose,
  tuneGarbageCollector,
  readSettings,
} from '@slipstream/server';
import { BEGINNING } from './baselines/used-database.js';
import { SECRET_KEY } from './secret-key.js';

/** The complete service over a SQLite file with synchronous=FULL, without network and timers, so that nothing runs by itself. */
export interface CoreAlone {
  readonly application: Application;
  readonly unitOfWork: UnitOfWork;
  readonly events: Events;
  readonly clock: FixedClock;
  /** Sends quotes as the operator does. Resolves when all their effects are done. */
  quote(quotes: readonly Priced[]): Promise<void>;
  close(): Promise<void>;
}

export interface Priced extends Pick<Quote, 'stockId'> {
  readonly bid: Quote['bid'];
  readonly ask: Quote['ask'];
}

/** One price for both sides. */
export const priced = (stockId: StockId, price: string): Priced => ({
  stockId,
  bid: decimal(price),
  ask: decimal(price),
});

/** The owner of every strategy of `makeFullDatabase`. */
export const OWNER: Caller = {
  kind: 'user',
  userId: id('u1'),
  tokenId: id('t1'),
  tokenType: 'api',
  scope: ['*'],
  strategyIds: null,
  limits: null,
  expiresAt: null,
};

const OPERATOR: Caller = { kind: 'operator' };

export async function openCore(file: string): Promise<CoreAlone> {
  tuneGarbageCollector();
  const clock = fixedClock(BEGINNING);
  const settings = readSettings({
    MARKET: 'push',
    TRADING_HOURS: 'always',
    DATABASE_URL: `sqlite:${file}`,
    QUOTE_FRESH_SECONDS: '86400',
    SECRET_KEY,
  });
  const { container, close } = await compose(settings, silentLog(), { clock });
  const application = await container.getAsync(APPLICATION);
  await application.lifecycle.start();
  return {
    application,
    clock,
    unitOfWork: container.get(UNIT_OF_WORK),
    events: container.get(EVENTS),
    async quote(quotes) {
      const { rejected } = await application.operations.newQuotes(OPERATOR, {
        quotes: quotes.map(({ stockId, bid, ask }) => ({ stock: stockId, bid, ask, last: bid })),
      });
      const [first] = rejected;
      if (first) throw new Error(`a quote was rejected: ${first.reason}`);
    },
    close,
  };
}

/** Runs `work` for each index below `count`, this many at the same time. */
export async function inFlight(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane));
}
