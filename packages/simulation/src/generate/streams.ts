import fc from 'fast-check';
import type { Commands } from './shared.js';

/** Clients that read too slowly; the limits are 256 KiB and 1 MiB. */
export const stalling: Commands = [
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('stall' as const),
      client: fc.nat({ max: 3 }),
      unsent: fc.constantFrom(0, 300_000, 1_048_000, 1_048_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('catchUp' as const), client: fc.nat({ max: 3 }) }),
  },
];
