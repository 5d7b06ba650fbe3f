import {
  type Bot,
  type BotOrder,
  FOLLOWS_NOTHING,
  type Following,
  type RebalanceOrder,
  type RebalancePlan,
  type Timestamp,
  ZERO,
  advance,
  allowsOrder,
  breachText,
  followedBy,
  id,
  onlyCloses,
  tradingDay,
  withoutFigures,
  isOutstanding,
} from '@slipstream/domain';
import { CHECK_EVERY, POLL_EVERY, afterFailure } from '../bot-schedule.js';
import { saveOrder } from '../bot-deps.js';
import { type BotStep, saveOutcome } from '../bot-step.js';
import { sendAll } from '../broker-orders.js';
import { newToday } from '../limits/envelope.js';
import { restraintOf } from '../restraints/bot-restraint.js';

export const textOf = (notes: readonly string[]): string | null => notes.join(' ') || null;

/** Why the rest of the plan waits, sentence by sentence; nothing when nothing waits. */
export const waitsText = ({
  waitsFor,
  blocked,
}: Pick<RebalancePlan, 'waitsFor' | 'blocked'>): readonly string[] => [
  ...(blocked === null ? [] : [blocked]),
  ...(waitsFor.length > 0 ? [`Waits until ${waitsFor.join(', ')} can be traded.`] : []),
];

/** The reason why the bot may send nothing at all; it stands before every other one. */
export const restraintText = ({ restraint }: Pick<BotStep, 'restraint'>): readonly string[] =>
  restraint.allows === 'nothing' && restraint.because !== null ? [restraint.because] : [];

/** A breach is told as long as it stands, also by a bot that has nothing to increase. */
export const breachNote = ({ bot: { breach }, restraint }: BotStep): readonly string[] =>
  breach !== null && restraint.allows === 'closing' ? [breachText(breach)] : [];

const rejectionText = ({ intent, reason }: BotOrder): string =>
  `The broker rejected: ${intent} ${reason ?? ''}`.trim();

/** Names the rejections of a stock for one reason: its owner is notified of one of them a day. */
const rejectionOf = ({ stockId, reason }: BotOrder): string =>
  `rejected|${stockId}|${withoutFigures(reason ?? '')}`;

/** Decides the next step from the results of the orders that were open. */
export async function afterOrders(step: BotStep, orders: readonly BotOrder[]): Promise<void> {
  const { deps, bot } = step;
  const now = deps.clock.now();
  const open = orders.filter(isOutstanding);
  const rejected = orders.filter(({ status }) => status === 'rejected');
  if (open.length > 0) {
    await saveOutcome(deps, bot, (current) => ({
      ...(current.status === 'stopping' ? current : advance(current, 'trade')),
      nextRunAt: now + POLL_EVERY,
      statusReason: textOf([
        ...restraintText(step),
        `${open.length} of its orders are open at the broker.`,
      ]),
    }));
  } else if (rejected.length > 0) {
    const told = rejected.map((order) => [rejectionOf(order), rejectionText(order)] as const);
    const text = told.map(([, sentence]) => sentence).join(' ');
    const { texts, noticesOfDay } = newToday(bot, tradingDay(bot.type, now), new Map(told));
    await saveOutcome(
      deps,
      bot,
      (current) => ({ ...afterFailure(advance(current, 'wait'), now, text), noticesOfDay }),
      texts.length > 0 ? { kind: 'warning', text: texts.join(' ') } : undefined,
    );
  } else if (bot.attempts > 0 || bot.nextRunAt === null || bot.nextRunAt > now) {
    await saveOutcome(deps, bot, (current) => ({ ...current, nextRunAt: now, attempts: 0 }));
  }
}

/** The planned orders as the bot's next cycle, with the trades that they follow. */
export function intentsOf(
  { deps, bot, begunAt }: BotStep,
  planned: readonly RebalanceOrder[],
  following: Following = FOLLOWS_NOTHING,
): BotOrder[] {
  const now = deps.clock.now();
  const cycle = bot.cycle + 1;
  return planned.map(({ stockId, action, amount, price, limit, intent, kind }): BotOrder => ({
    id: id(deps.fingerprints.of(bot.id, String(cycle), `${stockId}|${action}`)),
    botId: bot.id,
    cycle,
    stockId,
    action,
    amount,
    limitPrice: limit,
    closes: onlyCloses({ kind }),
    intent,
    ...followedBy(following, stockId),
    plannedPrice: price,
    status: 'new',
    filledAmount: ZERO,
    filledPrice: null,
    fee: null,
    reason: null,
    // It is in the shares of then, however long the plan took.
    createdAt: begunAt,
    updatedAt: now,
  }));
}

/** Stores the intents, then sends them to the broker (contract 4). */
export async function trade(
  step: BotStep,
  planned: readonly RebalanceOrder[],
  found: Partial<Bot>,
): Promise<void> {
  const { deps, bot } = step;
  const now = deps.clock.now();
  const cycle = bot.cycle + 1;
  const orders = intentsOf(step, planned, found.following);
  let areStored = false;
  const trading = await saveOutcome(deps, bot, async (current, stores) => {
    const restraint = await restraintOf(stores, current);
    areStored = orders.every((order) => allowsOrder(restraint, current, order));
    // Restrained since the plan was made: the next check plans again.
    if (!areStored) return { ...current, nextRunAt: now };
    for (const order of orders) await saveOrder(stores, order);
    return { ...advance(current, 'trade'), ...found, cycle, nextRunAt: now };
  });
  if (!trading || !areStored) return;
  const next = { ...step, bot: trading };
  await afterOrders(next, await sendAll(next, orders));
}

/** Waits for the next check; `wakesAt` may be earlier. */
export const wait = (
  { deps, bot }: BotStep,
  found: Partial<Bot>,
  wakesAt: Timestamp | null = null,
) =>
  saveOutcome(deps, bot, (current) => ({
    ...advance(current, 'wait'),
    ...found,
    attempts: 0,
    nextRunAt: Math.min(deps.clock.now() + CHECK_EVERY, wakesAt ?? Number.MAX_SAFE_INTEGER),
  }));
