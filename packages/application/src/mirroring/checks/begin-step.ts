import { type Bot, type Halt, strictest } from '@slipstream/domain';
import type { BotDeps } from '../bot-deps.js';
import { BotHalted, type BotStep } from '../bot-step.js';
import { accessOf } from '../broker-access.js';
import { seeHalts } from '../restraints/see-halts.js';

/** A check of the bot, with what restrains it while these halts hit it. Undefined when a command changed the bot meanwhile. */
export async function beginStep(
  deps: BotDeps,
  bot: Bot,
  plansAgain: boolean,
  halts: readonly Halt[],
): Promise<BotStep | undefined> {
  const broker = deps.brokers.get(bot.broker);
  if (!broker) throw new BotHalted(`This server has no broker ${bot.broker}.`);
  const begunAt = deps.clock.now();
  const seen = await seeHalts(deps, bot, halts);
  if (!seen) return undefined;
  const access = accessOf(deps, bot);
  return { deps, broker, access, begunAt, heldUp: new Map(), plansAgain, ...seen };
}

/**
 * The check of a bot whose increases are cancelled: it may have lost too much, and its account is read once none of its orders is
 * open, as before that a fill that is not recorded yet would look like a trade of the owner. Or it is in `error`.
 */
export const withoutIncreases = (step: BotStep): BotStep => ({
  ...step,
  restraint: strictest(step.restraint, { allows: 'closing', because: null }),
});
