import type { Run } from '../run/run.js';
import { checkAdjustedOrder } from './stock-actions.js';
import type { BookRow, OrderRow, TradeRow } from '../world/rows.js';

const dependsOn = (order: OrderRow): readonly string[] => JSON.parse(order.depends_on) as string[];

/** O1: a closed order never changes. */
function checkClosed({ world, memory }: Run, order: OrderRow, traded: ReadonlySet<string>): void {
  const row = JSON.stringify(order);
  const before = memory.closed.get(order.id);
  if (before === row) return;
  if (before !== undefined) world.violate('O1', `order ${order.id} changed after it was closed`);
  memory.closed.set(order.id, row);
  memory.waitsFor.delete(order.id);
  memory.figures.delete(order.id);
  world.reach(`order: ${order.type} ${order.status}`);
  if (dependsOn(order).length > 0) {
    world.violate('O4', `order ${order.id} is ${order.status} and still waits for another`);
  }
  if (order.status === 'filled' && !traded.has(order.id)) {
    world.violate('O2', `order ${order.id} is filled without a trade`);
  }
}

/** O4, O5: an open order waits only for older open orders of its strategy, and its prerequisites only decrease. */
function checkOpen(run: Run, order: OrderRow, orders: ReadonlyMap<string, OrderRow>): void {
  const { world, memory } = run;
  if (memory.closed.has(order.id)) world.violate('O1', `order ${order.id} was opened again`);
  checkAdjustedOrder(run, order);
  const waits = dependsOn(order);
  const before = memory.waitsFor.get(order.id);
  for (const prerequisite of waits) {
    const other = orders.get(prerequisite);
    if (other?.status !== 'open') {
      world.violate('O5', `order ${order.id} waits for ${prerequisite}, which is ${other?.status}`);
    } else if (other.strategy_id !== order.strategy_id || other.place >= order.place) {
      world.violate('O4', `order ${order.id} waits for ${prerequisite}, which is no older one`);
    }
    if (before && !before.includes(prerequisite)) {
      world.violate('O5', `order ${order.id} waits for ${prerequisite} since it was accepted`);
    }
  }
  if (before && waits.length < before.length) world.reach('order: released');
  memory.waitsFor.set(order.id, waits);
}

export function checkOrders(
  run: Run,
  orders: ReadonlyMap<string, OrderRow>,
  trades: readonly TradeRow[],
): void {
  const traded = new Set(trades.map((trade) => trade.order_id));
  for (const order of orders.values()) {
    if (order.status === 'open') checkOpen(run, order, orders);
    else checkClosed(run, order, traded);
  }
}

/** O8: a book's version only rises, by one per command. `checkStep` checks their number. */
export function checkVersions({ world, memory }: Run): void {
  for (const { strategy_id, version } of world.database.rows<BookRow>('SELECT * FROM books')) {
    const before = memory.versions.get(strategy_id) ?? 0;
    if (version < before) world.violate('O8', `the version of ${strategy_id} fell to ${version}`);
    memory.versions.set(strategy_id, version);
  }
}
