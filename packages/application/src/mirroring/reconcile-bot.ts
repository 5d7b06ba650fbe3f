import { type Bot, advance } from '@slipstream/domain';
import type { BotDeps } from './bot-deps.js';
import { beginStep, withoutIncreases } from './checks/begin-step.js';
import { type BotStep, outstandingOrders, saveOutcome } from './bot-step.js';
import { refreshOrders } from './broker-orders.js';
import { besideOrders, heldUpOrders } from './restraints/held-up-orders.js';
import { close } from './checks/close.js';
import { rebalance } from './checks/rebalance.js';
import { afterOrders } from './checks/trade.js';
import { latchByQuotes, needsReading } from './limits/losses.js';
import { endedStrategies } from './mirrored-strategies.js';

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

const plan = (step: BotStep): Promise<void> =>
  step.bot.condition === 'closing' ? close(step) : rebalance(step);

/** One level-triggered check: refreshes uncertain orders first, then compares, and acts on the difference. */
export async function reconcileBot(deps: BotDeps, bot: Bot, plansAgain: boolean): Promise<void> {
  if (await stopIfAccessEnded(deps, bot)) return;
  if (await latchByQuotes(deps, bot)) return;
  const step = await beginStep(deps, bot, plansAgain);
  if (!step) return;
  const outstanding = await outstandingOrders(deps, bot.id);
  if (outstanding.length === 0) return plan(step);
  const careful = (await needsReading(deps, bot)) ? withoutIncreases(step) : step;
  const orders = await refreshOrders(careful, outstanding);
  const heldUp = heldUpOrders(orders, deps.clock.now());
  return heldUp.length > 0 ? plan(besideOrders(step, heldUp)) : afterOrders(step, orders);
}
