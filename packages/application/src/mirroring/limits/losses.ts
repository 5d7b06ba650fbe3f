import {
  type AccountReading,
  type Bot,
  type Breach,
  type BrokerAccount,
  type BrokerPosition,
  type Decimal,
  type EstimatedLoss,
  type HeldParts,
  type KeptShorts,
  type Splits,
  type Market,
  type Stock,
  type StockId,
  type Timestamp,
  type WatchedHolding,
  ZERO,
  breachBy,
  breachText,
  estimateLoss,
  isTooWide,
  lastEquity,
  limitsLosses,
  ownPart,
  seeAccount,
  splitLike,
  tradingDay,
  valuationPrice,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import { settlementsFor, splitsFor } from '../history/splits.js';
import { isWatched } from './loss-index.js';
import { type BotDeps, notifyOwner, saveChanged } from '../bot-deps.js';
import { stopping } from '../bot-schedule.js';

type PriceDeps = Pick<BotDeps, 'settings'>;

/** The price to judge a loss by: bid or ask of a fresh quote whose spread is not too wide. */
const fairPrice =
  ({ settings }: PriceDeps, bot: Bot, market: Market<Stock>) =>
  (stockId: StockId, amount: Decimal): Decimal | undefined => {
    const [stock, quote] = [market.stock(stockId), market.freshQuote(stockId)];
    if (!stock || !quote?.bid.gt(ZERO)) return undefined;
    if (isTooWide(quote, bot.maxSpread ?? settings.maxSpread[stock.security])) return undefined;
    return valuationPrice(amount, quote);
  };

type LossDeps = Pick<BotDeps, 'settings' | 'market' | 'clock'>;

/** A breach by the prices of now, without asking the broker. */
function estimatedBreach(
  deps: LossDeps,
  bot: Bot,
  splits: Splits,
): { readonly breach: Breach; readonly isSure: EstimatedLoss['isSure'] } | undefined {
  if (!isWatched(bot) || !bot.lossWatch) return undefined;
  const now = deps.clock.now();
  const priceOf = fairPrice(deps, bot, deps.market());
  const loss = estimateLoss(bot.lossWatch, { priceOf, splits, day: tradingDay(bot.type, now) });
  const breach = breachBy(bot.limits, loss, now);
  return breach ? { breach, isSure: loss.isSure } : undefined;
}

/** The bot once the breach stands: due at once, and stopping if it closes on a breach. */
function breached(bot: Bot, breach: Breach, now: Timestamp): Bot {
  const latched = {
    ...bot,
    breach,
    nextRunAt: bot.status === 'error' ? bot.nextRunAt : now,
  };
  if (bot.onBreach !== 'close' || bot.condition !== 'active') return latched;
  return { ...stopping(latched, now, true), stopReason: breachText(breach) };
}

const WHAT_FOLLOWS = {
  reduce_only: 'It only reduces',
  hold: 'It sends no order',
  close: 'It closes its positions and is off',
} as const satisfies Record<Bot['onBreach'], string>;

/** Latches the breach in the transaction that found it: told exactly once, kept over every crash. */
async function latch(
  deps: Pick<BotDeps, 'clock' | 'ids'>,
  stores: Stores,
  bot: Bot,
  breach: Breach,
): Promise<Bot> {
  const now = deps.clock.now();
  const next = { ...breached(bot, breach, now), updatedAt: now };
  await saveChanged(stores, next);
  const text = `${breachText(breach)} ${WHAT_FOLLOWS[bot.onBreach]} until you acknowledge it (resetBot with acknowledge_breach).`;
  await notifyOwner(deps, stores, next, { kind: 'warning', text });
  return next;
}

/** How soon after a reading an estimate that is not sure asks for the next one. */
const CONFIRM_AFTER = 5_000;

/**
 * Latches a breach that the quotes of now show. Where a price may be another share's, the account is to be read first: then the
 * bot is due at once. Returns whether the bot's breach was latched now.
 */
export async function latchByQuotes(deps: BotDeps, bot: Bot): Promise<boolean> {
  if (!estimatedBreach(deps, bot, new Map())) return false;
  const now = deps.clock.now();
  const judge = async (stores: Stores): Promise<Bot | undefined> => {
    const current = await stores.bots.find(bot.id);
    if (!current) return undefined;
    const splits = await splitsFor(stores, current);
    const found = estimatedBreach(deps, current, splits);
    if (!found) return current;
    if (found.isSure) return latch(deps, stores, current, found.breach);
    const nextRunAt = Math.max(now, (current.lossWatch?.readAt ?? now) + CONFIRM_AFTER);
    const isSoon = current.nextRunAt !== null && current.nextRunAt <= nextRunAt;
    if (isSoon || current.status === 'error' || current.attempts > 0) return current;
    const due = { ...current, nextRunAt };
    await stores.bots.save(due);
    return due;
  };
  const saved = await deps.unitOfWork.run(judge, {
    onCommit: (found) => (found ? deps.losses.put(found) : deps.losses.remove(bot.id)),
  });
  return bot.breach === null && saved?.breach !== null && saved !== undefined;
}

const BOTS_AT_ONCE = 50;

/**
 * Judges the losses of the bots that hold a stock which was quoted since the last check. Answers those that breached a limit. One that
 * fails is judged again by the next call, and keeps no other bot from its limit.
 */
export async function checkLosses(deps: BotDeps): Promise<readonly Bot[]> {
  const breached: Bot[] = [];
  const failed: Bot[] = [];
  let failure: unknown;
  for (const [index, bot] of deps.losses.takeQuoted().entries()) {
    if (index % BOTS_AT_ONCE === BOTS_AT_ONCE - 1) await deps.pause();
    try {
      if (await latchByQuotes(deps, bot)) breached.push(bot);
    } catch (error) {
      failure ??= error;
      failed.push(bot);
    }
  }
  if (failed.length > 0) {
    const held = failed.flatMap(({ lossWatch }) => [...(lossWatch?.holdings.keys() ?? [])]);
    deps.losses.quotesChanged(held.map((stockId) => ({ stockId })));
    const fields = { bots: failed.length, error: String(failure) };
    deps.log.error(fields, 'could not judge the losses of bots');
  }
  return breached;
}

/** A reading of an account, as far as losses need it. */
export interface ReadAccount {
  /** The bot's part: kept positions are excluded. */
  readonly account: BrokerAccount;
  /** Of the holdings at this moment. */
  readonly parts: HeldParts;
  /** Stocks whose amounts and quotes belong to different shares. */
  readonly inTransit: ReadonlySet<StockId>;
  /** The cash (never positive) that trades by hand took from the bot, at the prices of this reading. */
  readonly takenByHand: Decimal;
  /** What is kept since the reading before, and its price. */
  readonly cameToKept: AccountReading['cameToKept'];
  readonly keptShorts: KeptShorts;
}

/** What was booked here of the stocks that a bot holds or held. */
export interface Booked {
  readonly splits: Splits;
  /** The prices at which holdings in delisted stocks were settled. */
  readonly settled: ReadonlyMap<StockId, Decimal>;
}

/** What was booked since the bot last saw its stocks. */
export const bookedFor = async (
  deps: Pick<BotDeps, 'market'>,
  stores: Pick<ReadStores, 'stockActions'>,
  bot: Bot,
): Promise<Booked> => ({
  splits: await splitsFor(stores, bot),
  settled: await settlementsFor(stores, bot, deps.market()),
});

/**
 * The price to judge a holding by when its broker shows a first price of the day that looks like a split, of as many shares as before:
 * the last known one, because its worth is not known.
 */
function priceInDoubt(
  { clock, market }: LossDeps,
  { lossWatch }: Bot,
  { stockId, amount, price }: BrokerPosition,
): Decimal | undefined {
  const [quote, known] = [market().quote(stockId), lossWatch?.holdings.get(stockId)];
  if (!quote || !known || quote.at >= tradingDay('stock', clock.now())) return undefined;
  const isUnclear = known.amount.eq(amount) && splitLike(quote, { bid: price, ask: price });
  return isUnclear ? known.price : undefined;
}

/** The bot's part of its account, as losses are measured by. */
export function readingOf(
  deps: LossDeps,
  bot: Bot,
  { account, parts, inTransit, takenByHand, cameToKept, keptShorts }: ReadAccount,
  { splits, settled }: Booked,
): Omit<AccountReading, 'activities'> {
  const now = deps.clock.now();
  const priceOf = fairPrice(deps, bot, deps.market());
  const holdings = account.positions.map((position): [StockId, WatchedHolding] => {
    const { stockId, amount, price } = position;
    if (!inTransit.has(stockId))
      return [stockId, { amount, price: priceOf(stockId, amount) ?? price }];
    return [stockId, { amount, price: priceInDoubt(deps, bot, position) ?? price }];
  });
  return {
    at: now,
    day: tradingDay(bot.type, now),
    cash: account.cash,
    holdings: new Map(holdings),
    priceOf: (stockId, amount) => settled.get(stockId) ?? priceOf(stockId, amount),
    isInTransit: (stockId) => inTransit.has(stockId),
    splits,
    ownPartOf: (stockId) => ownPart(parts.get(stockId)),
    takenByHand,
    cameToKept,
    keptShorts,
  };
}

/** Whether losses of the bot are measured, also while none of them is limited: turning a limit off and on forgets none. */
export const measuresLosses = ({ limits, lossWatch }: Bot): boolean =>
  limitsLosses(limits) || lossWatch !== null;

/** The bot once its account was read. */
export interface JudgedReading {
  readonly bot: Bot;
  /** What came in less what went out since the reading before; null when it is not measured. */
  readonly flow: Decimal | null;
}

/**
 * The bot once its account was read: losses are measured anew, and one that passes a limit is latched. Part of the transaction
 * that keeps the reading. `activities` is the broker's report, if it was needed.
 */
export async function judgeReading(
  deps: BotDeps,
  stores: Stores,
  bot: Bot,
  managed: ReadAccount & { readonly activities: AccountReading['activities'] },
): Promise<JudgedReading> {
  if (!measuresLosses(bot)) return { bot, flow: null };
  const reading = readingOf(deps, bot, managed, await bookedFor(deps, stores, bot));
  const seen = seeAccount(bot.lossWatch, { ...reading, activities: managed.activities });
  const judged = { ...bot, lossWatch: seen.watch };
  const breach =
    bot.breach === null && bot.status !== 'off' ? breachBy(bot.limits, seen, reading.at) : null;
  const flow = bot.lossWatch && lastEquity(reading).minus(seen.equity);
  return { bot: breach ? await latch(deps, stores, judged, breach) : judged, flow };
}

/** Whether the quotes of now would breach a limit if their prices are right: then the account is read before anything else. */
export const needsReading = async (deps: BotDeps, bot: Bot): Promise<boolean> => {
  if (!estimatedBreach(deps, bot, new Map())) return false;
  const splits = await deps.unitOfWork.read((stores) => splitsFor(stores, bot));
  return estimatedBreach(deps, bot, splits) !== undefined;
};
