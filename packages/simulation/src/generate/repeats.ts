import fc from 'fast-check';
import type { Command } from '../story/story.js';
import type { Commands } from './shared.js';

const HOST: ReadonlySet<string> = new Set([
  'advance',
  'getOverview',
  'measureOwnerTrades',
  'runBilling',
  'runBots',
  'tick',
]);

/** There are few keys, so that some are used again with another request. */
const keyed = ({
  weight,
  arbitrary,
}: fc.WeightedArbitrary<Command>): fc.WeightedArbitrary<Command> => ({
  weight,
  arbitrary: fc
    .tuple(arbitrary, fc.option(fc.nat({ max: 8 }), { nil: undefined, freq: 3 }))
    .map(([command, key]) =>
      key === undefined || HOST.has(command.do) ? command : { ...command, key },
    ),
});

/** The same commands, mostly with an Idempotency-Key, and repeats of sent requests. */
export const repeated = (commands: Commands): Commands => [
  ...commands.map(keyed),
  {
    weight: commands.reduce((total, { weight }) => total + weight, 0),
    arbitrary: fc.record({
      do: fc.constant('repeat' as const),
      request: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.nat({ max: 3 }) },
      ),
      otherBody: fc.oneof(
        { weight: 8, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
  },
];
