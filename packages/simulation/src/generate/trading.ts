import fc from 'fast-check';
import type { Command } from '../story/story.js';
import { type Commands, maybeOther, place } from './shared.js';

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

/** Placing and cancelling. */
export const orders: Commands = [
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
      do: fc.constant('deleteOrder' as const),
      by: maybeOther,
      strategy: place,
      order: place,
    }),
  },
];
