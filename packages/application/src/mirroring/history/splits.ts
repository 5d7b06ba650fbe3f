import {
  type Bot,
  type BotOrder,
  type Decimal,
  type Market,
  type Splits,
  type Stock,
  type StockAction,
  type StockId,
  type StockSplit,
  TRANSIT,
  type Timestamp,
  splitAmount,
  splitPrice,
  splitRatio,
  watchedSplit,
  withSplit,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { BotDeps } from '../bot-deps.js';

/** These splits, which come oldest first, by their stocks. */
function splitsBy(splits: readonly StockAction[]): Splits {
  const found = new Map<StockId, StockSplit[]>();
  for (const split of splits) {
    const one = { ratio: splitRatio(split), at: split.createdAt };
    found.set(split.stockId, [...(found.get(split.stockId) ?? []), one]);
  }
  return found;
}

/** The last split of every stock that was ever split, and those before it from the moment on that `since` says for the stock. */
export async function splitsSince(
  { stockActions }: Pick<ReadStores, 'stockActions'>,
  since: (stockId: StockId) => Timestamp,
): Promise<Splits> {
  const found: StockAction[] = [];
  for (const split of await stockActions.lastSplits()) {
    const { stockId, createdAt } = split;
    const from = since(stockId);
    const all = from < createdAt ? await stockActions.ofStock(stockId, from) : [split];
    found.push(...all.filter(({ kind }) => kind === 'split'));
  }
  return splitsBy(found);
}

/** The splits since the bot last saw its stocks: it may have been off for more than one. */
export const splitsFor = (
  stores: Pick<ReadStores, 'stockActions'>,
  { heldParts, lossWatch }: Pick<Bot, 'heldParts' | 'lossWatch'>,
): Promise<Splits> =>
  splitsSince(stores, (stockId) =>
    Math.min(
      heldParts.get(stockId)?.seenAt ?? Infinity,
      lossWatch?.holdings.has(stockId) ? lossWatch.readAt - TRANSIT : Infinity,
    ),
  );

/** The prices at which holdings that the bot was last seen with, and shorts that are kept, were settled: their stocks are delisted. */
export async function settlementsFor(
  { stockActions }: Pick<ReadStores, 'stockActions'>,
  { lossWatch }: Pick<Bot, 'lossWatch'>,
  market: Market<Stock>,
): Promise<ReadonlyMap<StockId, Decimal>> {
  const settled = new Map<StockId, Decimal>();
  const { holdings = [], keptShorts = [] } = lossWatch ?? {};
  for (const stockId of new Map([...holdings, ...keptShorts]).keys()) {
    if (market.stock(stockId)?.status !== 'delisted') continue;
    const actions = await stockActions.ofStock(stockId, 0);
    const last = actions.findLast(({ kind }) => kind === 'delisting');
    if (last) settled.set(stockId, last.figure);
  }
  return settled;
}

/** An order that splits changed at its broker, in new shares as it was before the answer. */
export interface Resized {
  readonly before: BotOrder;
  readonly splits: readonly StockSplit[];
}

/** What is known of the bot's holding, in new shares as the order is. */
export const inSharesOf = (
  { before: { stockId, createdAt }, splits }: Resized,
  { heldParts, lossWatch }: Bot,
): Pick<Bot, 'heldParts' | 'lossWatch'> => ({
  heldParts: splits.reduce(
    (parts, split) => withSplit(parts, stockId, split, createdAt),
    heldParts,
  ),
  lossWatch:
    lossWatch &&
    splits.reduce((watch, split) => watchedSplit(watch, stockId, split, createdAt), lossWatch),
});

const inShares = (amount: Decimal, splits: readonly StockSplit[]): Decimal =>
  splits.reduce((shares, { ratio }) => splitAmount(shares, ratio).amount, amount);

/**
 * The splits that made an open order one over another amount, oldest first; none when the broker has it as it was asked for. It may have
 * ended before the last of them. One that looks older than the order counts if it makes exactly that amount: the clock may have been set
 * back between the two.
 */
export async function splitsOf(
  { unitOfWork }: Pick<BotDeps, 'unitOfWork'>,
  { stockId, amount, createdAt, updatedAt }: BotOrder,
  answered: Decimal,
): Promise<readonly StockSplit[]> {
  if (answered.eq(amount)) return [];
  const { since, last } = await unitOfWork.read(async ({ stockActions }) => ({
    since: await stockActions.ofStock(stockId, createdAt),
    last: (await stockActions.lastSplits()).filter((split) => split.stockId === stockId),
  }));
  const later = since.filter(({ kind }) => kind === 'split');
  const splits = splitsBy(later.length > 0 ? later : last).get(stockId) ?? [];
  // Those of before its last answer are in its amount, unless the answer came while they were made.
  const known = splits.filter(({ at }) => at <= updatedAt).length;
  for (let from = known; from >= 0; from -= 1)
    for (let to = from + 1; to <= splits.length; to += 1) {
      const some = splits.slice(from, to);
      if (inShares(amount, some).eq(answered)) return some;
    }
  return later.length > 0 ? splits.slice(-1) : [];
}

/** The order in new shares. */
export const inNewShares = (order: BotOrder, splits: readonly StockSplit[]): BotOrder => ({
  ...order,
  filledAmount: inShares(order.filledAmount, splits),
  filledPrice: splits.reduce(
    (price, { ratio }) => price && splitPrice(price, ratio),
    order.filledPrice,
  ),
});
