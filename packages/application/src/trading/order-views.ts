import {
  type Book,
  type Decimal,
  type Market,
  type Order,
  type Position,
  type QuotedStock,
  type Stock,
  type StockId,
  ZERO,
  divide,
  positionValue,
  strategyValue,
  waitingReason,
  type OrderView,
  type PositionView,
  type PositionsView,
  type Trade,
  type TradeView,
} from '@slipstream/domain';

/** Stocks in books are never removed, only delisted. */
export function knownStock(market: Market<Stock>, stockId: StockId): Stock {
  const stock = market.stock(stockId);
  if (!stock) throw new Error(`stock ${stockId} is referred to and not known`);
  return stock;
}

export const viewStock = (stock: Stock, market: Market<Stock>): QuotedStock => ({
  stock,
  quote: market.quote(stock.id),
});

/** An order of the book with its present waiting reason, if it is open. */
export const viewOrder = (order: Order, market: Market<Stock>, book: Book): OrderView => ({
  order,
  waitingReason: order.status === 'open' ? waitingReason(order, market, book) : null,
  ...viewStock(knownStock(market, order.stockId), market),
});

export const viewOrders = (
  orders: readonly Order[],
  market: Market<Stock>,
  book: Book,
): OrderView[] => orders.map((order) => viewOrder(order, market, book));

export const viewTrades = (trades: readonly Trade[], market: Market<Stock>): TradeView[] =>
  trades.map((trade) => ({ symbol: knownStock(market, trade.stockId).symbol, ...trade }));

function viewPosition(
  position: Position,
  whole: Decimal | undefined,
  market: Market<Stock>,
): PositionView {
  const view = viewStock(knownStock(market, position.stockId), market);
  const { quote } = view;
  if (!quote) return { position, value: null, percent: null, unrealized: null, ...view };
  const value = positionValue(position, quote);
  return {
    position,
    value,
    percent: whole?.gt(ZERO) ? divide(value, whole) : null,
    unrealized: value.minus(position.cost),
    ...view,
  };
}

/** The answer of getPositions. With `only`, it holds just these positions as they are now, a closed one with amount 0. */
export function viewPositions(
  book: Book,
  market: Market<Stock>,
  only?: readonly Position[],
): PositionsView {
  const positions = only
    ? only.map(
        (last) =>
          book.positions.get(last.stockId) ?? {
            ...last,
            amount: ZERO,
            cost: ZERO,
            updatedAt: market.now,
          },
      )
    : [...book.positions.values()];
  const whole = strategyValue(book, market);
  return {
    strategyId: book.strategyId,
    strategyValue: whole ?? null,
    cash: book.cash,
    version: book.version,
    positions: positions.map((position) => viewPosition(position, whole, market)),
  };
}
