import { trading } from '@alpacahq/alpaca-trade-api/rest';
import { type Decimal, type StockId, ZERO, decimal, divide } from '@slipstream/domain';
import {
  type BrokerOrder,
  type BrokerOrderRequest,
  BrokerUnreachable,
  type Urgency,
  unknownStatus,
} from '@slipstream/ports';
import type { OrderAnswer } from './answers.js';
import type { AlpacaApi } from './api.js';
import type { Listed } from './assets.js';

const OPEN = 'open';
const CANCELLED = 'cancelled';

/** The port's statuses, by Alpaca's. */
const STATUSES: Readonly<Record<string, BrokerOrder['status']>> = {
  new: OPEN,
  accepted: OPEN,
  accepted_for_bidding: OPEN,
  pending_new: OPEN,
  pending_cancel: OPEN,
  pending_replace: OPEN,
  partially_filled: OPEN,
  done_for_day: OPEN,
  held: OPEN,
  stopped: OPEN,
  suspended: OPEN,
  calculated: OPEN,
  filled: 'filled',
  canceled: CANCELLED,
  expired: CANCELLED,
  rejected: 'rejected',
};

const REPLACED = 'replaced';
/** How often the owner may replace an order of ours before it is not followed any more. */
const MOST_REPLACED = 20;

const REASONS: Readonly<Record<string, string>> = {
  canceled: 'cancelled at Alpaca',
  expired: 'expired',
  rejected: 'rejected at the exchange',
  replaced: 'replaced at Alpaca by its owner',
};

/** The order as Alpaca is sent it: for stocks of the day, for coins until it is cancelled. */
export function orderBody(
  { clientOrderId, stock, action, amount, limit, closes }: BrokerOrderRequest,
  { orderSymbol }: Listed,
): trading.PostOrderRequest {
  const isStock = stock.security === 'stock';
  const { OrderSide, OrderType, TimeInForce, PositionIntent } = trading;
  return {
    clientOrderId,
    symbol: orderSymbol,
    side: action === 'buy' ? OrderSide.Buy : OrderSide.Sell,
    qty: amount.toFixed(),
    timeInForce: isStock ? TimeInForce.Day : TimeInForce.Gtc,
    type: limit ? OrderType.Limit : OrderType.Market,
    ...(limit && { limitPrice: limit.toFixed() }),
    // Coins are not sold short, so no order in them can open or turn a position by selling.
    ...(isStock &&
      closes && {
        positionIntent: action === 'buy' ? PositionIntent.BuyToClose : PositionIntent.SellToClose,
      }),
  };
}

/** An order that the broker refused: it left none behind. */
export const rejection = (
  { clientOrderId, stock, action, amount }: BrokerOrderRequest,
  reason: string,
): BrokerOrder => ({
  clientOrderId,
  stockId: stock.id,
  action,
  amount,
  status: 'rejected',
  cancelling: false,
  filledAmount: ZERO,
  filledPrice: null,
  fee: null,
  reason,
});

/** A refusal that speaks of the order's id: Alpaca knows the id already. */
const ABOUT_ITS_ID = /client.?order.?id/i;

/**
 * The order that stands although sending it was refused: Alpaca refuses repeats, in words that may change. Undefined when the
 * refusal left none behind.
 */
export async function knownDespite(
  api: AlpacaApi,
  { clientOrderId }: BrokerOrderRequest,
  refusal: Error,
): Promise<OrderAnswer | undefined> {
  const first = await api.byClientId(clientOrderId, 'find').catch((cause: unknown) => {
    throw new BrokerUnreachable('Alpaca does not tell whether it knows an order', { cause });
  });
  if (first || !ABOUT_ITS_ID.test(refusal.message)) return first;
  throw new BrokerUnreachable('Alpaca knows an order that it does not show yet');
}

/** Whether the answer is about the order that was sent, and says what became of it. */
export function requireSame(
  { clientOrderId, action, amount }: BrokerOrderRequest,
  { asset }: Listed,
  answer: OrderAnswer,
): void {
  const isSame =
    answer.client_order_id === clientOrderId &&
    answer.asset_id === asset.id &&
    answer.side === action &&
    answer.qty.eq(amount);
  if (!isSame) throw new BrokerUnreachable('Alpaca answered with another order');
  if (!STATUSES[answer.status])
    throw new BrokerUnreachable(`Alpaca has an order of status ${answer.status}`);
}

interface Fills {
  readonly amount: Decimal;
  readonly paid: Decimal;
}

const fillsOf = ({ filled_qty: amount, filled_avg_price: price }: OrderAnswer): Fills => {
  if (amount.gt(ZERO) && !price?.gt(ZERO)) {
    throw new BrokerUnreachable('Alpaca tells a fill without its price');
  }
  return { amount, paid: amount.times(price ?? ZERO) };
};

/** The order that stands now for this one, and those that it replaced. */
export async function followed(
  api: AlpacaApi,
  first: OrderAnswer,
  urgency: Urgency,
): Promise<readonly [OrderAnswer, readonly OrderAnswer[]]> {
  const replaced: OrderAnswer[] = [];
  let order = first;
  while (order.status === REPLACED && order.replaced_by) {
    if (replaced.length === MOST_REPLACED) {
      throw new BrokerUnreachable('an order was replaced too often');
    }
    replaced.push(order);
    order = await api.byId(order.replaced_by, urgency);
  }
  return [order, replaced];
}

/** Of an order that is filled a venue may leave so much of it as dust, for good. */
const DUST = decimal('0.000001');

/** Whether it is said to be filled beside a smaller fill: what is missing here may be in the account already. */
const contradicts = ({ status, qty, filled_qty: filled }: OrderAnswer): boolean =>
  STATUSES[status] === 'filled' && qty.minus(filled).gt(qty.times(DUST));

/** Whether nothing more can happen to the order. A word that the table does not have is no end. */
export const hasEnded = (answer: OrderAnswer): boolean =>
  !contradicts(answer) && (STATUSES[answer.status] ?? OPEN) !== OPEN;

/** The status and its reason; that of a word that the table does not have is in doubt, for this order only. */
function stateOf(
  answer: OrderAnswer,
  fills: Pick<BrokerOrder, 'amount' | 'filledAmount'>,
): Pick<BrokerOrder, 'status' | 'reason'> {
  const { status: word } = answer;
  if (contradicts(answer))
    return { status: OPEN, reason: `Alpaca says "${word}", but tells less than was ordered.` };
  const status = STATUSES[word];
  return status ? { status, reason: REASONS[word] ?? null } : unknownStatus('Alpaca', word, fills);
}

/** The order as the port has it. */
export async function orderOf(
  api: AlpacaApi,
  answer: OrderAnswer,
  stockId: StockId,
): Promise<BrokerOrder> {
  const [last, replaced] = await followed(api, answer, 'find');
  const before = replaced
    .map(fillsOf)
    .reduce(
      (sum, { amount, paid }) => ({ amount: sum.amount.plus(amount), paid: sum.paid.plus(paid) }),
      { amount: ZERO, paid: ZERO },
    );
  const own = fillsOf(last);
  const filledAmount = before.amount.plus(own.amount);
  const paid = before.paid.plus(own.paid);
  const amount = before.amount.plus(last.qty);
  return {
    clientOrderId: answer.client_order_id,
    stockId,
    action: answer.side,
    amount,
    ...stateOf(last, { amount, filledAmount }),
    cancelling: last.status === 'pending_cancel',
    filledAmount,
    filledPrice: filledAmount.gt(ZERO)
      ? before.amount.eq(ZERO)
        ? last.filled_avg_price
        : divide(paid, filledAmount)
      : null,
    // A commission of stocks; what coins cost is taken out of what arrives, and not told here.
    fee: last.asset_class === 'us_equity' ? (last.commission ?? null) : null,
  };
}
