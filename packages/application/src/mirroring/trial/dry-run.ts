import type { Bot, BotOrder } from '@slipstream/domain';
import { type BotNotice, saveOrder } from '../bot-deps.js';
import { type BotStep, saveOutcome } from '../bot-step.js';

const LAST_ORDERS = 100;

/** Said by a bot of a dry run where another one would trade. */
export const DRY_RUN = 'This is a dry run: its orders are planned, nothing is sent.';

const legOf = ({ stockId, action }: BotOrder): string => `${stockId}|${action}`;

/** Whether the last plan had the same orders, whatever the amounts that follow from the prices. */
async function isKnown({ deps, bot }: BotStep, orders: readonly BotOrder[]): Promise<boolean> {
  const stored = await deps.unitOfWork.read(({ botOrders }) =>
    botOrders.list(bot.id, { limit: LAST_ORDERS }),
  );
  const last = stored.filter(({ cycle }) => cycle === bot.cycle).map(legOf);
  return last.length === orders.length && orders.every((order) => last.includes(legOf(order)));
}

/**
 * Stores the orders of a dry run, which are never sent: once, until a check plans other ones. With `isNews` they are stored again,
 * because a mirrored strategy has traded.
 */
export async function keepPlan(
  step: BotStep,
  orders: readonly BotOrder[],
  isNews: boolean,
  change: (current: Bot) => Bot,
  notice?: BotNotice,
): Promise<void> {
  const { deps, bot } = step;
  const isStored = !isNews && (await isKnown(step, orders));
  await saveOutcome(
    deps,
    bot,
    async (current, stores) => {
      const next = change(current);
      if (isStored) return next;
      for (const order of orders) await saveOrder(stores, { ...order, status: 'planned' });
      return { ...next, cycle: bot.cycle + 1 };
    },
    notice,
  );
}
