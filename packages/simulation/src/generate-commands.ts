import fc from 'fast-check';
import { type Command, type QuoteMove, USERS } from './story.js';

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

/** What an owner does with orders. */
export const trading: readonly fc.WeightedArbitrary<Command>[] = [
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

/** What happens without anybody: quotes, time, the operator. */
export const time: readonly fc.WeightedArbitrary<Command>[] = [
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

/** Strategies, who follows and listens, and who loses the right to. */
export const people: readonly fc.WeightedArbitrary<Command>[] = [
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

/** Bots, and what happens in their accounts. */
export const bots: readonly fc.WeightedArbitrary<Command>[] = [
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

/** The process ends between two commands. */
export const crash: fc.WeightedArbitrary<Command> = {
  weight: 1,
  arbitrary: fc.record({ do: fc.constant('crash' as const) }),
};
