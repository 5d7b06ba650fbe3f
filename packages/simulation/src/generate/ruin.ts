import fc from 'fast-check';
import { type Commands, place } from './shared.js';

/** Price gaps, and time that passes at unchanged prices. */
export const ruin: Commands = [
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('linger' as const),
      rounds: fc.constantFrom(1, 1, 1, 2, 4, 30),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('newQuotes' as const),
      quotes: fc.array(
        fc.record({
          stock: place,
          move: fc.constantFrom(-75, -60, 60, 90, 150),
          kind: fc.constant('good' as const),
        }),
        { minLength: 1, maxLength: 2 },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('newOrderWebhook' as const),
      strategy: place,
      stock: place,
      action: fc.constantFrom('buy', 'sell', 'close' as const),
      leverage: fc.constantFrom(100, 150, 200),
      pyramiding: fc.constant(null),
      heard: fc.constant(true),
    }),
  },
];
