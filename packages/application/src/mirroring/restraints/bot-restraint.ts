import {
  type Bot,
  type Halt,
  type Restraint,
  MODE_RESTRAINTS,
  breachRestraint,
  haltsRestraint,
  strictest,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { haltsOf } from './halts.js';

/** What keeps the bot from sending orders while these halts hit it: the strictest of all reasons (contract 10). */
export const restraintBy = (halts: readonly Halt[], bot: Bot): Restraint =>
  strictest(haltsRestraint(halts), breachRestraint(bot), MODE_RESTRAINTS[bot.mode]);

/** What keeps the bot from sending orders now, as stored. */
export async function restraintOf(stores: Pick<ReadStores, 'halts'>, bot: Bot): Promise<Restraint> {
  return restraintBy(await haltsOf(stores, bot), bot);
}
