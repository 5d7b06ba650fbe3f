import fc from 'fast-check';
import { alert, alerts } from './alerts.js';
import { bots, byHand, halts, troubles } from './bots.js';
import { money, partings, paying } from './money.js';
import { announced, crash, renames, splitsBetween, stockActions, time } from './operator.js';
import { people } from './people.js';
import { repeated } from './repeats.js';
import { ruin } from './ruin.js';
import { stalling } from './streams.js';
import { orders } from './trading.js';
import {
  type BrokerFault,
  type BrokerName,
  type Command,
  type Fault,
  MANNERS,
  type Opening,
  type PaymentFault,
  type Step,
  type StorageFault,
  type Story,
} from '../story/story.js';
import { STOCKS } from '../world/stocks.js';

/** A position among a command's statements and calls; most are early. */
const early = (most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.nat({ max: Math.floor(most / 3) }), fc.nat({ max: most }));

const faultOn = <Site extends Fault['on'], Kind extends StorageFault | BrokerFault | PaymentFault>(
  on: Site,
  at: fc.Arbitrary<number>,
  kinds: readonly Kind[],
) => fc.record({ on: fc.constant(on), at, kind: fc.constantFrom(...kinds) });

const storage = (...kinds: readonly StorageFault[]): fc.Arbitrary<Fault> =>
  fc.oneof(
    { weight: 2, arbitrary: faultOn('storage', early(36), kinds) },
    { weight: 1, arbitrary: faultOn('commit', fc.nat({ max: 3 }), kinds) },
  );
const brokerWithin =
  (most: number) =>
  (...kinds: readonly BrokerFault[]): fc.Arbitrary<Fault> =>
    fc.oneof(faultOn('broker', early(most), kinds), faultOn('place', fc.nat({ max: 1 }), kinds));
const broker = brokerWithin(9);
/** A call of the port is several requests. */
const requests = brokerWithin(12);

const payment = (...kinds: readonly PaymentFault[]): fc.Arbitrary<Fault> =>
  faultOn('payment', fc.nat({ max: 1 }), kinds);

const storageFaults = storage('full', 'rolled_back');
const paymentFaults = payment(
  'lost_request',
  'lost_answer',
  'lost_answer',
  'crash_before',
  'crash_after',
);
const storageCrashes = storage('crash_before', 'crash_after');
const brokerFaults = broker(
  'lost_request',
  'lost_answer',
  'server_error',
  'refused',
  'duplicated',
  'reject',
  'partial',
  'expire',
  'rate_limited',
  'late',
);
/** An order whose fate the bot does not learn from the answer. */
const lostOrders: fc.Arbitrary<Fault> = faultOn('place', fc.nat({ max: 1 }), [
  'lost_answer',
  'lost_request',
  'late',
]);
/** Fills that come after the end of their orders. */
const crossedOrders: fc.Arbitrary<Fault> = faultOn('place', fc.nat({ max: 1 }), ['crossed']);
const answerFaults = requests('garbled', 'truncated', 'emptied', 'hidden', 'slow');
const requestFaults = fc.oneof(
  answerFaults,
  requests(
    'lost_request',
    'lost_answer',
    'server_error',
    'refused',
    'duplicated',
    'reject',
    'partial',
    'expire',
    'rate_limited',
    'late',
  ),
);
const requestCrashes = requests('crash_before', 'crash_after');
const crashes = fc.oneof(storageCrashes, broker('crash_before', 'crash_after'));

/** A combination of faults and commands. */
interface Weather {
  readonly weight: number;
  readonly faults: fc.Arbitrary<Fault> | undefined;
  readonly commands: readonly fc.WeightedArbitrary<Command>[];
  readonly openings: readonly Opening[];
}

/** The orders and alerts of an owner. */
const trading = [...orders, { weight: 3, arbitrary: alert }];

const everything = [...trading, ...time, ...people, ...bots, crash];
const onlyBots = [...time, ...bots, ...bots, ...trading.slice(1, 2), crash];
// A halt stops every bot that it hits until it ends, so most stories have none.
const halted = [...halts, ...halts, ...onlyBots];
const onlyAlerts = [...alerts, ...time, ...trading.slice(0, 1), crash];
/** The end of a strategy, whose followers are owed what they paid. */
const ends = people.slice(2, 3);
const parting = { weight: 5, arbitrary: fc.oneof(...partings) };
const onlyMoney = [...money, ...people.slice(2), ...ends, ...ends, crash, parting];
const ending = [...money.slice(0, 3), ...people.slice(0, 4), ...ends, ...ends, crash];
const actions = [...stockActions, ...stockActions, ...trading, ...time, crash];
const ruinous = [...ruin, ...ruin, ...paying.slice(2), ...trading, ...people.slice(1), crash];
const listening = [...stalling, ...people, ...trading, ...time];

const everyQuote = fc.record({
  do: fc.constant('newQuotes' as const),
  quotes: fc.tuple(
    ...STOCKS.map((_, stock) =>
      fc.record({
        stock: fc.constant(stock),
        move: fc.constantFrom(0, 0, 1, -1),
        kind: fc.constant('good' as const),
      }),
    ),
  ),
});
/** Strategies that trade while the orders of their bots are on the way. */
const hurried = [
  { weight: 10, arbitrary: everyQuote },
  { weight: 10, arbitrary: fc.constant({ do: 'runBots' } as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      seconds: fc.constantFrom(1, 3, 5),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('newOrderAllocations' as const),
      strategy: fc.nat({ max: 1 }),
      targets: fc.array(
        fc.record({ stock: fc.nat({ max: 1 }), percent: fc.constantFrom(-60, -20, 30, 90) }),
        { maxLength: 2 },
      ),
    }),
  },
  crash,
];
const figures = [
  { weight: 4, arbitrary: fc.constant({ do: 'measureOwnerTrades' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'getOverview' } as const) },
  {
    weight: 1,
    arbitrary: fc.constant({ do: 'advance', seconds: 86_401 } as const),
  },
];
/** Orders that are stored and do not arrive. */
const heldOrders: fc.Arbitrary<Fault> = faultOn('place', fc.nat({ max: 1 }), [
  'lost_request',
  'rate_limited',
  'crash_before',
]);

const ANY: readonly Opening[] = ['bare', 'waiting', 'watched', 'mirrored', 'held', 'eve'];
const MIRRORED: readonly Opening[] = ['bare', 'mirrored', 'mirrored', 'mirrored'];

const storageAndCrashes = fc.oneof(storageFaults, storageCrashes);

// oxfmt-ignore
const WEATHERS: readonly Weather[] = [
  { weight: 2, faults: undefined, commands: everything, openings: ANY },
  { weight: 2, faults: crashes, commands: everything, openings: ANY },
  { weight: 2, faults: fc.oneof(storageFaults, crashes, brokerFaults), commands: [...everything, ...halts], openings: ANY },
  { weight: 2, faults: undefined, commands: [...trading, ...trading, ...time, ...people], openings: [...ANY, 'eve', 'eve'] },
  { weight: 5, faults: fc.oneof(lostOrders, brokerFaults, crashes), commands: onlyBots, openings: MIRRORED },
  { weight: 3, faults: fc.oneof(brokerFaults, brokerFaults, crashes), commands: halted, openings: MIRRORED },
  { weight: 2, faults: brokerFaults, commands: [...halts, ...halts, ...hurried], openings: ['mirrored', 'careful'] },
  { weight: 3, faults: fc.oneof(brokerFaults, crashes), commands: onlyBots, openings: ['careful'] },
  { weight: 3, faults: heldOrders, commands: hurried, openings: ['mirrored', 'careful', 'careful'] },
  { weight: 4, faults: fc.oneof(storageAndCrashes, brokerFaults), commands: [...announced, ...onlyBots], openings: ['announced', 'announced', 'mirrored'] },
  { weight: 2, faults: brokerFaults, commands: [...figures, ...hurried], openings: ['owned'] },
  { weight: 2, faults: storageAndCrashes, commands: onlyAlerts, openings: ['bare', 'held', 'eve'] },
  { weight: 4, faults: storageAndCrashes, commands: repeated([...orders, ...people.slice(0, 4), ...bots.slice(0, 3)]), openings: ANY },
  { weight: 4, faults: storageAndCrashes, commands: actions, openings: ['held', 'held', 'waiting', 'mirrored'] },
  { weight: 1, faults: undefined, commands: [...stockActions, ...everything], openings: ['held', 'mirrored'] },
  { weight: 3, faults: fc.oneof(paymentFaults, paymentFaults, storageAndCrashes), commands: onlyMoney, openings: ['sold'] },
  { weight: 1, faults: fc.oneof(paymentFaults, storageAndCrashes), commands: repeated(money), openings: ['sold'] },
  { weight: 1, faults: storage('crash_before', 'crash_after'), commands: ending, openings: ['sold'] },
  { weight: 1, faults: undefined, commands: [...ruin, ...everything], openings: ['ruined', 'mirrored', 'watched'] },
  { weight: 3, faults: fc.oneof(storageAndCrashes, storageAndCrashes, paymentFaults), commands: ruinous, openings: ['ruined'] },
  { weight: 2, faults: undefined, commands: listening, openings: ['watched', 'held'] },
  { weight: 1, faults: storageAndCrashes, commands: listening, openings: ['watched', 'held'] },
];

/** Bots at work: their checks, and what makes them trade. */
const checked = [
  { weight: 30, arbitrary: fc.constant({ do: 'runBots' } as const) },
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      seconds: fc.constantFrom(1, 5, 61),
    }),
  },
  ...trading.slice(1, 2).map((one) => ({ ...one, weight: 25 })),
  ...onlyBots,
];
const lingers = fc.record({ do: fc.constant('linger' as const), rounds: fc.constantFrom(1, 2) });
const working = [{ weight: 30, arbitrary: lingers }, ...checked];
/** A split that only the broker has, or that it gets last, while bots and owners trade. */
const between = [...splitsBetween, { ...byHand, weight: 6 }, ...checked];
/** A symbol that changes on one side first, while bots and owners trade. */
const renaming = [...renames, { ...byHand, weight: 6 }, ...working];
/** Trades of the owners beside their bots. */
const besideOwners = [{ ...byHand, weight: 15 }, ...working];

/** Accounts that are blocked, stocks that are halted, deposits that bounce. */
const troubled = [...troubles, ...working, ...checked.slice(0, 3)];

// oxfmt-ignore
const AT_ALPACA: readonly Weather[] = [
  { weight: 5, faults: fc.oneof(lostOrders, requestFaults, requestFaults, crashes, requestCrashes), commands: working, openings: MIRRORED },
  { weight: 3, faults: fc.oneof(lostOrders, requestFaults, requestCrashes), commands: besideOwners, openings: MIRRORED },
  { weight: 2, faults: undefined, commands: besideOwners, openings: MIRRORED },
  { weight: 2, faults: fc.oneof(requestFaults, requestCrashes), commands: [...halts, ...halts, ...working], openings: MIRRORED },
  { weight: 1, faults: fc.oneof(requestFaults, crashes), commands: [...stockActions, ...checked], openings: MIRRORED },
  { weight: 2, faults: fc.oneof(requestFaults, crashes), commands: [...announced, ...checked], openings: ['announced', 'announced', 'mirrored'] },
  { weight: 3, faults: fc.oneof(lostOrders, requestFaults, crashes, requestCrashes), commands: between, openings: [...MIRRORED, 'invested', 'invested'] },
  { weight: 2, faults: fc.oneof(lostOrders, requestFaults, crashes, requestCrashes), commands: renaming, openings: MIRRORED },
  { weight: 1, faults: fc.oneof(heldOrders, requestFaults, crashes), commands: [...hurried, ...checked], openings: ['careful'] },
  { weight: 4, faults: fc.oneof(lostOrders, requestFaults, crashes, requestCrashes), commands: troubled, openings: [...MIRRORED, 'invested'] },
  { weight: 6, faults: fc.oneof(crossedOrders, crossedOrders, crossedOrders, requestFaults, crashes), commands: [...hurried, ...hurried, ...checked.slice(0, 3)], openings: ['mirrored', 'invested'] },
  { weight: 1, faults: storageAndCrashes, commands: repeated(bots.slice(0, 3)), openings: MIRRORED },
  { weight: 1, faults: fc.oneof(storageFaults, requestFaults, crashes), commands: [...everything, ...halts], openings: ANY },
];

/** A step: mostly one command, mostly without a fault. */
function stepOf({ faults, commands }: Weather): fc.Arbitrary<Step> {
  const command = fc.oneof(...commands);
  return fc.record({
    commands: fc.oneof(
      { weight: 9, arbitrary: fc.array(command, { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(command, { minLength: 2, maxLength: 3 }) },
    ),
    faults: faults
      ? fc.oneof(
          { weight: 1, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(faults, { minLength: 1, maxLength: 2 }) },
        )
      : fc.constant([]),
    order: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(fc.nat({ max: 3 }), { maxLength: 12 }) },
    ),
  });
}

/** Stories of up to `most` steps, whose bots have accounts at that broker. */
export const stories = (most: number, name: BrokerName = 'simulated'): fc.Arbitrary<Story> =>
  fc.oneof(
    ...(name === 'simulated' ? WEATHERS : AT_ALPACA).map((weather) => ({
      weight: weather.weight,
      arbitrary: fc.record({
        opening: fc.constantFrom(...weather.openings),
        reversed: fc.boolean(),
        carries: fc.boolean(),
        strictBroker: fc.boolean(),
        steps: fc.array(stepOf(weather), { minLength: 1, maxLength: most, size: 'max' }),
        manners: fc.oneof(fc.constant([]), fc.subarray([...MANNERS], { minLength: 1 })),
        ...(name === 'simulated' ? {} : { broker: fc.constant(name) }),
      }),
    })),
  );
