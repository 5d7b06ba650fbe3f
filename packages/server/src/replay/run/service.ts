import { join } from 'node:path';
import { openSqlite } from '@slipstream/adapter-sql';
import {
  type Application,
  type LiveState,
  type UserCaller,
  benchmarkOf,
} from '@slipstream/application';
import {
  type Security,
  type Stock,
  type StockId,
  type StrategyId,
  type Timestamp,
} from '@slipstream/domain';
import type { Events, FeedListener, Log, MarketFeed, TradingHours } from '@slipstream/ports';
import { compose } from '../../composition/compose.js';
import { APPLICATION, EVENTS, LIVE_STATE, UNIT_OF_WORK } from '../../composition/tokens.js';
import { readSettings } from '../../settings/settings.js';
import { type VirtualClock, countedIds, noTimers, virtualClock } from './virtual-time.js';

/** The application of a server on virtual time, with its own database and one strategy. */
export interface ReplayedService {
  readonly application: Application;
  readonly live: LiveState;
  readonly clock: VirtualClock;
  readonly caller: UserCaller;
  readonly strategyId: StrategyId;
  readonly events: Pick<Events, 'subscribe'>;
  /** The daily closes of a stock until that date, split-adjusted, as statistics compare with them. */
  closesOf(this: void, stockId: StockId, to: string): Promise<ReadonlyMap<string, number>>;
  /** Nothing trades at the last quotes any more: what is placed now meets the next ones. */
  forgetQuotes(): void;
  /** As a halt of the venue: orders of others do not wait for those of a stock without bars. */
  halt(this: void, stockId: StockId, isHalted: boolean): void;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** The folder of the database and of its key. */
  readonly folder: string;
  readonly database: string;
  readonly stocks: readonly Stock[];
  readonly hours: TradingHours;
  readonly type: Security;
  readonly startAt: Timestamp;
}

/** Only faults of the service are worth a line; they end the replay. */
const faultsOf = (failed: (message: string) => void): Log => ({
  info: () => undefined,
  warn: () => undefined,
  error: ({ error }, message) =>
    failed(error instanceof Error ? `${message}: ${error.message}` : message),
});

/** A feed that is fed by newQuotes. Its prices are raw: the market itself quotes the new shares after a split. */
function fedFeed(started: (listener: FeedListener) => void): MarketFeed {
  return {
    acceptsQuotes: true,
    quotesNewShares: true,
    notice: 'Prices are recorded ones of a replay.',
    start: async (_stocks, _resume, given) => started(given),
    health: () => [],
    stop: async () => undefined,
  };
}

/** Opens the application as a server would, and creates the strategy. `failed` hears of faults. */
export async function openService(
  { folder, database, stocks, hours, type, startAt }: ServiceOptions,
  failed: (message: string) => void,
): Promise<ReplayedService> {
  const clock = virtualClock(startAt);
  let listener: FeedListener | undefined;
  const settings = readSettings({
    DATABASE_URL: `sqlite:${join(folder, database)}`,
    SECRET_KEY_FILE: join(folder, 'secret.key'),
    MARKET: 'replay',
    REPLAY_FILES: 'replay',
    SIGNUP: 'closed',
  });
  const { container, close } = await compose(settings, faultsOf(failed), {
    unitOfWork: await openSqlite({ path: join(folder, database), isReproducible: true }),
    clock,
    ids: countedIds(clock),
    timers: noTimers,
    tradingHours: hours,
    marketFeed: fedFeed((given) => (listener = given)),
  });
  try {
    const application = await container.getAsync(APPLICATION);
    const live = container.get(LIVE_STATE);
    const reading = { unitOfWork: container.get(UNIT_OF_WORK), live, pause: async () => undefined };
    await application.lifecycle.start(stocks);
    const { text } = await application.lifecycle.issueToken({
      email: 'replay@example.com',
      name: 'replay',
      scope: ['*'],
      createUser: true,
    });
    const caller = await application.requests.authenticate(text);
    if (caller.kind !== 'user') throw new Error('the owner of the replay is no user');
    const { strategy } = await application.operations.newStrategy(caller, {
      type,
      name: 'Replay',
    });
    const stockIds: readonly StockId[] = stocks.map(({ id }) => id);
    return {
      application,
      live,
      clock,
      caller,
      strategyId: strategy.id,
      events: container.get(EVENTS),
      closesOf: async (stockId, to) => (await benchmarkOf(reading, stockId, to)).closes,
      forgetQuotes: () => listener?.lost(stockIds),
      halt: (stockId, isHalted) =>
        listener?.status(stockId, isHalted ? 'halted' : 'active', 'bars of the replay'),
      close: async () => {
        await application.lifecycle.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
