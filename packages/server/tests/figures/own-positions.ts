import { type Decimal, decimal } from '@slipstream/domain';
import { type Happening, type Trade, ownSplit } from './ledger.js';

/** A position and what it has earned, by hand. */
export interface OwnPosition {
  readonly amount: Decimal;
  /** What the holding cost; negative for a short. */
  readonly cost: Decimal;
  readonly averagePrice: Decimal;
  readonly realized: Decimal;
  readonly dividends: Decimal;
}

/** What an action did to a strategy. */
export interface OwnAction {
  readonly kind: string;
  readonly stockId: string;
  readonly before: Decimal;
  readonly after: Decimal;
  readonly paid: Decimal;
}

const ZERO = decimal('0');

/** The positions that trades and actions leave, the profit of each trade that closes, and what the actions did; oldest first. */
export function ownPositions(trades: readonly Trade[], happenings: readonly Happening[]) {
  const positions = new Map<string, OwnPosition>();
  const prices = new Map<string, { readonly bid: string; readonly ask: string }>();
  const actions: OwnAction[] = [];
  const realized = new Map<string, Decimal | null>();

  const book = (trade: Trade): void => {
    const { stock_id: stockId, trade_id } = trade;
    const [amount, price, total, fee] = [
      ...[trade.amount, trade.price, trade.total, trade.fee_total].map(decimal),
    ] as [Decimal, Decimal, Decimal, Decimal];
    const side = decimal(trade.action === 'buy' ? '1' : '-1');
    const before = positions.get(stockId);
    const held = before?.amount ?? ZERO;
    const after = held.plus(amount.times(side));
    const paid = total.times(side);
    const closing = held.times(side).lt(ZERO)
      ? amount.gt(held.abs())
        ? held.abs()
        : amount
      : ZERO;
    const cost = before?.cost ?? ZERO;
    // What is closed costs its part of the cost, and brings its part of the total.
    const costOut = closing.eq(ZERO) ? ZERO : cost.times(closing).div(held.abs());
    const paidOut = closing.eq(ZERO) ? ZERO : paid.times(closing).div(amount);
    const gain = ZERO.minus(paidOut).minus(costOut).minus(fee);
    const left = cost.minus(costOut).plus(paid.minus(paidOut));
    const isAdded = closing.eq(ZERO);
    // What a delisting settles has no quote.
    if (trade.quote_at === null)
      actions.push({ kind: 'delisting', stockId, before: held, after, paid: ZERO });
    const isCrossed = closing.gt(ZERO) && held.times(after).lt(ZERO);
    realized.set(trade_id, isAdded ? null : gain);
    if (after.eq(ZERO)) {
      positions.delete(stockId);
      return;
    }
    const mean = () =>
      (before?.averagePrice ?? ZERO).times(held.abs()).plus(price.times(amount)).div(after.abs());
    positions.set(stockId, {
      amount: after,
      cost: left,
      averagePrice: isAdded ? mean() : isCrossed ? price : (before?.averagePrice ?? ZERO),
      realized: (before?.realized ?? ZERO).plus(gain),
      dividends: before?.dividends ?? ZERO,
    });
  };
  const happen = (one: Happening): void => {
    if (one.kind === 'sample') return;
    const { stockId, kind } = one;
    if (kind === 'quote') prices.set(stockId, one);
    // Its fill comes with it, and is one of the trades.
    if (kind === 'quote' || kind === 'delisting') return;
    const position = positions.get(stockId);
    if (!position) return;
    const { amount: held, dividends } = position;
    if (kind === 'dividend') {
      const paid = held.times(decimal(one.amount));
      positions.set(stockId, { ...position, dividends: dividends.plus(paid) });
      actions.push({ kind: 'cash_dividend', stockId, before: held, after: held, paid });
      return;
    }
    const { bid, ask } = prices.get(stockId) ?? { bid: '0', ask: '0' };
    const { after, paid, priceOf } = ownSplit(held, one, decimal(held.gte(ZERO) ? bid : ask));
    positions.set(stockId, {
      ...{ ...position, amount: after, averagePrice: priceOf(position.averagePrice) },
      dividends: dividends.plus(paid),
    });
    actions.push({ kind, stockId, before: held, after, paid });
  };
  let next = 0;
  const bookBefore = (at: number): void => {
    for (let one = trades[next]; one && Date.parse(one.created_at) < at; one = trades[next]) {
      book(one);
      next += 1;
    }
  };
  for (const one of happenings) {
    bookBefore(one.at);
    happen(one);
  }
  bookBefore(Infinity);
  return { positions, actions, realized };
}
