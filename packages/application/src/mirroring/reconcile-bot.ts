import { type Bot, advance, strictest } from '@slipstream/domain';
import type { BotDeps } from './bot-deps.js';
import { BotHalted, type BotStep, saveOutcome, outstandingOrders } from './bot-step.js';
import { accessOf } from './broker-access.js';
import { refreshOrders } from './broker-orders.js';
import { close } from './checks/close.js';
import { rebalance } from './checks/rebalance.js';
import { afterOrders } from './checks/trade.js';
import { latchByQuotes, needsReading } from './limits/losses.js';
import { endedStrategies } from './mirrored-strategies.js';
import { seeHalts } from './restraints/see-halts.js';

/** Stops an active bot whose subscription or strategy ended, as stopBot does. Returns whether it did. */
export async function stopIfAccessEnded(deps: BotDeps, bot: Bot): Promise<boolean> {
  if (bot.condition !== 'active') return false;
  const now = deps.clock.now();
  const ended = await deps.unitOfWork.read((stores) => endedStrategies(stores, bot, now));
  if (ended.length === 0) return false;
  const text = ended
    .map(({ strategyId, isOver }) =>
      isOver
        ? `Stops because strategy ${strategyId} is over: its value was at or below zero.`
        : `Stops because it may no longer mirror ${strategyId}.`,
    )
    .join(' ');
  await saveOutcome(
    deps,
    bot,
    (current) => ({
      ...advance(current, 'stop'),
      statusReason: null,
      stopReason: text,
      nextRunAt: now,
      awaitsTradeSince: null,
      closesPositions: current.closeOnStop,
      attempts: 0,
    }),
    { kind: 'warning', text },
  );
  return true;
}

/** A check of the bot, with what restrains it. Undefined when a command changed the bot meanwhile. */
async function beginStep(deps: BotDeps, bot: Bot): Promise<BotStep | undefined> {
  const broker = deps.brokers.get(bot.broker);
  if (!broker) throw new BotHalted(`This server has no broker ${bot.broker}.`);
  const seen = await seeHalts(deps, bot);
  return seen && { deps, broker, access: accessOf(deps, bot), ...seen };
}

/** Cancels the orders that the bot may not have open now. For a bot in `error`, which does no checks. */
export async function withdrawOrders(deps: BotDeps, bot: Bot): Promise<void> {
  const outstanding = await outstandingOrders(deps, bot.id);
  if (outstanding.length === 0) return;
  const step = await beginStep(deps, bot);
  if (step) await refreshOrders(step, outstanding);
}

/**
 * The check of a bot that may have lost too much. Its increases are cancelled, and its account is read once none of its orders is
 * open: before that, a fill that is not recorded yet would look like a trade of the owner.
 */
const withoutIncreases = (step: BotStep): BotStep => ({
  ...step,
  restraint: strictest(step.restraint, { allows: 'closing', because: null }),
});

/** One level-triggered check: refreshes uncertain orders first, then compares, and acts on the difference. */
export async function reconcileBot(deps: BotDeps, bot: Bot): Promise<void> {
  if (await stopIfAccessEnded(deps, bot)) return;
  if (await latchByQuotes(deps, bot)) return;
  const step = await beginStep(deps, bot);
  if (!step) return;
  const outstanding = await outstandingOrders(deps, bot.id);
  if (outstanding.length > 0) {
    const careful = (await needsReading(deps, bot)) ? withoutIncreases(step) : step;
    return afterOrders(step, await refreshOrders(careful, outstanding));
  }
  return bot.condition === 'closing' ? close(step) : rebalance(step);
}
