import type { Bot } from '@slipstream/domain';
import { stopping } from './bot-schedule.js';
import type { BotDeps } from './bot-deps.js';
import { beginStep, withoutIncreases } from './checks/begin-step.js';
import { type BotStep, saveOutcome } from './bot-step.js';
import { refreshOrders } from './broker-orders.js';
import { besideOrders, heldUpOrders } from './restraints/held-up-orders.js';
import { close } from './checks/close.js';
import { rebalance } from './checks/rebalance.js';
import { afterOrders } from './checks/trade.js';
import { latchByQuotes, needsReading } from './limits/losses.js';
import { type EndedMirror, endedStrategies } from './mirrored-strategies.js';
import { haltsOf } from './restraints/halts.js';

/** Stops an active bot whose subscription or strategy ended, as stopBot does. */
export async function stopIfAccessEnded(deps: BotDeps, bot: Bot): Promise<void> {
  const { unitOfWork, clock } = deps;
  const ended = await unitOfWork.read((stores) => endedStrategies(stores, bot, clock));
  await stopIfEnded(deps, bot, ended);
}

/** Stops it if there are any. Returns whether it did. */
async function stopIfEnded(
  deps: BotDeps,
  bot: Bot,
  ended: readonly EndedMirror[],
): Promise<boolean> {
  if (ended.length === 0) return false;
  const now = deps.clock.now();
  const text = ended
    .map(({ called, isOver }) =>
      isOver
        ? `Stops because strategy ${called} is over: its value was at or below zero.`
        : `Stops because it may no longer mirror ${called}.`,
    )
    .join(' ');
  await saveOutcome(
    deps,
    bot,
    (current) => ({ ...stopping(current, now, current.closeOnStop), stopReason: text }),
    { kind: 'warning', text },
  );
  return true;
}

const plan = (step: BotStep): Promise<void> =>
  step.bot.condition === 'closing' ? close(step) : rebalance(step);

/** One level-triggered check: refreshes uncertain orders first, then compares, and acts on the difference. */
export async function reconcileBot(deps: BotDeps, bot: Bot, plansAgain: boolean): Promise<void> {
  const { ended, halts, outstanding } = await deps.unitOfWork.read(async (stores) => ({
    ended: await endedStrategies(stores, bot, deps.clock),
    halts: await haltsOf(stores, bot),
    outstanding: await stores.botOrders.outstanding(bot.id),
  }));
  if (await stopIfEnded(deps, bot, ended)) return;
  if (await latchByQuotes(deps, bot)) return;
  const step = await beginStep(deps, bot, plansAgain, halts);
  if (!step) return;
  if (outstanding.length === 0) return plan(step);
  const careful = (await needsReading(deps, bot)) ? withoutIncreases(step) : step;
  const orders = await refreshOrders(careful, outstanding);
  const heldUp = heldUpOrders(orders, deps.clock.now());
  return heldUp.length > 0 ? plan(besideOrders(step, heldUp)) : afterOrders(step, orders);
}
