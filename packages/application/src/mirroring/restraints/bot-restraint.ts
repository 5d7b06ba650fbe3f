import {
  type Bot,
  type Restraint,
  MODE_RESTRAINTS,
  haltsRestraint,
  strictest,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { haltsOf } from './halts.js';

/** What keeps the bot from sending orders now, as stored: the strictest of all reasons (contract 10). */
export async function restraintOf(stores: Pick<ReadStores, 'halts'>, bot: Bot): Promise<Restraint> {
  return strictest(haltsRestraint(await haltsOf(stores, bot)), MODE_RESTRAINTS[bot.mode]);
}
