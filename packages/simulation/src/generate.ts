import fc from 'fast-check';
import {
  type BrokerFault,
  type Command,
  type Fault,
  type Opening,
  type QuoteMove,
  type Step,
  type StorageFault,
  type Story,
  USERS,
} from './story.js';

const place = fc.nat({ max: 5 });
const user = fc.constantFrom(...USERS);
/** Mostly the owner. */
const maybeOther = fc.oneof(
  { weight: 14, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: user },
);
const security = fc.constantFrom('stock' as const, 'cryptocurrency' as const);

const quote: fc.Arbitrary<QuoteMove> = fc.record({
  stock: fc.nat({ max: 4 }),
  move: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: -4, max: 4 }) },
    { weight: 1, arbitrary: fc.integer({ min: -60, max: 120 }) },
  ),
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant('good' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('wide', 'crossed', 'zero', 'old', 'future' as const),
    },
  ),
});

const order: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('newOrder' as const),
  by: maybeOther,
  strategy: place,
  stock: place,
  action: fc.constantFrom('buy' as const, 'sell' as const),
  type: fc.constantFrom('market', 'limit', 'stop_market', 'stop_limit', 'oco' as const),
  size: fc.constantFrom('amount' as const, 'total' as const),
  percent: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 250 }) },
  ),
  away: fc.integer({ min: 0, max: 4 }),
  after: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(place, { minLength: 1, maxLength: 2 }) },
  ),
  reduceOnly: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
});

const trading: readonly fc.WeightedArbitrary<Command>[] = [
  { weight: 8, arbitrary: order },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('newOrderAllocations' as const),
      by: maybeOther,
      strategy: place,
      targets: fc.array(fc.record({ stock: place, percent: fc.integer({ min: -60, max: 90 }) }), {
        maxLength: 3,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('newOrderWebhook' as const),
      by: maybeOther,
      strategy: place,
      stock: place,
      action: fc.constantFrom('buy', 'sell', 'close' as const),
      leverage: fc.integer({ min: 0, max: 150 }),
      pyramiding: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('deleteOrder' as const),
      by: maybeOther,
      strategy: place,
      order: place,
    }),
  },
];

const time: readonly fc.WeightedArbitrary<Command>[] = [
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('newQuotes' as const),
      quotes: fc.array(quote, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      seconds: fc.constantFrom(1, 3, 20, 61, 130, 4000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('advanceTo' as const),
      moment: fc.constantFrom('opening' as const, 'closing' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('setBack' as const),
      seconds: fc.constantFrom(1, 5, 70),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('updateStocks' as const),
      stock: fc.nat({ max: 4 }),
      status: fc.constantFrom('halted' as const, 'active' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('tick' as const) }) },
];

const people: readonly fc.WeightedArbitrary<Command>[] = [
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('newStrategy' as const),
      by: user,
      type: security,
      private: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('updateStrategy' as const),
      strategy: place,
      private: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('deleteStrategy' as const), strategy: place }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
      by: user,
      strategy: place,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('read' as const), by: user, strategy: place }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('listen' as const),
      by: user,
      channel: fc.constantFrom('wsOrders', 'wsPositions', 'wsStrategyValue', 'wsBot' as const),
      of: place,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteToken' as const), by: user }) },
];

const bots: readonly fc.WeightedArbitrary<Command>[] = [
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('newBot' as const),
      by: user,
      strategies: fc.array(place, { minLength: 1, maxLength: 2 }),
      leverage: fc.constantFrom(50, 100, 150),
      closeOnStop: fc.boolean(),
      rebalanceOnStart: fc.oneof(
        { weight: 4, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('startBot' as const),
      bot: fc.nat({ max: 2 }),
      by: maybeOther,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('stopBot', 'resetBot', 'deleteBot' as const),
      bot: fc.nat({ max: 2 }),
      by: maybeOther,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('updateBot' as const),
      bot: fc.nat({ max: 2 }),
      leverage: fc.constantFrom(20, 80, 120),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('foreignTrade' as const),
      bot: fc.nat({ max: 2 }),
      stock: place,
      dollars: fc.integer({ min: -3000, max: 3000 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('runBots' as const) }) },
];

const crash: fc.WeightedArbitrary<Command> = {
  weight: 1,
  arbitrary: fc.record({ do: fc.constant('crash' as const) }),
};

/** Most statements and calls come early in a command. */
const early = (most: number): fc.Arbitrary<number> =>
  fc.oneof(fc.nat({ max: Math.floor(most / 3) }), fc.nat({ max: most }));

const faultOn = <Site extends Fault['on'], Kind extends StorageFault | BrokerFault>(
  on: Site,
  at: fc.Arbitrary<number>,
  kinds: readonly Kind[],
) => fc.record({ on: fc.constant(on), at, kind: fc.constantFrom(...kinds) });

const storage = (...kinds: readonly StorageFault[]): fc.Arbitrary<Fault> =>
  fc.oneof(
    { weight: 2, arbitrary: faultOn('storage', early(36), kinds) },
    { weight: 1, arbitrary: faultOn('commit', fc.nat({ max: 3 }), kinds) },
  );
const broker = (...kinds: readonly BrokerFault[]): fc.Arbitrary<Fault> =>
  fc.oneof(faultOn('broker', early(9), kinds), faultOn('place', fc.nat({ max: 1 }), kinds));

const storageFaults = storage('full', 'rolled_back');
const brokerFaults = broker(
  'lost_request',
  'lost_answer',
  'server_error',
  'refused',
  'duplicated',
  'reject',
  'partial',
  'rate_limited',
  'late',
);
const crashes = fc.oneof(
  storage('crash_before', 'crash_after'),
  broker('crash_before', 'crash_after'),
);

/** A kind of weather: which faults there are, and which commands. */
interface Weather {
  readonly weight: number;
  readonly faults: fc.Arbitrary<Fault> | undefined;
  readonly commands: readonly fc.WeightedArbitrary<Command>[];
  readonly openings: readonly Opening[];
}

const everything = [...trading, ...time, ...people, ...bots, crash];
const onlyBots = [...time, ...bots, ...bots, ...trading.slice(1, 2), crash];

const ANY: readonly Opening[] = ['bare', 'waiting', 'watched', 'mirrored'];
const MIRRORED: readonly Opening[] = ['bare', 'mirrored', 'mirrored', 'mirrored'];

// prettier-ignore
const WEATHERS: readonly Weather[] = [
  { weight: 2, faults: undefined, commands: everything, openings: ANY },
  { weight: 2, faults: crashes, commands: everything, openings: ANY },
  { weight: 2, faults: fc.oneof(storageFaults, crashes, brokerFaults), commands: everything, openings: ANY },
  { weight: 2, faults: undefined, commands: [...trading, ...trading, ...time, ...people], openings: ANY },
  { weight: 2, faults: fc.oneof(brokerFaults, brokerFaults, crashes), commands: onlyBots, openings: MIRRORED },
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

/** Stories of up to `most` steps. */
export const stories = (most: number): fc.Arbitrary<Story> =>
  fc.oneof(
    ...WEATHERS.map((weather) => ({
      weight: weather.weight,
      arbitrary: fc.record({
        opening: fc.constantFrom(...weather.openings),
        reversed: fc.boolean(),
        strictBroker: fc.boolean(),
        steps: fc.array(stepOf(weather), { minLength: 1, maxLength: most, size: 'max' }),
      }),
    })),
  );
