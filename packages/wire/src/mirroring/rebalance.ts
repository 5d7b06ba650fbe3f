import { type GivenRebalance, type RebalanceRule } from '@slipstream/domain';
import { z } from 'zod';
import { band, clockTime, cooldownHours } from '../fields/figures.js';
import { decimalOut, orNull } from '../fields/output.js';
import { camelKeys } from '../operations/camel-keys.js';

const paced = z.strictObject({
  band: band.nullable().optional(),
  cooldown_hours: cooldownHours.nullable().optional(),
  at: clockTime.nullable().optional(),
});
const pacedCommand = camelKeys(paced);

/** How often a bot brings its account in line, in a request. */
export const rebalance = z
  .union([z.literal('every_trade'), paced], {
    error: 'must be every_trade, or an object of band, cooldown_hours and at',
  })
  .meta({
    description:
      'every_trade (default), or at least one of band (fraction of equity by which a holding may differ from its target), cooldown_hours (1 to 720, since the last rebalance) and at (HH:MM; New York for stocks, UTC for coins). It holds back increases and drift only: reductions, exits and reversals of a strategy are followed at once.',
  });

/** The same under the application's names. */
export const rebalanceCommand = (
  given: z.output<typeof rebalance> | undefined,
): GivenRebalance | undefined => (typeof given === 'object' ? pacedCommand(given) : given);

/** The same in an answer. */
export const rebalanceOut = z.union([
  z.literal('every_trade'),
  z.object({
    band: decimalOut.nullable(),
    cooldown_hours: z.int().nullable(),
    at: z.string().nullable(),
  }),
]);

/** Presents it, each part that is not set as null. */
export const presentRebalance = (rule: RebalanceRule): z.infer<typeof rebalanceOut> =>
  rule === 'every_trade'
    ? rule
    : { band: orNull(rule.band), cooldown_hours: rule.cooldownHours, at: rule.at };
