import type { Bot } from '@slipstream/domain';
import { Ended } from '../../housekeeping/ended.js';
import { beginStep, withoutIncreases } from './begin-step.js';
import type { BotDeps } from '../bot-deps.js';
import { retryAt } from '../bot-schedule.js';
import { outstandingOrders, saveOutcome } from '../bot-step.js';
import { refreshOrders } from '../broker-orders.js';
import { haltsOf } from '../restraints/halts.js';

/** Asks for the cancellation of what the bot may not leave open: every increase, and reductions that are old or forbidden. */
async function withdraw(deps: BotDeps, bot: Bot): Promise<void> {
  const { outstanding, halts } = await deps.unitOfWork.read(async (stores) => ({
    outstanding: await stores.botOrders.outstanding(bot.id),
    halts: await haltsOf(stores, bot),
  }));
  const step = outstanding.length > 0 ? await beginStep(deps, bot, true, halts) : undefined;
  if (step) await refreshOrders(withoutIncreases(step), outstanding);
}

/**
 * Withdraws the open orders of a bot in `error`, which does no checks: nobody would look after them. While any is left it is due
 * again, with backoff and over restarts.
 */
export async function withdrawOrders(deps: BotDeps, bot: Bot): Promise<void> {
  try {
    await withdraw(deps, bot);
  } catch (error) {
    if (error instanceof Ended) return;
    const { id: botId } = bot;
    deps.log.warn({ botId, error: String(error) }, 'could not withdraw orders of a bot');
  }
  const left = await outstandingOrders(deps, bot.id);
  if (left.length === 0 && bot.nextRunAt === null) return;
  await saveOutcome(deps, bot, (current) => {
    const attempts = current.attempts + 1;
    const nextRunAt = left.length > 0 ? retryAt(deps.clock.now(), attempts) : null;
    return { ...current, attempts, nextRunAt };
  });
}
