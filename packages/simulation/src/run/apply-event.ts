import type { ChannelView, Frame } from './client.js';

type Item = Readonly<Record<string, unknown>>;

const itemsOf = (kind: string, data: unknown): Item[] =>
  (kind === 'wsPositions' ? (data as { positions: unknown }).positions : data) as Item[];

/** Of a channel of which nothing came yet. */
export const newView = (): ChannelView => ({
  version: -1,
  items: new Map(),
  cash: undefined,
  last: undefined,
});

/** Applies an event to the client's view of a channel (contract 6). */
export function applyEvent(seen: ChannelView, { channel, event, version, data }: Frame): void {
  const [kind = ''] = channel.split(':');
  seen.version = version;
  seen.last = data;
  if (kind === 'wsOrders') {
    if (event === 'snapshot') {
      seen.items.clear();
      for (const order of itemsOf(kind, data)) seen.items.set(order['order_id'] as string, order);
      return;
    }
    const order = data as Item;
    const orderId = order['order_id'] as string;
    if (order['order_status'] === 'open') seen.items.set(orderId, order);
    else seen.items.delete(orderId);
  } else if (kind === 'wsAlerts') {
    if (event === 'snapshot') seen.items.clear();
    for (const alert of event === 'snapshot' ? itemsOf(kind, data) : [data as Item])
      seen.items.set(alert['inbox_id'] as string, alert);
  } else if (kind === 'wsPositions') {
    if (event === 'valued') return;
    if (event === 'snapshot') seen.items.clear();
    seen.cash = (data as { cash: string }).cash;
    for (const position of itemsOf(kind, data)) {
      const stockId = position['stock_id'] as string;
      if (position['amount'] === '0') seen.items.delete(stockId);
      else seen.items.set(stockId, position);
    }
  }
}
