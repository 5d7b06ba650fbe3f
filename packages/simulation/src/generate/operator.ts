import fc from 'fast-check';
import type { Command, QuoteMove } from '../story/story.js';
import type { Commands } from './shared.js';

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

/** Events without a user: quotes, time and the operator. */
export const time: Commands = [
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
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('advanceTo' as const),
      moment: fc.constantFrom('eve', 'eve', 'opening', 'closing' as const),
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
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('measureOwnerTrades', 'getOverview' as const) }),
  },
];

/** Corporate actions that the operator enters. */
export const stockActions: Commands = [
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('split' as const),
      stock: fc.nat({ max: 4 }),
      ratio: fc.constantFrom('2', '3', '0.5', '0.7' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('dividend' as const),
      stock: fc.nat({ max: 4 }),
      percent: fc.integer({ min: 1, max: 20 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('delist' as const),
      stock: fc.nat({ max: 4 }),
      percent: fc.constantFrom(0, 50, 100, 130),
    }),
  },
];

const percent = fc.integer({ min: 1, max: 20 });

/** Splits that do not reach the service and its brokers at the same moment. */
export const splitsBetween: Commands = [
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('split' as const),
      stock: fc.nat({ max: 1 }),
      ratio: fc.constantFrom('2', '0.5', '1.05', '1.05', '10' as const),
      broker: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
  { weight: 8, arbitrary: fc.constant({ do: 'followSplit' } as const) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      seconds: fc.constantFrom(310, 4000),
    }),
  },
];

/** Symbols that change on one side first. */
export const renames: Commands = [
  {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant('rename' as const),
      stock: fc.nat({ max: 1 }),
      side: fc.constantFrom('broker' as const, 'service' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('advance' as const), seconds: fc.constant(920) }),
  },
];

/** Corporate actions that a source announces the day before, and the nights that bring them. */
export const announced: Commands = [
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('announce' as const),
      stock: fc.nat({ max: 2 }),
      kind: fc.constantFrom('split', 'cash_dividend', 'cash_dividend', 'other', 'worthless'),
      percent,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('followMarket' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('advanceTo' as const),
      moment: fc.constantFrom('eve' as const, 'opening' as const),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('tick' as const) }) },
];

/** The process crashes between two commands. */
export const crash: fc.WeightedArbitrary<Command> = {
  weight: 1,
  arbitrary: fc.record({ do: fc.constant('crash' as const) }),
};
