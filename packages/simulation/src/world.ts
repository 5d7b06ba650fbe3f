import {
  type FixedClock,
  type TestSecrets,
  countingIds,
  fixedClock,
  testSecrets,
} from '@slipstream/adapter-memory';
import { exchangeHours } from '@slipstream/adapter-market';
import { type InMemoryDatabase, inMemoryDatabase } from '@slipstream/adapter-sql';
import { type Stock, decimal, id } from '@slipstream/domain';
import type { Ids, TradingHours } from '@slipstream/ports';
import type { BrokerFault as NetworkFault } from './story.js';
import { type BrokerSide, brokerSide } from './broker-side.js';
import type { Bug } from './bugs/bug.js';
import { type Coverage, newCoverage, reach } from './coverage.js';
import { type FaultPlan, faultPlan } from './faults.js';
import { type Memory, newMemory } from './memory.js';
import { type PaymentSide, paymentSide } from './payment-side.js';
import type { Process } from './process.js';
import { type Schedule, newSchedule } from './schedule.js';
import { type TrueMarket, trueMarket } from './true-market.js';
import { Violation } from './violation.js';

/** Everything that outlives the core's process, and what the simulation knows about it. */
export interface World {
  readonly database: InMemoryDatabase;
  readonly clock: FixedClock;
  readonly ids: Ids;
  readonly secrets: TestSecrets;
  readonly hours: TradingHours;
  readonly schedule: Schedule;
  readonly market: TrueMarket;
  readonly broker: BrokerSide;
  readonly payments: PaymentSide;
  readonly coverage: Coverage;
  /** What happened, line by line: two runs of a story give the same. */
  readonly trace: string[];
  readonly memory: Memory;
  readonly bug: Bug | undefined;
  /** Broker requests that still travel though nobody waits for them. */
  readonly late: (() => Promise<unknown>)[];
  faults: FaultPlan;
  /** Commits that wrote something. */
  commits: number;
  /** The fault that the broker's own side brings about in the next call. */
  brokerFault: NetworkFault | undefined;
  /** True while commands run beside one another. */
  interleaves: boolean;
  process: Process | undefined;
  violation: Violation | undefined;
  note(line: string): void;
  reach(what: string): void;
  /** The first one counts; the story ends there. */
  violate(rule: string, found: string): void;
  /** The core's process ends, with everything that it had in memory. */
  crash(where: string): void;
}

const stock = (name: string, fields: Partial<Stock>): Stock => ({
  id: id(name),
  figiComposite: null,
  symbol: name,
  stock: name,
  name,
  sector: '',
  security: 'stock',
  exchange: 'NASDAQ',
  peg: 'USD',
  provider: 'simulation',
  slippage: decimal('0.0005'),
  fee: decimal('0'),
  links: {},
  status: 'active',
  ...fields,
});

const COIN = {
  security: 'cryptocurrency',
  exchange: 'COINBASE',
  fee: decimal('0.0025'),
  slippage: decimal('0.001'),
} as const;

/** The instruments of every story, and what each costs at the beginning. */
export const STOCKS: readonly (readonly [Stock, string])[] = [
  [stock('AAPL', {}), '187.35'],
  [stock('MSFT', { slippage: decimal('0') }), '402.1'],
  [stock('FUND', { fee: decimal('0.001') }), '33.3333'],
  [stock('BTC', { ...COIN, symbol: 'BTCUSD' }), '61234.567'],
  [stock('DOGE', { ...COIN, symbol: 'DOGEUSD' }), '0.0731'],
];

/** Pure, so all worlds share what it worked out. */
const hours = exchangeHours();

const stocksById: ReadonlyMap<string, Stock> = new Map(STOCKS.map(([one]) => [one.id, one]));

/** Of every user. */
export const PASSWORD = 'a long password';

/** A Monday, 10:00 in New York. */
export const BEGINNING = Date.UTC(2026, 0, 5, 15);

export interface WorldOptions {
  readonly image?: Buffer | undefined;
  readonly strictBroker?: boolean;
  readonly reversed?: boolean;
  readonly bug?: Bug | undefined;
  /** Counts go on from here: the image's ids came before. */
  readonly idPrefix?: string;
}

export function newWorld(options: WorldOptions = {}): World {
  const database = inMemoryDatabase(options.image);
  database.execute(`PRAGMA reverse_unordered_selects = ${options.reversed ? 1 : 0}`);
  const clock = fixedClock(BEGINNING);
  const market = trueMarket(() => stocksById, hours, clock);
  const coverage = newCoverage();
  const trace: string[] = [];

  const world: World = {
    database,
    clock,
    ids: countingIds(options.idPrefix ?? 'id-'),
    secrets: testSecrets(),
    hours,
    schedule: newSchedule(),
    market,
    broker: brokerSide(
      market.view,
      {
        next() {
          const fault = world.brokerFault;
          world.brokerFault = undefined;
          if (fault === 'rate_limited') return { rateLimited: 3_000 };
          return fault === 'crash_before' || fault === 'crash_after' || fault === 'late'
            ? undefined
            : fault;
        },
      },
      { strict: options.strictBroker ?? false, dedupes: options.bug?.brokerDedupes ?? true },
    ),
    payments: paymentSide(clock),
    coverage,
    trace,
    memory: newMemory(),
    bug: options.bug,
    late: [],
    faults: faultPlan([]),
    commits: 0,
    brokerFault: undefined,
    interleaves: false,
    process: undefined,
    violation: undefined,
    note: (line) => void trace.push(line),
    reach: (what) => reach(coverage, what),
    violate(rule, found) {
      world.violation ??= new Violation(rule, found);
    },
    crash(where) {
      world.note(`crash ${where}`);
      world.reach('fault: crash');
      world.process?.kill();
      world.schedule.clear();
    },
  };
  return world;
}
