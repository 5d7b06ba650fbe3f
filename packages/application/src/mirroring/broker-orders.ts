import {
  type Bot,
  type BotOrder,
  type Decimal,
  ZERO,
  NEVER_REACHED,
  OVERTAKEN,
  TRANSIT,
  allowsOrder,
  hasPassed,
  isSamePrice,
  max,
  withFill,
  watchedFill,
} from '@slipstream/domain';
import { type BrokerOrder, BrokerRateLimited, BrokerRefused, type Stores } from '@slipstream/ports';
import { type BotDeps, saveOrder } from './bot-deps.js';
import { type Resized, inNewShares, inSharesOf, splitsOf } from './history/splits.js';
import { latchByQuotes } from './limits/losses.js';
import { endedStrategies } from './mirrored-strategies.js';
import { restraintOf } from './restraints/bot-restraint.js';
import { isOvertaken } from './restraints/overtaken.js';
import { stockForbids } from './restraints/stock-now.js';
import { DOUBT_LASTS, INTENT_LASTS, OPEN_ORDER_LASTS } from './bot-schedule.js';
import { DRY_RUN } from './trial/dry-run.js';
import { BotHalted, type BotStep, isUnchanged } from './bot-step.js';

type Found = Partial<
  Pick<BotOrder, 'amount' | 'status' | 'filledAmount' | 'filledPrice' | 'fee' | 'reason'>
>;

const isSame = (one: Decimal | null, other: Decimal | null): boolean =>
  one === null || other === null ? one === other : one.eq(other);

/** Whether the order looks different to its owner. */
const isNews = (before: BotOrder, after: BotOrder): boolean =>
  before.status !== after.status ||
  before.reason !== after.reason ||
  !isSame(before.amount, after.amount) ||
  !isSame(before.filledAmount, after.filledAmount) ||
  !isSame(before.filledPrice, after.filledPrice) ||
  !isSame(before.fee, after.fee);

/** Saves the order's new state; its new fills are the bot's part of the holding, in the same transaction. So is a split that changed it. */
async function record(
  { unitOfWork, clock, losses }: Pick<BotDeps, 'unitOfWork' | 'clock' | 'losses'>,
  order: BotOrder,
  found: Found,
  resized?: Resized,
): Promise<BotOrder> {
  const now = clock.now();
  const next: BotOrder = { ...order, ...found, updatedAt: now };
  const before = resized?.before ?? order;
  const more = next.filledAmount.minus(before.filledAmount);
  const filled = order.action === 'buy' ? more : ZERO.minus(more);
  const worth = (part: Pick<BotOrder, 'filledAmount' | 'filledPrice'>): Decimal =>
    part.filledAmount.times(part.filledPrice ?? ZERO);
  const cost = worth(next).minus(worth(before));
  const paid = order.action === 'buy' ? cost : ZERO.minus(cost);
  // First shares far from the price of the plan are of after a split that the broker has alone: it is in them when it is booked here.
  const isOfNewShares = ({ heldParts }: Bot): boolean => {
    const [price, planned] = [next.filledPrice, order.plannedPrice];
    if (heldParts.has(order.stockId) || !price || !planned) return false;
    return !isSamePrice(price, { bid: planned, ask: planned });
  };
  const keep = async (stores: Stores): Promise<Bot | undefined> => {
    const { bots } = stores;
    // Answers that tell nothing new are not published.
    if (isNews(order, next)) await saveOrder(stores, next);
    else await stores.botOrders.save(next);
    if (filled.eq(ZERO) && !resized) return undefined;
    const bot = await bots.find(order.botId);
    if (!bot) return undefined;
    const { stockId } = order;
    const { heldParts, lossWatch } = resized ? inSharesOf(resized, bot) : bot;
    const changed = filled.eq(ZERO)
      ? { ...bot, heldParts, lossWatch }
      : {
          ...bot,
          // Its amount was in shares of its last answer: a split since is still to be applied.
          heldParts: withFill(heldParts, stockId, {
            filled,
            at:
              resized?.splits.at(-1)?.at ?? (isOfNewShares(bot) ? now + TRANSIT : order.updatedAt),
          }),
          lossWatch: lossWatch && watchedFill(lossWatch, stockId, { filled, paid }),
        };
    await bots.save(changed);
    return changed;
  };
  await unitOfWork.run(keep, { onCommit: (saved) => saved && losses.put(saved) });
  return next;
}

/** Stores the broker's answer. The filled amount never falls, in whatever order answers arrive, but by a split. */
export async function recordAnswer(
  { deps }: BotStep,
  order: BotOrder,
  { amount, status, filledAmount, filledPrice, fee, reason }: BrokerOrder,
): Promise<BotOrder> {
  const splits = await splitsOf(deps, order, amount);
  const before = splits.length > 0 ? inNewShares(order, splits) : order;
  const found = {
    // Its owner may have replaced it at the broker by one over another amount.
    amount,
    status,
    filledAmount: max(before.filledAmount, filledAmount),
    filledPrice: filledPrice ?? before.filledPrice,
    fee: fee ?? order.fee,
    reason,
  };
  const next = await record(deps, order, found, splits.length > 0 ? { before, splits } : undefined);
  if (next.filledAmount.lte(next.amount)) return next;
  throw new BotHalted(`The broker filled more of order ${order.id} than was asked for.`);
}

/** Whether the order belongs to what the bot does now. */
const isPlanned = (order: BotOrder, { cycle, status }: Pick<Bot, 'cycle' | 'status'>): boolean =>
  order.cycle === cycle && (status === 'rebalancing' || status === 'closing');

/** What becomes of an intent: it is sent, or left to the next check of a bot that a command changed, or never sent. */
type Verdict = 'send' | 'leave' | { readonly because: string };

/** Judges the intent by what is committed now. */
const judge = ({ deps, bot, plansAgain }: BotStep, order: BotOrder): Promise<Verdict> =>
  deps.unitOfWork.read(async (stores) => {
    const current = await stores.bots.find(bot.id);
    if (!current) return { because: NEVER_REACHED };
    if (current.dryRun) return { because: `Not sent. ${DRY_RUN}` };
    const restraint = await restraintOf(stores, current);
    if (!allowsOrder(restraint, current, order)) {
      const because = restraint.because ?? 'The lists of the bot leave the stock out.';
      return { because: `Not sent. ${because}` };
    }
    const [ended] = order.closes ? [] : await endedStrategies(stores, current, deps.clock);
    if (ended) return { because: `Not sent. The bot may no longer mirror ${ended.called}.` };
    if (!isUnchanged(bot, current))
      return isPlanned(order, current) ? 'leave' : { because: NEVER_REACHED };
    if (await isOvertaken(stores, current, order, plansAgain)) return { because: OVERTAKEN };
    const because = await stockForbids(deps, stores, current, order);
    return because === null ? 'send' : { because: `Not sent. ${because}` };
  });

/** Sends a stored intent, unless the bot may not any more. After an inconclusive answer it is `unknown`, and is refreshed later. */
async function send(step: BotStep, order: BotOrder): Promise<BotOrder> {
  const { deps, broker, access } = step;
  const { id: clientOrderId, stockId, action, amount, limitPrice, closes } = order;
  const stock = deps.instruments.find(stockId);
  if (!stock) throw new BotHalted(`This server has no stock ${stockId} any more.`);
  // The last step before the broker: a halt, a command, an end of access and a loss by the quotes of now are obeyed.
  let verdict = await judge(step, order);
  if (verdict === 'send' && !closes && (await latchByQuotes(deps, step.bot)))
    verdict = await judge(step, order);
  if (verdict === 'leave') return order;
  if (verdict !== 'send')
    return record(deps, order, { status: 'cancelled', reason: verdict.because });
  let answer: BrokerOrder;
  try {
    const limit = limitPrice;
    answer = await broker.place(access, { clientOrderId, stock, action, amount, limit, closes });
  } catch (error) {
    if (error instanceof BrokerRefused) {
      await record(deps, order, { status: 'cancelled', reason: 'The broker refused access.' });
    } else if (!(error instanceof BrokerRateLimited)) {
      await record(deps, order, { status: 'unknown', reason: 'The broker gave no clear answer.' });
    }
    throw error;
  }
  return recordAnswer(step, order, answer);
}

/** Sends the intents one after another. What a command that changes the bot meanwhile leaves was surely not sent: it is withdrawn. */
export async function sendAll(step: BotStep, orders: readonly BotOrder[]): Promise<BotOrder[]> {
  const sent: BotOrder[] = [];
  for (const order of orders) sent.push(await send(step, order));
  return sent;
}

/** The same for an intent of an earlier check. */
async function judgeAgain(step: BotStep, order: BotOrder): Promise<Verdict> {
  const { deps, bot, restraint } = step;
  const isOld = hasPassed(INTENT_LASTS, order.createdAt, deps.clock.now());
  if (isOld || !isPlanned(order, bot) || !allowsOrder(restraint, bot, order))
    return { because: NEVER_REACHED };
  return judge(step, order);
}

/**
 * Handles an order that the broker does not show. One that it may have received stays in doubt for a while: brokers show some orders
 * late, and one that was written off too early would fill as if its owner had placed it. After a crash that is also true of a new one:
 * the process may have ended between sending it and storing the answer.
 */
async function handleMissingOrder(step: BotStep, order: BotOrder): Promise<BotOrder> {
  const { deps } = step;
  // Its answer came while the clock was ahead: the doubt begins anew.
  if (order.updatedAt > deps.clock.now()) return record(deps, order, {});
  const isRecent = deps.clock.now() - order.updatedAt < DOUBT_LASTS;
  if (order.status === 'open') {
    const gone = { status: 'cancelled', reason: 'The broker no longer knows it.' } as const;
    return isRecent ? order : record(deps, order, gone);
  }
  const verdict = await judgeAgain(step, order);
  if (verdict === 'send') return send(step, order);
  if (verdict === 'leave' || isRecent) return order;
  const { because } = verdict;
  const isNew = order.status === 'new' || because !== OVERTAKEN;
  return record(deps, order, { status: 'cancelled', reason: isNew ? because : NEVER_REACHED });
}

/** What the broker tells of these orders. */
export const toldOf = (
  { broker, access }: Pick<BotStep, 'broker' | 'access'>,
  orders: readonly BotOrder[],
): Promise<ReadonlyMap<string, BrokerOrder>> =>
  broker.find(
    access,
    orders.map(({ id }) => id),
    Math.min(...orders.map(({ createdAt }) => createdAt)),
  );

/**
 * Asks for the cancellation of every order, also after one of them failed. One that goes unanswered is asked for again: its order is
 * open until the broker says otherwise.
 */
async function cancelEach({ broker, access }: BotStep, orders: readonly BotOrder[]): Promise<void> {
  let failure: Error | undefined;
  for (const { id } of orders) {
    try {
      await broker.cancel(access, id);
    } catch (error) {
      const isAnswer = error instanceof BrokerRefused || error instanceof BrokerRateLimited;
      if (isAnswer) failure ??= error;
    }
  }
  if (failure) throw failure;
}

/** The increases among them that the trades of the strategies made wrong. */
const overtaken = (
  { deps, bot, plansAgain }: BotStep,
  orders: readonly BotOrder[],
): Promise<ReadonlySet<BotOrder>> =>
  deps.unitOfWork.read(async (stores) => {
    const found = new Set<BotOrder>();
    for (const order of orders)
      if (!order.closes && (await isOvertaken(stores, bot, order, plansAgain))) found.add(order);
    return found;
  });

/**
 * Refreshes the orders of earlier steps whose state is uncertain: all are asked for at once, before any other action. Those
 * that wait for too long, whose bot stops or may not trade, or that increase and were planned by other settings or overtaken by a trade, are
 * cancelled and asked for again.
 */
export async function refreshOrders(
  step: BotStep,
  orders: readonly BotOrder[],
): Promise<BotOrder[]> {
  const { deps, bot, restraint } = step;
  const now = deps.clock.now();
  const wrong = await overtaken(step, orders);
  const isUnwanted = (order: BotOrder): boolean =>
    bot.status === 'stopping' ||
    wrong.has(order) ||
    hasPassed(OPEN_ORDER_LASTS, order.createdAt, now) ||
    (order.cycle !== bot.cycle && !order.closes) ||
    !allowsOrder(restraint, bot, order);
  let found: ReadonlyMap<string, BrokerOrder>;
  try {
    found = await toldOf(step, orders);
  } catch (error) {
    // A halt does not wait until the broker can tell of every order.
    await cancelEach(step, orders.filter(isUnwanted)).catch(() => undefined);
    throw error;
  }
  const unwanted = orders.filter((order) => {
    const known = found.get(order.id);
    return known?.status === 'open' && !known.cancelling && isUnwanted(order);
  });
  await cancelEach(step, unwanted);
  const after = unwanted.length > 0 ? await toldOf(step, unwanted) : new Map<string, BrokerOrder>();
  const refreshed: BotOrder[] = [];
  for (const order of orders) {
    const answer = after.get(order.id) ?? found.get(order.id);
    refreshed.push(
      answer ? await recordAnswer(step, order, answer) : await handleMissingOrder(step, order),
    );
  }
  return refreshed;
}
