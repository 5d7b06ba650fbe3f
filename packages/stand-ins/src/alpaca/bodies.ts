import { ZERO } from '@slipstream/domain';
import {
  type Account,
  type Activity,
  type Asset,
  type Order,
  type State,
  buyingPower,
  equityOf,
  heldOf,
  isOpen,
  leftOf,
  longValue,
  nonMarginablePower,
  priceOf,
  shortValue,
} from './state.js';

const timeOf = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();

const toldFill = ({ filledQty, filledPrice, fillsToldAt }: Order, now: number) =>
  now < fillsToldAt
    ? { filled_qty: '0', filled_avg_price: null }
    : { filled_qty: filledQty.toFixed(), filled_avg_price: filledPrice?.toFixed() ?? null };

export const orderBody = (order: Order, now: number) => ({
  id: order.id,
  client_order_id: order.clientOrderId,
  created_at: timeOf(order.submittedAt),
  submitted_at: timeOf(order.submittedAt),
  filled_at: order.status === 'filled' ? timeOf(order.submittedAt) : null,
  expired_at: order.status === 'expired' ? timeOf(order.submittedAt) : null,
  canceled_at: order.status === 'canceled' ? timeOf(order.submittedAt) : null,
  replaced_by: order.replacedBy,
  replaces: order.replaces,
  asset_id: order.asset.id,
  symbol: order.asset.symbol,
  asset_class: order.asset.class,
  notional: null,
  qty: order.qty.toFixed(),
  ...toldFill(order, now),
  order_class: '',
  type: order.limitPrice ? 'limit' : 'market',
  order_type: order.limitPrice ? 'limit' : 'market',
  side: order.side,
  time_in_force: order.timeInForce,
  limit_price: order.limitPrice?.toFixed() ?? null,
  stop_price: null,
  status: order.status,
  extended_hours: false,
  legs: null,
});

export const activityBody = ({ id, type, at, cash, symbol, qty, isCancelled }: Activity) => ({
  id,
  activity_type: type,
  date: new Date(at).toISOString().slice(0, 10),
  created_at: new Date(at).toISOString(),
  net_amount: cash.toFixed(),
  ...(symbol !== null && { symbol }),
  ...(qty !== null && { qty: qty.toFixed() }),
  status: isCancelled ? 'canceled' : 'executed',
});

export const assetBody = (asset: Asset) => ({
  id: asset.id,
  class: asset.class,
  exchange: asset.exchange,
  symbol: asset.symbol,
  name: asset.symbol,
  status: asset.status,
  tradable: asset.tradable && !asset.halted,
  marginable: asset.class === 'us_equity',
  shortable: asset.shortable,
  fractionable: asset.fractionable,
  // docs.alpaca.markets/us/changelog/2026-06-05-borrow-status: `easy_to_borrow` ended on 2026-09-22. Coins do not have it.
  ...(asset.class === 'us_equity' && {
    borrow_status: asset.shortable ? 'easy_to_borrow' : 'hard_to_borrow',
  }),
  ...(asset.class === 'crypto' && {
    min_order_size: '0.0001',
    min_trade_increment: '0.000000001',
    price_increment: asset.priceIncrement,
  }),
});

export function positionBody(account: Account, asset: Asset) {
  const held = heldOf(account, asset);
  const busy = account.orders.filter(
    (order) => isOpen(order) && order.asset === asset && (order.side === 'sell') === held.gt(ZERO),
  );
  const available = busy.reduce((rest, order) => rest.minus(leftOf(order)), held.abs());
  const price = priceOf(asset);
  return {
    asset_id: asset.id,
    symbol: asset.symbol.replace('/', ''),
    exchange: asset.exchange,
    asset_class: asset.class,
    avg_entry_price: price.toFixed(),
    qty: held.toFixed(),
    qty_available: held.gt(ZERO) ? available.toFixed() : ZERO.minus(available).toFixed(),
    side: held.gt(ZERO) ? 'long' : 'short',
    market_value: held.times(price).toFixed(),
    cost_basis: held.times(price).toFixed(),
    current_price: price.toFixed(),
    lastday_price: price.toFixed(),
    change_today: '0',
    asset_marginable: asset.class === 'us_equity',
    // It keeps no prices of entry: a position is as if it was opened now.
    unrealized_pl: '0',
    unrealized_plpc: '0',
    unrealized_intraday_pl: '0',
    unrealized_intraday_plpc: '0',
  };
}

export function accountBody(state: State, account: Account) {
  const equity = equityOf(state, account).toFixed();
  return {
    id: `account-${account.number}`,
    account_number: account.number,
    status: account.status,
    crypto_status: account.cryptoStatus,
    currency: 'USD',
    cash: account.cash.toFixed(),
    equity,
    portfolio_value: equity,
    long_market_value: longValue(state, account).toFixed(),
    short_market_value: shortValue(state, account).toFixed(),
    buying_power: buyingPower(state, account).toFixed(),
    regt_buying_power: buyingPower(state, account).toFixed(),
    non_marginable_buying_power: nonMarginablePower(account).toFixed(),
    multiplier: `${account.multiplier}`,
    shorting_enabled: account.shorting,
    account_blocked: account.blocked,
    trading_blocked: account.tradingBlocked,
    transfers_blocked: false,
    trade_suspended_by_user: account.suspendedByUser,
    created_at: '2026-01-01T00:00:00Z',
  };
}
