import {
  type Bot,
  type BotOrder,
  type Decimal,
  type Splits,
  type StockAction,
  type StockId,
  type StockSplit,
  TRANSIT,
  splitAmount,
  splitPrice,
  splitRatio,
  watchedSplit,
  withSplit,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { BotDeps } from '../bot-deps.js';

/** These splits, which come oldest first, by their stocks. */
export function splitsBy(splits: readonly StockAction[]): Splits {
  const found = new Map<StockId, StockSplit[]>();
  for (const split of splits) {
    const one = { ratio: splitRatio(split), at: split.createdAt };
    found.set(split.stockId, [...(found.get(split.stockId) ?? []), one]);
  }
  return found;
}

/**
 * The last split of every stock that was ever split, and those before it since the bot last saw the stock: it may have been off for
 * more than one.
 */
export async function splitsFor(
  { stockActions }: Pick<ReadStores, 'stockActions'>,
  { heldParts, lossWatch }: Pick<Bot, 'heldParts' | 'lossWatch'>,
): Promise<Splits> {
  const last = await stockActions.lastSplits();
  const found: StockAction[] = [];
  for (const split of last) {
    const { stockId, createdAt } = split;
    const watched = lossWatch?.holdings.has(stockId) ? [lossWatch.readAt - TRANSIT] : [];
    const from = Math.min(heldParts.get(stockId)?.seenAt ?? createdAt, ...watched);
    const isMissed = from < createdAt;
    const since = isMissed ? await stockActions.ofStock(stockId, from) : [split];
    found.push(...since.filter(({ kind }) => kind === 'split'));
  }
  return splitsBy(found);
}

/** An order that a split changed at its broker, in new shares as it was before the answer. */
export interface Resized {
  readonly before: BotOrder;
  readonly split: StockAction;
}

/** What is known of the bot's holding, in new shares. */
export function inSharesOf(
  { stockId, createdAt, ...split }: StockAction,
  { heldParts, lossWatch }: Bot,
): Pick<Bot, 'heldParts' | 'lossWatch'> {
  const made = { ratio: splitRatio(split), at: createdAt };
  return {
    heldParts: withSplit(heldParts, stockId, made),
    lossWatch: lossWatch && watchedSplit(lossWatch, stockId, made),
  };
}

/**
 * The split that made an open order one over another amount; undefined when the broker has it as it was asked for. It came after the
 * order, or its ratio makes exactly that amount: the clock may have been set back between the two.
 */
export async function splitOf(
  { unitOfWork }: Pick<BotDeps, 'unitOfWork'>,
  { stockId, amount, createdAt }: BotOrder,
  answered: Decimal,
): Promise<StockAction | undefined> {
  if (answered.eq(amount)) return undefined;
  const splits = await unitOfWork.read(({ stockActions }) => stockActions.lastSplits());
  return splits.find(
    (split) =>
      split.stockId === stockId &&
      (split.createdAt >= createdAt || splitAmount(amount, splitRatio(split)).amount.eq(answered)),
  );
}

/** The order in new shares. */
export function inNewShares(order: BotOrder, amount: Decimal, split: StockAction): BotOrder {
  const ratio = splitRatio(split);
  const { filledAmount, filledPrice } = order;
  return {
    ...order,
    amount,
    filledAmount: splitAmount(filledAmount, ratio).amount,
    filledPrice: filledPrice && splitPrice(filledPrice, ratio),
  };
}
