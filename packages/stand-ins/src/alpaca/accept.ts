import { type Decimal, ONE, TWO, ZERO, decimal } from '@slipstream/domain';
import type { VenueAnswer } from '../http.js';
import {
  type Account,
  type Asset,
  type Order,
  type State,
  buyingPower,
  heldOf,
  isOpen,
  leftOf,
  nonMarginablePower,
} from './state.js';

export const json = (status: number, body: unknown): VenueAnswer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json; charset=UTF-8' },
});

const refused = (message: string, more: object = {}): VenueAnswer =>
  json(403, { code: 40310000, message, ...more });
const unprocessable = (message: string, code = 42210000): VenueAnswer =>
  json(422, { code, message });

const LONGEST_ID = 128;
const MOST_PLACES = 9;
const MOST_COIN = decimal('200000');
/** A short sale is compared with the buying power at the ask and so much more. */
const SHORT_RESERVE = decimal('1.03');

const DAY_TRADE = json(403, {
  code: 40310100,
  message: 'trade denied due to pattern day trading protection',
});

interface Wanted {
  readonly clientOrderId: string;
  readonly asset: Asset;
  readonly side: 'buy' | 'sell';
  readonly qty: Decimal;
  readonly limitPrice: Decimal | null;
  readonly timeInForce: string;
  readonly intent: string | null;
}

const placesOf = (value: Decimal): number => (value.toFixed().split('.')[1] ?? '').length;
const isWhole = (qty: Decimal): boolean => qty.mod(ONE).eq(ZERO);

const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

/** An asset by its id, or by its symbol with or without the slash. */
export const assetNamed = (state: State, name: string): Asset | undefined =>
  state.assets.get(name) ??
  [...state.assets.values()].find(
    ({ symbol }) => symbol === name || symbol.replace('/', '') === name,
  );

function read(state: State, body: string): Wanted | VenueAnswer {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(body) as Record<string, unknown>;
  } catch {
    return json(400, { code: 40010000, message: 'request body format is invalid' });
  }
  const { symbol, side, type, time_in_force: timeInForce, position_intent: intent } = fields;
  const [qty, notional, limit] = [fields['qty'], fields['notional'], fields['limit_price']];
  const quantity = textOf(qty);
  if (quantity === null) {
    return unprocessable(
      notional === undefined ? 'qty or notional is required' : 'notional is not imitated',
      40010001,
    );
  }
  if (notional !== undefined) {
    return unprocessable('only one of qty or notional is accepted', 40010001);
  }
  const asset = assetNamed(state, String(symbol));
  if (!asset) return unprocessable(`asset "${String(symbol)}" not found`);
  if (side !== 'buy' && side !== 'sell') return unprocessable('invalid side', 40010001);
  if (type !== 'market' && type !== 'limit') return unprocessable('invalid order type', 40010001);
  const limitText = textOf(limit);
  if ((type === 'limit') !== (limitText !== null)) {
    return unprocessable('limit orders require a limit price', 40010001);
  }
  return {
    clientOrderId: textOf(fields['client_order_id']) ?? `given-${(state.ids += 1)}`,
    asset,
    side,
    qty: decimal(quantity),
    limitPrice: limitText === null ? null : decimal(limitText),
    timeInForce: String(timeInForce),
    intent: textOf(intent),
  };
}

function accountProblem(account: Account, { asset }: Wanted): VenueAnswer | undefined {
  if (account.blocked || account.tradingBlocked) return refused('account is restricted to trade');
  if (account.suspendedByUser) return refused('new orders are rejected by user request');
  if (asset.class === 'crypto' && account.cryptoStatus !== 'ACTIVE') {
    return refused('crypto trading is not allowed for this account');
  }
  return undefined;
}

function formProblem({ asset, qty, limitPrice, timeInForce }: Wanted): VenueAnswer | undefined {
  const isStock = asset.class === 'us_equity';
  if (qty.lte(ZERO)) return unprocessable('qty must be > 0', 40010001);
  if (placesOf(qty) > MOST_PLACES) return unprocessable('qty has more than 9 decimal places');
  if (asset.status !== 'active') return unprocessable(`asset "${asset.symbol}" is not active`);
  if (!asset.tradable) return unprocessable(`asset "${asset.symbol}" is not tradable`);
  if (isStock && !isWhole(qty)) {
    if (!asset.fractionable) return refused(`asset "${asset.symbol}" is not fractionable`);
    if (timeInForce !== 'day') return unprocessable('fractional orders must be DAY orders');
  }
  if (!isStock && timeInForce !== 'gtc' && timeInForce !== 'ioc') {
    return unprocessable('invalid crypto time_in_force');
  }
  const places = limitPrice && limitPrice.gte(ONE) ? 2 : 4;
  if (isStock && limitPrice && placesOf(limitPrice) > places) {
    return unprocessable(
      `invalid limit_price ${limitPrice.toFixed()}. sub-penny increment does not fulfill minimum pricing criteria`,
    );
  }
  const least = isStock ? ONE : decimal('10');
  const basis = qty.times(limitPrice ?? asset.ask);
  // docs.alpaca.markets, "Crypto Spot Trading", trading limits. It does not say in which words more is refused.
  if (!isStock && basis.gt(MOST_COIN)) return refused('order notional must not exceed 200000');
  const isSmall = basis.lt(least) && !(isStock && isWhole(qty));
  return isSmall
    ? refused(`cost basis must be >= minimal amount of order ${least.toFixed()}`)
    : undefined;
}

/** It may close a position, or open and increase one, but not both at once. */
function sizeProblem(state: State, account: Account, wanted: Wanted): VenueAnswer | undefined {
  const { asset, side, qty, limitPrice, intent } = wanted;
  const held = heldOf(account, asset);
  const reduces = side === 'buy' ? held.lt(ZERO) : held.gt(ZERO);
  const inferred = `${side}_to_${reduces ? 'close' : 'open'}`;
  if (intent !== null && intent !== inferred) {
    return unprocessable(`position intent mismatch, inferred: ${inferred}, specified: ${intent}`);
  }
  if (reduces) {
    if (account.dayTrader && asset.class === 'us_equity') return DAY_TRADE;
    const busy = account.orders.filter(
      (order) => isOpen(order) && order.asset === asset && order.side === side,
    );
    const available = busy.reduce((rest, order) => rest.minus(leftOf(order)), held.abs());
    if (qty.lte(available)) return undefined;
    const said = `(requested: ${qty.toFixed()}, available: ${available.toFixed()})`;
    return asset.class === 'crypto'
      ? refused(`insufficient balance for ${asset.symbol.split('/')[0]} ${said}`)
      : refused(`insufficient qty available for order ${said}`, {
          available: available.toFixed(),
          existing_qty: held.abs().toFixed(),
          held_for_orders: held.abs().minus(available).toFixed(),
          symbol: asset.symbol,
        });
  }
  const price = limitPrice ?? asset.ask;
  if (asset.class === 'crypto') {
    if (side === 'sell') {
      return refused(
        `insufficient balance for ${asset.symbol.split('/')[0]} (requested: ${qty.toFixed()}, available: 0)`,
      );
    }
    const power = nonMarginablePower(account);
    return qty.times(price).lte(power)
      ? undefined
      : refused(
          `insufficient balance for USD (requested: ${qty.times(price).toFixed()}, available: ${power.toFixed()})`,
        );
  }
  if (side === 'sell') {
    if (!isWhole(qty)) return unprocessable('fractional orders cannot be sold short');
    if (!account.shorting) return refused('account is not allowed to short');
    if (!asset.shortable) return unprocessable(`asset "${asset.symbol}" cannot be sold short`);
  }
  const cost = qty.times(side === 'sell' ? asset.ask.times(SHORT_RESERVE) : price);
  const power = buyingPower(state, account);
  return cost.lte(power)
    ? undefined
    : refused('insufficient buying power', {
        buying_power: power.toFixed(2),
        cost_basis: cost.toFixed(2),
      });
}

function repeatProblem(account: Account, wanted: Wanted): VenueAnswer | undefined {
  const { clientOrderId, asset, side } = wanted;
  if (clientOrderId.length > LONGEST_ID) {
    return unprocessable('client_order_id must be no more than 128 characters', 40010001);
  }
  if (account.orders.some((order) => order.clientOrderId === clientOrderId)) {
    return unprocessable('client_order_id must be unique', 40010001);
  }
  const opposite = account.orders.some(
    (order) => isOpen(order) && order.asset === asset && order.side !== side,
  );
  return opposite
    ? refused('potential wash trade detected. use complex orders', {
        reject_reason: 'opposite side market/stop order exists',
      })
    : undefined;
}

/** The order that the body asks for, as it is accepted, or the answer that refuses it. A refused one leaves no order. */
export function accept(state: State, account: Account, body: string): Order | VenueAnswer {
  const wanted = read(state, body);
  if ('status' in wanted) return wanted;
  const problem =
    accountProblem(account, wanted) ??
    repeatProblem(account, wanted) ??
    formProblem(wanted) ??
    sizeProblem(state, account, wanted);
  if (problem) return problem;
  const now = state.now();
  state.ids += 1;
  const order: Order = {
    ...wanted,
    id: `00000000-0000-4000-8000-${String(state.ids).padStart(12, '0')}`,
    submittedAt: now,
    status: state.isOpen || wanted.asset.class === 'crypto' ? 'new' : 'accepted',
    filledQty: ZERO,
    filledPrice: null,
    dueAt: state.filling === 'by_hand' ? Infinity : now + state.filling,
    cancelledAt: null,
    visibleAt: now + state.appearing,
    fillsToldAt: 0,
    replacedBy: null,
    replaces: null,
  };
  account.orders.push(order);
  return order;
}

/** As whole as the order is. */
export const halfOf = (qty: Decimal): Decimal =>
  isWhole(qty) && qty.gt(ONE) ? qty.div(TWO).round(0, 0) : qty.div(TWO).round(MOST_PLACES, 0);
