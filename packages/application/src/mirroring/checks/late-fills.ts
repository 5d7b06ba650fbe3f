import {
  type Bot,
  type BotOrder,
  type BrokerAccount,
  type Decimal,
  type HeldParts,
  type StockId,
  decimal,
  hasPassed,
  isOfPresentAccount,
  isOutstanding,
  sum,
  tradingDay,
  ZERO,
} from '@slipstream/domain';
import { AccountUnsettled, type ReadStores } from '@slipstream/ports';
import type { BotStep } from '../bot-step.js';
import { recordAnswer, toldOf } from '../broker-orders.js';

/** A fill should be in the account, and told, by then. */
const SHOWN_AFTER = 60_000;
/** Orders that are older have no new fills. */
const ORDERS_LAST = 300_000;

/** No fee that is taken out of the coins that are bought is a larger part of them. Stocks arrive whole. */
export const LARGEST_FEE = decimal('0.02');

/** A reading of the account beside the bot's part and its orders of the last minutes. */
interface Seen {
  readonly held: ReadonlyMap<StockId, Decimal>;
  readonly heldParts: HeldParts;
  readonly orders: readonly BotOrder[];
  readonly isRecent: (order: BotOrder) => boolean;
}

async function seenBy(
  { deps, bot }: BotStep,
  { bots, botOrders }: Pick<ReadStores, 'bots' | 'botOrders'>,
  account: BrokerAccount,
): Promise<Seen> {
  const now = deps.clock.now();
  const shown = [...account.positions, ...(account.unpriced ?? [])];
  // From the same moment as the orders of the day, which are read next: they are in memory then.
  const from = Math.min(now - ORDERS_LAST, tradingDay(bot.type, now));
  return {
    held: new Map(shown.map(({ stockId, amount }) => [stockId, amount])),
    heldParts: (await bots.find(bot.id))?.heldParts ?? bot.heldParts,
    orders: (await botOrders.since(bot.id, from)).filter(
      (order) => order.createdAt >= now - ORDERS_LAST && isOfPresentAccount(bot, order),
    ),
    isRecent: ({ updatedAt }) => !hasPassed(SHOWN_AFTER, updatedAt, now),
  };
}

/** How much less (negative: more) of the stock is in the account than is known of it. */
function lackOf({ held, heldParts }: Seen, stockId: StockId): Decimal {
  const { kept, own } = heldParts.get(stockId) ?? { kept: ZERO, own: ZERO };
  return kept.plus(own).minus(held.get(stockId) ?? ZERO);
}

/**
 * Refuses a reading that lacks fills of recent orders, or a part of them: it is older than the answers that told them. Taken as true,
 * the bot would buy once more, and what it bought would count as the owner's.
 * @throws {AccountUnsettled} for at most a minute after the fill.
 */
function requireFills({ type }: Pick<Bot, 'type'>, seen: Seen): void {
  const recent = seen.orders.filter(seen.isRecent);
  for (const stockId of new Set(recent.map((order) => order.stockId))) {
    const lacks = lackOf(seen, stockId);
    const action = lacks.gt(ZERO) ? 'buy' : 'sell';
    const alike = recent.filter((order) => order.stockId === stockId && order.action === action);
    const filled = sum(alike.map(({ filledAmount }) => filledAmount));
    // The fees of those before are out of the bot's part since.
    const seenAt = seen.heldParts.get(stockId)?.seenAt ?? 0;
    const unseen = alike.filter(({ updatedAt }) => type !== 'stock' && updatedAt >= seenAt);
    const fees = sum(unseen.map(({ filledAmount }) => filledAmount)).times(LARGEST_FEE);
    if (lacks.abs().gt(fees) && lacks.abs().lte(filled))
      throw new AccountUnsettled('the account does not show the last fill yet');
  }
}

/** The orders that ended without all of their fills, and of which the account may have more than they told. */
function mayHaveFilledMore({ heldUp }: BotStep, seen: Seen): readonly BotOrder[] {
  const leftOf = ({ amount, filledAmount }: BotOrder): Decimal => amount.minus(filledAmount);
  const ended = seen.orders.filter(
    (order) => !isOutstanding(order) && order.status !== 'planned' && leftOf(order).gt(ZERO),
  );
  return ended.filter(({ stockId, action }) => {
    const more = ZERO.minus(lackOf(seen, stockId));
    const alike = ended.filter((order) => order.stockId === stockId && order.action === action);
    const isThatWay = action === 'buy' ? more.gt(ZERO) : more.lt(ZERO);
    return isThatWay && !heldUp.has(stockId) && more.abs().lte(sum(alike.map(leftOf)));
  });
}

/**
 * Asks for them once more: brokers tell some fills after the end of their order. Not known, they would count as the owner's, and the bot
 * would buy them again.
 * @throws {AccountUnsettled} for at most a minute after the end, while they tell nothing new.
 */
async function askAgain(
  step: BotStep,
  orders: readonly BotOrder[],
  isRecent: Seen['isRecent'],
): Promise<void> {
  const found = await toldOf(step, orders);
  const learnt: BotOrder[] = [];
  for (const order of orders) {
    const answer = found.get(order.id);
    if (answer?.filledAmount.gt(order.filledAmount))
      learnt.push(await recordAnswer(step, order, answer));
  }
  if (learnt.length > 0 ? learnt.some(isOutstanding) : orders.some(isRecent))
    throw new AccountUnsettled('the account shows more than the last orders tell');
}

/** What `compare` says of the reading, once the account and the bot's orders tell of the same fills. */
export async function besideItsFills<T>(
  step: BotStep,
  account: BrokerAccount,
  compare: (stores: ReadStores) => Promise<T>,
): Promise<T> {
  const { unitOfWork } = step.deps;
  const first = await unitOfWork.read(async (stores) => {
    const seen = await seenBy(step, stores, account);
    const late = mayHaveFilledMore(step, seen);
    if (late.length > 0) return { late, isRecent: seen.isRecent };
    requireFills(step.bot, seen);
    return { late, compared: await compare(stores) };
  });
  if ('compared' in first) return first.compared;
  await askAgain(step, first.late, first.isRecent);
  return unitOfWork.read(async (stores) => {
    requireFills(step.bot, await seenBy(step, stores, account));
    return compare(stores);
  });
}
