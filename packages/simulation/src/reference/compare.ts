import type { Book, HistoryPoint, TrackEntry } from '@slipstream/domain';
import { sameOrder } from './compare-changes.js';
import { Difference, SHOWN_PLACES, same, sameFigure } from './difference.js';
import { closesOnly } from './engine/below-zero.js';
import { profitOf, valueOf } from './engine/book.js';
import type { ReferenceEngine } from './engine/engine.js';
import { type Exact, ONE, ZERO, asText, exact, isNegative, isZero } from './engine/exact.js';
import { stockOf, tradable } from './engine/execution.js';
import { type ModelBook, type ModelMarket, type ModelOrder, Refused } from './engine/model.js';
import { maxOrderSize } from './engine/sizing.js';
import type { Subject } from './subject.js';

/** Compares a stored book. */
export function sameBook(strategy: number, model: ModelBook, book: Book): void {
  const what = `strategy ${strategy}`;
  same(`${what} version`, model.version, book.version);
  sameFigure(`${what} cash`, model.cash, book.cash);
  same(`${what} holdings`, [...model.positions.keys()].sort(), [...book.positions.keys()].sort());
  for (const [stockId, position] of model.positions) {
    const other = [...book.positions.values()].find((one) => one.stockId === stockId);
    const its = `${what} ${stockId}`;
    sameFigure(`${its} amount`, position.amount, other?.amount);
    sameFigure(`${its} average_price`, position.averagePrice, other?.averagePrice);
    sameFigure(`${its} realized`, position.realized, other?.realized);
    same(`${its} created_at`, position.createdAt, other?.createdAt);
    same(`${its} updated_at`, position.updatedAt, other?.updatedAt);
    sameFigure(`${its} cost`, position.cost, other?.cost);
    sameFigure(`${its} dividends`, position.dividends, other?.dividends);
  }
  same(
    `${what} open orders`,
    model.orders.map(({ id }) => id),
    book.openOrders.map(({ id }) => id),
  );
  model.orders.forEach((order, index) => {
    const other = book.openOrders[index];
    if (other) sameOrder(`${what} ${order.id}`, order, other);
  });
}

/** The first reason that holds for which an open order waits (contract 2). */
function waitsFor(model: ModelOrder, market: ModelMarket): string {
  if (model.dependsOn.length > 0) return 'dependency';
  const stock = stockOf(market, model.stockId);
  if (stock.status !== 'active' || !market.session(stock.security, market.now))
    return 'market_closed';
  return tradable(stock, market) ? 'price' : 'quote';
}

/** Compares the answers of reads. */
export function sameReads(
  strategy: number,
  engine: ReferenceEngine,
  asked: { readonly stockId: string; readonly action: 'buy' | 'sell' },
  { positions, open, most, stored }: Awaited<ReturnType<Subject['reads']>>,
): void {
  const { market } = engine;
  const book = engine.book(strategy);
  const what = `strategy ${strategy}`;
  same(`${what} ended_at`, book.endedAt, stored.endedAt);
  same(`${what} time at or below zero`, book.belowZeroFor, stored.belowZeroFor);
  const value = valueOf(book, market) ?? null;
  sameFigure(`${what} strategy_value`, value, positions.strategyValue);
  for (const { position, value: worth, unrealized } of positions.positions) {
    const { amount, cost } = book.positions.get(position.stockId) ?? {};
    const { quote } = stockOf(market, position.stockId);
    if (!amount || !cost || !quote) continue;
    const price = isNegative(amount) ? quote.ask : quote.bid;
    sameFigure(`${what} value of ${position.stockId}`, amount.mul(price), worth);
    const profit = amount.mul(price).sub(cost);
    sameFigure(`${what} unrealized of ${position.stockId}`, profit, unrealized);
  }
  for (const { order, waitingReason } of open) {
    const model = book.orders.find(({ id }) => id === order.id);
    if (model) same(`${what} ${order.id} waits for`, waitsFor(model, market), waitingReason);
  }
  const profit = profitOf(book, market);
  const gained = value?.sub(ONE).add(book.roundings);
  if (profit && gained && !profit.equals(gained))
    throw new Difference(
      `${what}: positions sum to ${asText(profit, SHOWN_PLACES)}, the value gained ${asText(gained, SHOWN_PLACES)}`,
    );
  const limit = largestOrder(book, asked, market);
  const its = `${what} getMaxOrderSize ${asked.action} ${asked.stockId}`;
  sameFigure(`${its} price`, limit?.price ?? null, most?.price);
  sameFigure(`${its} total`, limit?.total ?? null, most?.total);
  sameFigure(`${its} amount`, limit?.amount ?? null, most?.amount);
}

function largestOrder(
  book: ModelBook,
  asked: { readonly stockId: string; readonly action: 'buy' | 'sell' },
  market: ModelMarket,
): ReturnType<typeof maxOrderSize> | undefined {
  try {
    if (book.endedAt !== null) return undefined;
    const isBound = closesOnly(book, market);
    return maxOrderSize(book, { ...asked, price: null, stopPrice: null }, market, isBound);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** Compares the stored closed orders and their trades. */
export function sameHistory(
  strategy: number,
  orders: readonly ModelOrder[],
  kept: Awaited<ReturnType<Subject['history']>>,
): void {
  const closed = orders.filter(({ status }) => status !== 'open');
  const ids = (all: readonly { readonly id: string }[]): string[] => all.map(({ id }) => id).sort();
  same(`strategy ${strategy} closed orders`, ids(closed), ids(kept.orders));
  for (const model of closed) {
    const order = kept.orders.find(({ id }) => id === model.id);
    if (order) sameOrder(`strategy ${strategy} ${model.id} kept`, model, order);
  }
  const filled = closed.filter(({ status }) => status === 'filled');
  const traded = kept.trades.map(({ orderId }) => orderId).sort();
  same(`strategy ${strategy} trades`, ids(filled), traded);
  for (const { id, fill } of filled) {
    const trade = kept.trades.find(({ orderId }) => orderId === id);
    sameFigure(`strategy ${strategy} ${id} realized`, fill?.realized ?? null, trade?.realized);
  }
}

/** Compares the value history: from 1 at the beginning to the present value, as long as that is known (contract 7b.8). */
export function sameValues(
  strategy: number,
  engine: ReferenceEngine,
  beganAt: number,
  points: readonly HistoryPoint[],
): void {
  const what = `strategy ${strategy}, how its value went`;
  const [first, last] = [points[0], points.at(-1)];
  same(`${what}: begins at`, beganAt, first?.at);
  sameFigure(`${what}: begins with`, ONE, first?.value);
  const value = valueOf(engine.book(strategy), engine.market);
  if (!value) return;
  same(`${what}: ends at`, engine.market.now, last?.at);
  sameFigure(`${what}: ends with`, value, last?.value);
}

/** Replays a track record: its entries must lead to the present cash and holdings. */
export function sameRecord(
  strategy: number,
  model: ModelBook,
  entries: readonly Pick<TrackEntry, 'kind' | 'body'>[],
): void {
  let cash = ONE;
  const amounts = new Map<string, Exact>();
  const moves = (stockId: string, change: Exact): void =>
    void amounts.set(stockId, (amounts.get(stockId) ?? ZERO).add(change));
  for (const { kind, body } of entries) {
    const entry = JSON.parse(body) as Record<string, string>;
    const figure = (name: string): Exact => exact(entry[name] ?? '0');
    const stockId = entry['stock_id'] ?? '';
    if (kind === 'adjustment') {
      cash = cash.add(figure('cash'));
      moves(stockId, figure('amount_after').sub(figure('amount_before')));
    }
    if (kind !== 'trade') continue;
    const isBuy = entry['action'] === 'buy';
    cash = isBuy ? cash.sub(figure('total')) : cash.add(figure('total'));
    cash = cash.sub(figure('fee_total')).sub(figure('rounding'));
    moves(stockId, isBuy ? figure('amount') : figure('amount').neg());
  }
  const what = `strategy ${strategy}, its record replayed`;
  const shown = (value: Exact | undefined): string => asText(value ?? ZERO, SHOWN_PLACES);
  same(`${what}: cash`, shown(model.cash), shown(cash));
  for (const [stockId, amount] of amounts)
    if (!isZero(amount) || model.positions.has(stockId))
      same(`${what}: ${stockId}`, shown(model.positions.get(stockId)?.amount), shown(amount));
}
