import { addMonths } from '@slipstream/domain';
import type { World } from '../world.js';
import type { InvoiceRow } from './money.js';
import type { OrderRow } from './rows.js';

interface EndedRow {
  readonly id: string;
  readonly ended_at: number;
}

const DAY = 86_400_000;

/** E1: what an ended strategy still orders can only reduce. */
function checkOrders(world: World, { id, ended_at }: EndedRow): void {
  const orders = world.database.rows<OrderRow>(
    "SELECT * FROM orders WHERE strategy_id = ? AND reduce_only = 0 AND (status = 'open' OR created_at > ?)",
    id,
    String(ended_at),
  );
  for (const order of orders)
    world.violate('E1', `order ${order.id} of ${id}, which is over, is ${order.status}`);
}

/** E2: whoever paid for it has stopped paying, and has the whole days back that were left, rounded up to a cent. */
function checkMoney(world: World, { id, ended_at }: EndedRow): void {
  const [going] = world.database.rows<{ id: string }>(
    "SELECT id FROM subscriptions WHERE strategy_id = ? AND price > 0 AND status <> 'cancelled'",
    id,
  );
  if (going) world.violate('E2', `subscription ${going.id} of ${id}, which is over, goes on`);
  const paid = world.database.rows<InvoiceRow>(
    "SELECT * FROM invoices WHERE strategy_id = ? AND status = 'paid' AND anchor_at IS NOT NULL",
    id,
  );
  for (const { id: invoiceId, amount, amount_refunded, anchor_at, month } of paid) {
    if (anchor_at === null || anchor_at > ended_at) continue;
    const [from, until] = [addMonths(anchor_at, month - 1), addMonths(anchor_at, month)];
    const left = Math.max(0, Math.floor((until - ended_at) / DAY));
    const unused = Math.ceil((amount * left) / ((until - from) / DAY));
    if (amount_refunded < unused)
      world.violate('E2', `${amount_refunded} of ${unused} cents of ${invoiceId} are given back`);
    if (unused > 0) world.reach('strategy: over, and refunded');
  }
}

/** What holds of strategies that are over (contract 7b.9). */
export function checkEnded(world: World): void {
  const ended = world.database.rows<EndedRow>(
    'SELECT id, ended_at FROM strategies WHERE ended_at IS NOT NULL AND deleted_at IS NULL',
  );
  for (const strategy of ended) {
    world.reach('strategy: over');
    checkOrders(world, strategy);
    checkMoney(world, strategy);
  }
}
