import {
  type Bot,
  type Restraint,
  MODE_RESTRAINTS,
  breachRestraint,
  haltsRestraint,
  strictest,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { haltsOf } from './halts.js';

/** What keeps the bot from sending orders now, as stored: the strictest of all reasons (contract 10). */
export async function restraintOf(stores: Pick<ReadStores, 'halts'>, bot: Bot): Promise<Restraint> {
  const halts = haltsRestraint(await haltsOf(stores, bot));
  return strictest(halts, breachRestraint(bot), MODE_RESTRAINTS[bot.mode]);
}
