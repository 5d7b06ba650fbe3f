import { checkSource } from './segments.js';
import { checkUnpaid } from './stock-actions.js';
import { type Decimal, ONE, ZERO, decimal, round18 } from '@slipstream/domain';
import { STOCKS } from '../world/stocks.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';
import type { AdjustmentRow, BookRow, OrderRow, PositionRow, TradeRow } from '../world/rows.js';

const PLAIN = /^-?(0|[1-9]\d*)(\.\d+)?$/;
/** A few units in the last place. */
const ULPS = decimal('0.000000000000000004');
const UNIT = decimal('0.000000000000000001');

const stockOf = (stockId: string) => STOCKS.find(([stock]) => stock.id === stockId)?.[0];

/** L4, L5: figures are stored as plain decimals. */
function requirePlain(world: World, where: string, ...figures: readonly (string | null)[]): void {
  const wrong = figures.find(
    (one) => one !== null && (!PLAIN.test(one) || /^-0(\.0*)?$/.test(one)),
  );
  if (wrong !== undefined) world.violate('L4', `${where} holds ${wrong}, not a plain decimal`);
}

const sumBy = (rows: readonly TradeRow[], figure: (row: TradeRow) => Decimal): Decimal =>
  rows.reduce((total, row) => total.plus(figure(row)), ZERO);

/** L1: cash and positions equal the sum of trades and corporate actions, to the last digit. */
export function checkBalances(world: World, trades: readonly TradeRow[]): void {
  const books = world.database.rows<BookRow>('SELECT * FROM books');
  const positions = world.database.rows<PositionRow>('SELECT * FROM positions');
  const adjustments = world.database.rows<AdjustmentRow>('SELECT * FROM adjustments');
  for (const book of books) {
    const own = trades.filter((trade) => trade.strategy_id === book.strategy_id);
    requirePlain(world, `book ${book.strategy_id}`, book.cash);
    const adjusted = adjustments.filter((one) => one.strategy_id === book.strategy_id);
    const paid = adjusted.reduce((total, one) => total.plus(decimal(one.cash)), ONE);
    const cash = sumBy(own, (trade) => {
      const gross = decimal(trade.total);
      const costs = decimal(trade.fee_total).plus(decimal(trade.rounding));
      return (trade.action === 'sell' ? gross : gross.times(decimal('-1'))).minus(costs);
    }).plus(paid);
    if (!cash.eq(decimal(book.cash))) {
      world.violate(
        'L1',
        `cash of ${book.strategy_id} is ${book.cash}, its ledger adds up to ${cash.toFixed()}`,
      );
    }
    const held = new Map<string, Decimal>();
    for (const trade of own) {
      const amount = decimal(trade.amount);
      const before = held.get(trade.stock_id) ?? ZERO;
      held.set(trade.stock_id, trade.action === 'buy' ? before.plus(amount) : before.minus(amount));
    }
    for (const { kind, stock_id, amount_before, amount_after } of adjusted) {
      // What a delisting closes is a trade.
      if (kind === 'delisting') continue;
      const grown = decimal(amount_after).minus(decimal(amount_before));
      held.set(stock_id, (held.get(stock_id) ?? ZERO).plus(grown));
    }
    const stored = new Map(
      positions
        .filter((position) => position.strategy_id === book.strategy_id)
        .map((position) => [position.stock_id, position.amount]),
    );
    for (const stockId of new Set([...held.keys(), ...stored.keys()])) {
      const amount = held.get(stockId) ?? ZERO;
      const kept = stored.get(stockId);
      requirePlain(world, `position ${stockId}`, kept ?? null);
      if (!amount.eq(decimal(kept ?? '0')) || (kept !== undefined && amount.eq(ZERO))) {
        world.violate(
          'L1',
          `${book.strategy_id} holds ${kept ?? 'no'} ${stockId}, its ledger adds up to ${amount.toFixed()}`,
        );
      }
    }
  }
}

/** L2: a trade has exactly the figures that its order fixed. */
function checkFigures(world: World, trade: TradeRow, order: OrderRow): void {
  const fee = stockOf(trade.stock_id)?.fee ?? ZERO;
  const [price, amount, gross, charged, rounding] = [
    decimal(trade.price),
    decimal(trade.amount),
    decimal(trade.total),
    decimal(trade.fee_total),
    decimal(trade.rounding),
  ];
  const say = (text: string): void => world.violate('L2', `trade ${trade.id} ${text}`);
  requirePlain(world, `trade ${trade.id}`, trade.price, trade.amount, trade.total, trade.fee_total);
  if (!gross.eq(round18(amount.times(price)))) say('has a total that is not amount x price');
  if (rounding.lt(ZERO)) say(`has a negative rounding ${trade.rounding}`);
  if (charged.minus(amount.times(price).times(fee)).abs().gt(ULPS)) say('has another fee');
  if (order.amount !== null) {
    const asked = decimal(order.amount);
    // A reduce-only order is cut to the holding, a planned one to the remaining exposure.
    const mayBeCut = order.reduce_only === 1 || order.origin === 'plan';
    const fits = mayBeCut ? amount.lte(asked) : amount.eq(asked);
    if (!fits) say(`fills ${trade.amount} of an order of ${order.amount}`);
    if (!rounding.eq(ZERO)) say('of an amount order has a rounding');
  } else if (!rounding.eq(ZERO)) {
    const total = decimal(order.total ?? '0');
    const costs = charged.plus(rounding);
    const cash = trade.action === 'buy' ? gross.plus(costs) : gross.minus(costs);
    if (!cash.eq(total)) say(`moves ${cash.toFixed()} of cash for a total of ${order.total ?? ''}`);
    const most = price.times(UNIT).times(ONE.plus(fee)).plus(ULPS);
    if (rounding.gt(most)) say(`has a rounding of ${trade.rounding}`);
  }
}

/** Contract 3, "Fills": the price is from a fresh quote inside a session, and never better than the limit. */
function checkPrice(world: World, trade: TradeRow, order: OrderRow): void {
  const stock = stockOf(trade.stock_id);
  if (!stock) return;
  const say = (text: string): void => world.violate('fill', `trade ${trade.id} ${text}`);
  const at = world.market.momentOf(stock, trade.created_at);
  if (!world.hours.sessionAt(stock, at)) return say('happened while the exchange was closed');
  const price = decimal(trade.price);
  const isBuy = trade.action === 'buy';
  const quotes = world.market.tradable(stock, at);
  const [ownBid, ownAsk] = [decimal(trade.quote_bid ?? '0'), decimal(trade.quote_ask ?? '0')];
  if (!quotes.some(({ bid, ask }) => bid.eq(ownBid) && ask.eq(ownAsk)))
    say(`names the quote ${trade.quote_bid ?? ''}/${trade.quote_ask ?? ''}, which is not fresh`);
  const far = (slippage: Decimal): Decimal[] =>
    quotes.map(({ ask, bid }) =>
      round18(isBuy ? ask.times(ONE.plus(slippage)) : bid.times(ONE.minus(slippage))),
    );
  if (quotes.length === 0) return say('happened without a fresh quote of the session');
  const isMarket =
    order.type === 'market' ||
    (order.triggered_at !== null && (order.type === 'stop_market' || order.type === 'oco'));
  if (isMarket) {
    if (!far(stock.slippage).some((one) => one.eq(price)))
      say(`has the price ${trade.price} of no fresh quote`);
    return;
  }
  const limit = decimal(order.price ?? '0');
  if (isBuy ? price.gt(limit) : price.lt(limit))
    say(`is worse than its limit ${order.price ?? ''}`);
  if (!price.eq(limit) && !far(ZERO).some((one) => one.eq(price))) {
    say(`has the price ${trade.price}, neither its limit nor a quote`);
  }
  if (order.type === 'stop_limit' && order.triggered_at === null) say('was never triggered');
}

/** The final price of a delisted stock, if that closed the position. */
function settledAt(world: World, trade: TradeRow): Decimal | undefined {
  const [ended] = world.database.rows<AdjustmentRow>(
    "SELECT * FROM adjustments WHERE kind = 'delisting' AND strategy_id = ? AND stock_id = ? AND created_at = ?",
    trade.strategy_id,
    trade.stock_id,
    trade.created_at,
  );
  return ended && decimal(ended.figure);
}

/** There is one trade per filled order, and it never changes. */
export function checkTrades(
  run: Run,
  trades: readonly TradeRow[],
  orders: ReadonlyMap<string, OrderRow>,
): void {
  const { world, memory } = run;
  if (trades.length < memory.trades.size) world.violate('L1', 'a trade is gone');
  for (const trade of trades) {
    const row = JSON.stringify(trade);
    const before = memory.trades.get(trade.id);
    if (before === row) continue;
    if (before !== undefined) world.violate('L1', `trade ${trade.id} was changed`);
    memory.trades.set(trade.id, row);
    checkSource(run, trade);
    checkUnpaid(world, trade);
    const order = orders.get(trade.order_id);
    if (!order) {
      world.violate('O2', `trade ${trade.id} is of no order`);
      continue;
    }
    if (order.status !== 'filled') {
      world.violate('O3', `order ${order.id} is ${order.status} and has a trade`);
      continue;
    }
    if (order.filled_amount !== trade.amount || order.filled_price !== trade.price) {
      world.violate('O2', `order ${order.id} was filled by other figures than its trade`);
    }
    const price = settledAt(world, trade);
    if (price) {
      if (!price.eq(decimal(trade.price)) || trade.fee_total !== '0')
        world.violate('S1', `trade ${trade.id} is no settlement at ${price.toFixed()}`);
    } else {
      checkFigures(world, trade, order);
      checkPrice(world, trade, order);
    }
    world.reach(`filled: ${order.type} by ${order.amount === null ? 'total' : 'amount'}`);
  }
}
