import type { HistoryPoint } from '@slipstream/application';
import type { Book, BookChange, Decimal, Order, TrackEntry } from '@slipstream/domain';
import {
  type Exact,
  ONE,
  ZERO,
  exact,
  exactOf,
  isNegative,
  isZero,
  asText,
} from './engine/exact.js';
import { closesOnly } from './engine/below-zero.js';
import { profitOf, valueOf } from './engine/book.js';
import type { ModelEvent, ReferenceEngine } from './engine/engine.js';
import { stockOf, tradable } from './engine/execution.js';
import { type ModelBook, type ModelMarket, type ModelOrder, Refused } from './engine/model.js';
import { maxOrderSize } from './engine/sizing.js';
import type { ReferenceCommand } from './commands.js';
import type { BookChanged, Subject } from './subject.js';

/** The two sides differ. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

const SHOWN_PLACES = 40;

/** Throws unless both figures are equal to the last digit. */
function sameFigure(what: string, wanted: Exact | null, found: Decimal | null | undefined): void {
  const other = found ? exactOf(found) : null;
  if (wanted === null ? other === null : other !== null && wanted.equals(other)) return;
  const shown = (value: Exact | null): string =>
    value === null ? 'none' : asText(value, SHOWN_PLACES);
  throw new Difference(`${what}: reference ${shown(wanted)}, core ${shown(other)}`);
}

function same(what: string, wanted: unknown, found: unknown): void {
  const [first, second] = [JSON.stringify(wanted), JSON.stringify(found)];
  if (first !== second) throw new Difference(`${what}: reference ${first}, core ${second}`);
}

/** An order's figures, open or closed. */
function sameOrder(what: string, model: ModelOrder, order: Order): void {
  const { pricing, size } = order;
  const [price, stopPrice] = [
    'price' in pricing ? pricing.price : null,
    'stopPrice' in pricing ? pricing.stopPrice : null,
  ];
  same(`${what} stock`, model.stockId, order.stockId);
  same(`${what} action`, model.action, order.action);
  same(`${what} type`, model.type, pricing.type);
  sameFigure(`${what} price`, model.price, price);
  sameFigure(`${what} stop_price`, model.stopPrice, stopPrice);
  sameFigure(`${what} amount`, model.amount, size.by === 'amount' ? size.amount : null);
  sameFigure(`${what} total`, model.total, size.by === 'total' ? size.total : null);
  same(
    `${what} dependencies`,
    model.dependsOn.map(({ id }) => id).sort(),
    [...order.dependsOn].sort(),
  );
  same(`${what} reduce_only`, model.reduceOnly, order.reduceOnly);
  same(`${what} triggered_at`, model.triggeredAt, order.triggeredAt);
  same(`${what} created_at`, model.createdAt, order.createdAt);
  same(`${what} status`, model.status, order.status);
  if (order.status === 'open') {
    same(`${what} resting since`, model.restingSince, order.restingSince);
    return;
  }
  same(`${what} closed_at`, model.closedAt, order.closedAt);
  if (order.status !== 'filled') return;
  const { fill } = model;
  sameFigure(`${what} filled_price`, fill?.price ?? null, order.filledPrice);
  sameFigure(`${what} filled_amount`, fill?.amount ?? null, order.filledAmount);
  sameFigure(`${what} filled_total`, fill?.gross ?? null, order.filledTotal);
  sameFigure(`${what} fee_total`, fill?.fee ?? null, order.feeTotal);
}

function sameChange(
  what: string,
  { kind, then }: ModelEvent['changes'][number],
  change: BookChange,
): void {
  same(`${what} kind`, kind, change.kind);
  sameOrder(`${what} ${kind}`, then, change.order);
  if (change.kind !== 'filled') return;
  const { trade } = change;
  const fill = then.fill;
  same(`${what} order of the trade`, change.order.id, trade.orderId);
  sameFigure(`${what} trade price`, fill?.price ?? null, trade.price);
  sameFigure(`${what} trade amount`, fill?.amount ?? null, trade.amount);
  sameFigure(`${what} trade total`, fill?.gross ?? null, trade.total);
  sameFigure(`${what} trade fee`, fill?.fee ?? null, trade.feeTotal);
  sameFigure(`${what} trade rounding`, fill?.rounding ?? null, trade.rounding);
  sameFigure(`${what} strategy_value`, fill?.strategyValue ?? null, trade.strategyValue);
}

const inBrief = (
  changes: readonly {
    readonly kind: string;
    readonly order: { readonly id: string; readonly stockId: string };
  }[],
): string => changes.map(({ kind, order }) => `${kind} ${order.stockId} ${order.id}`).join(', ');

/** Gives the model's new orders the ids of the core. */
function nameOrders(
  wanted: readonly ModelEvent['changes'][number][],
  found: readonly BookChange[],
): void {
  wanted.forEach((change, at) => {
    const real = found[at];
    if (change.kind === 'opened' && real?.kind === 'opened') change.order.id = real.order.id;
    if (change.then.id === '') change.then.id = change.order.id;
  });
}

/**
 * Compares the changes of one strategy's book, in order. The core may match several quotes in one change of the book; apart
 * from that a command gives one version, also a delisting.
 */
export function sameEvents(
  strategy: number,
  before: number,
  wanted: readonly ModelEvent[],
  found: readonly BookChanged[],
  command: ReferenceCommand['do'],
): void {
  const what = `strategy ${strategy}, after version ${before}`;
  const changes = wanted.flatMap((event) => event.changes);
  const real = found.flatMap((event) => event.changes);
  nameOrders(changes, real);
  same(`${what}: what changed`, inBrief(changes), inBrief(real));
  changes.forEach((change, at) => {
    const other = real[at];
    if (other) sameChange(`${what}, ${change.order.id}`, change, other);
  });
  const versions = found.map(({ after }) => after.version);
  same(
    `${what}: versions`,
    found.map((_, at) => before + 1 + at),
    versions,
  );
  if (command !== 'quotes') same(`${what}: changes of the book`, wanted.length, found.length);
  const ends = new Set<number>();
  wanted.reduce(
    (sum, event) => (ends.add(sum + event.changes.length), sum + event.changes.length),
    0,
  );
  found.reduce((sum, event) => {
    const end = sum + event.changes.length;
    if (!ends.has(end))
      throw new Difference(`${what}: version ${event.after.version} ends within a command`);
    return end;
  }, 0);
}

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
    const isBound = closesOnly(book, market.now);
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
    const told = JSON.parse(body) as Record<string, string>;
    const figure = (name: string): Exact => exact(told[name] ?? '0');
    const stockId = told['stock_id'] ?? '';
    if (kind === 'adjustment') {
      cash = cash.add(figure('cash'));
      moves(stockId, figure('amount_after').sub(figure('amount_before')));
    }
    if (kind !== 'trade') continue;
    const isBuy = told['action'] === 'buy';
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
