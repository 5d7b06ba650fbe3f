import {
  type FixedClock,
  type TestSecrets,
  countingIds,
  fixedClock,
  testSecrets,
} from '@slipstream/adapter-memory/testing';
import { exchangeHours } from '@slipstream/adapter-market';
import { type InMemoryDatabase, inMemoryDatabase } from '@slipstream/adapter-sql/testing';
import type { Stock } from '@slipstream/domain';
import type { Ids, TradingHours } from '@slipstream/ports';
import type { BrokerName, Manner, BrokerFault as NetworkFault } from '../story/story.js';
import { type AlpacaSide, alpacaSide } from './alpaca/alpaca-side.js';
import { type SimulatedSide, simulatedSide } from './simulated-side.js';
import { type Announcements, announcements } from './announcements.js';
import { type Coverage, newCoverage, reach } from './coverage.js';
import { type FaultPlan, faultPlan } from '../story/fault-plan.js';
import { type PaymentSide, paymentSide } from './payment-side.js';
import type { BotOrderRow } from './rows.js';
import { type Schedule, newSchedule } from './schedule.js';
import { StorageLog } from './storage-log.js';
import { STOCKS } from './stocks.js';
import { type TrueMarket, trueMarket } from './true-market.js';
import { Violation } from './violation.js';

/** Everything that outlives the core's process: the facts of a run. */
export interface World {
  readonly database: InMemoryDatabase;
  readonly clock: FixedClock;
  /** By how many milliseconds the clock was set back so far, in all. */
  setBackBy: number;
  readonly ids: Ids;
  readonly secrets: TestSecrets;
  readonly hours: TradingHours;
  /** Whether each commit is made while the next transaction is decided. */
  readonly carries: boolean;
  readonly schedule: Schedule;
  /** The core's calls of its storage, for repetition on another one. */
  readonly storageLog: StorageLog | undefined;
  readonly market: TrueMarket;
  readonly broker: SimulatedSide | AlpacaSide;
  readonly payments: PaymentSide;
  readonly announcements: Announcements;
  readonly coverage: Coverage;
  /** The events, line by line: two runs of a story give the same lines. */
  readonly trace: string[];
  /** Broker requests that are still on their way though nobody waits for them. */
  readonly late: (() => Promise<unknown>)[];
  faults: FaultPlan;
  /** The number of commits with a write. */
  commits: number;
  /** The fault that the broker itself causes in the next call. */
  brokerFault: NetworkFault | undefined;
  /** True while commands run concurrently. */
  interleaves: boolean;
  violation: Violation | undefined;
  note(line: string): void;
  reach(what: string): void;
  /** Records a violation. Only the first one counts; it ends the story. */
  violate(rule: string, found: string): void;
}

/** Pure, so all worlds share its results. */
const hours = exchangeHours();

const stocksById: ReadonlyMap<string, Stock> = new Map(STOCKS.map(([one]) => [one.id, one]));

/** Of every user. */
export const PASSWORD = 'a long password';

/** A Monday, 10:00 in New York. */
export const BEGINNING = Date.UTC(2026, 0, 5, 15);

export interface WorldOptions {
  readonly image?: Buffer | undefined;
  readonly strictBroker?: boolean;
  readonly manners?: readonly Manner[];
  readonly broker?: BrokerName | undefined;
  readonly reversed?: boolean;
  readonly carries?: boolean;
  /** False if the broker accepts the same client order id again. */
  readonly brokerDedupes?: boolean | undefined;
  /** A prefix of new ids, which differs from that of the image. */
  readonly idPrefix?: string;
  readonly logsStorage?: boolean;
}

/** What the simulated broker itself does wrong in the next call. */
function simulatedFault(world: World) {
  const fault = world.brokerFault;
  world.brokerFault = undefined;
  switch (fault) {
    case 'rate_limited':
      return { rateLimited: 3_000 };
    case 'lost_request':
    case 'lost_answer':
    case 'server_error':
    case 'refused':
    case 'duplicated':
    case 'reject':
    case 'partial':
    case 'expire':
      return fault;
    default:
      return undefined;
  }
}

export function newWorld(options: WorldOptions = {}): World {
  const database = inMemoryDatabase(options.image);
  database.execute(`PRAGMA reverse_unordered_selects = ${options.reversed ? 1 : 0}`);
  const clock = fixedClock(BEGINNING);
  const market = trueMarket(() => stocksById, hours, clock);
  const coverage = newCoverage();
  const trace: string[] = [];
  const side = {
    strict: options.strictBroker ?? false,
    dedupes: options.brokerDedupes ?? true,
    manners: options.manners ?? [],
  };

  const world: World = {
    database,
    clock,
    setBackBy: 0,
    ids: countingIds(options.idPrefix ?? 'id-'),
    secrets: testSecrets(),
    hours,
    carries: options.carries ?? false,
    schedule: newSchedule(),
    storageLog: options.logsStorage === true ? new StorageLog() : undefined,
    market,
    broker:
      options.broker === 'alpaca'
        ? alpacaSide(clock, market, hours, {
            ...side,
            now: () => clock.now() + world.setBackBy,
            knownFill: (orderId) =>
              database.rows<BotOrderRow>('SELECT * FROM bot_orders WHERE id = ?', orderId)[0]
                ?.filled_amount,
          })
        : simulatedSide(market.view, { next: () => simulatedFault(world) }, side),
    payments: paymentSide(clock),
    announcements: announcements(clock),
    coverage,
    trace,
    late: [],
    faults: faultPlan([]),
    commits: 0,
    brokerFault: undefined,
    interleaves: false,
    violation: undefined,
    note: (line) => void trace.push(line),
    reach: (what) => reach(coverage, what),
    violate(rule, found) {
      world.violation ??= new Violation(rule, found);
    },
  };
  return world;
}
