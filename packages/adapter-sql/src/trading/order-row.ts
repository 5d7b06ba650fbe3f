import {
  type Decimal,
  type OpenOrder,
  type Order,
  type OrderId,
  type OrderStatus,
  type OrderType,
  type Pricing,
  type Size,
  decimal,
  id,
  pricingWith,
} from '@slipstream/domain';
import type { Stored } from '../storage/codec.js';
import type { OrderRow } from './columns.js';

const orNull = (value: Decimal | null | undefined): string | null => value?.toFixed() ?? null;

/** Most orders wait for nothing. */
const NOTHING: readonly OrderId[] = [];

/** The columns that change while an order lives. */
// oxfmt-ignore
export const PROGRESS = [
  'depends_on', 'triggered_at', 'status', 'resting_since', 'closed_at', 'filled_price', 'filled_amount',
  'filled_total', 'fee_total', 'reason',
] as const satisfies readonly (keyof OrderRow)[];

export type OrderProgress = Pick<OrderRow, (typeof PROGRESS)[number]>;

export const progressOf = (order: Order): OrderProgress => ({
  depends_on: order.dependsOn.length === 0 ? '[]' : JSON.stringify(order.dependsOn),
  triggered_at: order.triggeredAt,
  status: order.status,
  resting_since: order.status === 'open' ? order.restingSince : null,
  closed_at: order.status === 'open' ? null : order.closedAt,
  filled_price: order.status === 'filled' ? orNull(order.filledPrice) : null,
  filled_amount: order.status === 'filled' ? order.filledAmount.toFixed() : null,
  filled_total: order.status === 'filled' ? order.filledTotal.toFixed() : null,
  fee_total: order.status === 'filled' ? order.feeTotal.toFixed() : null,
  reason: order.status === 'open' ? null : order.reason,
});

export function orderRow(order: Order): OrderRow {
  const { pricing, size } = order;
  return {
    id: order.id,
    strategy_id: order.strategyId,
    stock_id: order.stockId,
    action: order.action,
    type: pricing.type,
    price: 'price' in pricing ? orNull(pricing.price) : null,
    stop_price: 'stopPrice' in pricing ? orNull(pricing.stopPrice) : null,
    amount: size.by === 'amount' ? orNull(size.amount) : null,
    total: size.by === 'total' ? orNull(size.total) : null,
    reduce_only: order.reduceOnly ? 1 : 0,
    origin: order.origin,
    created_at: order.createdAt,
    ...progressOf(order),
  };
}

/** The columns of an order, to insert it. */
export const orderColumns = {
  // oxfmt-ignore
  names: [
    'id', 'strategy_id', 'stock_id', 'action', 'type', 'price', 'stop_price', 'amount', 'total',
    'reduce_only', 'origin', 'created_at', 'depends_on', 'triggered_at', 'status', 'resting_since',
    'closed_at', 'filled_price', 'filled_amount', 'filled_total', 'fee_total', 'reason',
  ] as const satisfies readonly (keyof OrderRow)[],
  /** The values of `orderRow`, which has its keys in this order. */
  store: (order: Order): Stored[] =>
    Object.values<Stored>(orderRow(order) as unknown as Record<string, Stored>),
};

/** A figure that the row must hold. */
function required(text: string | null): Decimal {
  if (text === null) throw new Error('an order lacks a figure that its status needs');
  return decimal(text);
}

const pricingOf = (row: OrderRow): Pricing =>
  pricingWith(row.type as OrderType, (name) =>
    required(name === 'price' ? row.price : row.stop_price),
  );

const sizeOf = (row: OrderRow): Size =>
  row.amount === null
    ? { by: 'total', total: required(row.total) }
    : { by: 'amount', amount: decimal(row.amount) };

export function openOrderOf(row: OrderRow): OpenOrder {
  return { status: 'open', restingSince: row.resting_since, ...requestOf(row) };
}

const requestOf = (row: OrderRow): Omit<OpenOrder, 'status' | 'restingSince'> => ({
  id: id(row.id),
  strategyId: id(row.strategy_id),
  stockId: id(row.stock_id),
  action: row.action as OpenOrder['action'],
  pricing: pricingOf(row),
  size: sizeOf(row),
  dependsOn: row.depends_on === '[]' ? NOTHING : (JSON.parse(row.depends_on) as OrderId[]),
  reduceOnly: row.reduce_only === 1,
  origin: row.origin as OpenOrder['origin'],
  createdAt: row.created_at,
  triggeredAt: row.triggered_at,
});

export function orderOf(row: OrderRow): Order {
  const status = row.status as OrderStatus;
  if (status === 'open') return openOrderOf(row);
  const closedAt = row.closed_at ?? row.created_at;
  return status === 'filled'
    ? {
        status,
        closedAt,
        filledPrice: required(row.filled_price),
        filledAmount: required(row.filled_amount),
        filledTotal: required(row.filled_total),
        feeTotal: required(row.fee_total),
        reason: row.reason,
        ...requestOf(row),
      }
    : { status, closedAt, reason: row.reason ?? '', ...requestOf(row) };
}
