import type { BookChange, Order } from '@slipstream/domain';
import type { ReferenceCommand } from './commands.js';
import { Difference, same, sameFigure } from './difference.js';
import type { ModelEvent } from './engine/engine.js';
import type { ModelOrder } from './engine/model.js';
import type { BookChanged } from './subject.js';

/** An order's figures, open or closed. */
export function sameOrder(what: string, model: ModelOrder, order: Order): void {
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
