import fc from 'fast-check';
import type { Command } from '../story/story.js';
import { type Commands, maybeOther, place } from './shared.js';

const heard = fc.oneof(
  { weight: 1, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);

/** There are few different bodies, so that many alerts are equal. */
export const alert: fc.Arbitrary<Command> = fc.record({
  do: fc.constant('newOrderWebhook' as const),
  by: maybeOther,
  strategy: place,
  stock: place,
  action: fc.constantFrom('buy', 'sell', 'close' as const),
  leverage: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(20, 60) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 150 }) },
  ),
  pyramiding: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
  alertId: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.nat({ max: 2 }) },
  ),
  heard,
});

/** A charting platform sends alerts and repeats them. */
export const alerts: Commands = [
  { weight: 8, arbitrary: alert },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('sendAgain' as const),
      alert: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.nat({ max: 4 }) },
      ),
      heard,
    }),
  },
];
