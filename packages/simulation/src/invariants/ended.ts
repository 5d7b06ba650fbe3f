import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';
import { type InvoiceRow, unusedAt } from './money.js';
import type { OrderRow } from '../world/rows.js';

interface EndedRow {
  readonly id: string;
  /** When the strategy ended or was deleted, the earlier of both. */
  readonly ended_at: number;
  readonly is_deleted: number;
  /** Null once the end is complete for all followers. */
  readonly end_under_way: string | null;
}

/** E1: open orders of an ended strategy can only reduce. One that looks younger may be older: the clock was set back before the end. */
function checkOrders(world: World, { id, ended_at }: EndedRow): void {
  const orders = world.database.rows<OrderRow>(
    "SELECT * FROM orders WHERE strategy_id = ? AND reduce_only = 0 AND (status = 'open' OR created_at > ?)",
    id,
    String(ended_at + world.setBackBy),
  );
  for (const order of orders)
    world.violate('E1', `order ${order.id} of ${id}, which is over, is ${order.status}`);
}

/** E2: nobody pays for it any more, and the remaining whole days are refunded, rounded up to a cent, to all but who ended their account. */
function checkMoney({ world, memory }: Run, { id, ended_at }: EndedRow, fate: string): void {
  const [going] = world.database.rows<{ id: string }>(
    "SELECT id FROM subscriptions WHERE strategy_id = ? AND price > 0 AND status <> 'cancelled'",
    id,
  );
  if (going) world.violate('E2', `subscription ${going.id} of ${id}, which is ${fate}, goes on`);
  const paid = world.database.rows<InvoiceRow>(
    "SELECT * FROM invoices WHERE strategy_id = ? AND status = 'paid' AND anchor_at IS NOT NULL",
    id,
  );
  for (const invoice of paid) {
    const { id: invoiceId, user_id, amount_refunded } = invoice;
    const unused = unusedAt(invoice, ended_at);
    if (amount_refunded < unused && !memory.leaving.has(user_id))
      world.violate('E2', `${amount_refunded} of ${unused} cents of ${invoiceId} are given back`);
    if (unused > 0) world.reach(`strategy: ${fate}, and refunded`);
  }
}

/** The invariants of strategies that have ended (contract 7b.9) or are deleted. */
export function checkEnded(run: Run): void {
  const { world } = run;
  const ended = world.database.rows<EndedRow>(
    'SELECT id, coalesce(ended_at, deleted_at) AS ended_at, deleted_at IS NOT NULL AS is_deleted, end_under_way FROM strategies WHERE ended_at IS NOT NULL OR deleted_at IS NOT NULL',
  );
  for (const strategy of ended) {
    const fate = strategy.is_deleted === 1 ? 'deleted' : 'over';
    world.reach(`strategy: ${fate}`);
    if (strategy.is_deleted === 0) checkOrders(world, strategy);
    if (strategy.end_under_way === null) checkMoney(run, strategy, fate);
    else world.reach('strategy: its end is under way');
  }
}

/** At rest, the end of every such strategy is complete for all followers. */
export function checkEndsSettled(world: World): void {
  const [left] = world.database.rows<EndedRow>(
    'SELECT id FROM strategies WHERE end_under_way IS NOT NULL',
  );
  if (left) world.violate('liveness', `the followers of ${left.id}, which has ended, still wait`);
}
