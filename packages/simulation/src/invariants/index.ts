import type { Run } from '../run/run.js';
import { checkAudit, checkWholeAudit } from './audit.js';
import { checkAnnounced } from './announced.js';
import { checkAlerts } from './alerts.js';
import { checkBots } from './mirroring/bots.js';
import { checkCounts } from './counts.js';
import { checkEnded } from './ended.js';
import { checkBalances, checkTrades } from './ledger.js';
import { checkMoney } from './money.js';
import { checkOrders, checkVersions } from './orders.js';
import type { OrderRow, TradeRow } from '../world/rows.js';
import { checkSeries } from './series.js';
import { checkStockActions } from './stock-actions.js';

const OF_ACTIONS = ['stock_actions', 'adjustments'];
const OF_ANNOUNCED = ['announced_actions', 'trades'];
const OF_BOOKS = ['books', 'positions', 'orders', 'trades', 'adjustments'];
const OF_ALERTS = ['alerts', 'orders'];
const OF_BOTS = ['bots', 'bot_orders'];
const OF_ENDED = ['strategies', 'orders', 'subscriptions', 'invoices'];
const OF_COUNTS = ['users', 'strategies', 'bots', 'mails', 'invoices', 'withdrawals'];
const OF_MONEY = [
  'invoices',
  'earnings',
  'withdrawals',
  'subscriptions',
  'users',
  'payment_sources',
];

/** Checks cash, positions, orders and trades of every book. */
function checkBooks(run: Run): void {
  const { world, memory } = run;
  const { database } = world;
  const orders = new Map(
    database.rows<OrderRow>('SELECT * FROM orders ORDER BY place').map((row) => [row.id, row]),
  );
  const trades = database.rows<TradeRow>('SELECT * FROM trades');
  checkTrades(run, trades, orders);
  checkBalances(world, trades);
  checkOrders(run, orders, trades);
  checkVersions(run);
  memory.state = undefined;
}

/** Checks every invariant of committed data by SQL, as far as the `written` tables concern it. */
export function checkCommitted(run: Run, written: ReadonlySet<string>): void {
  checkAudit(run, written);
  checkTables(run, written);
}

function checkTables(run: Run, written: ReadonlySet<string>): void {
  const { world, memory } = run;
  const touches = (tables: readonly string[]): boolean => tables.some((one) => written.has(one));
  memory.freshSplits.clear();
  if (touches(OF_ACTIONS)) checkStockActions(run);
  if (touches(OF_ANNOUNCED)) checkAnnounced(run);
  if (touches(OF_BOOKS)) checkBooks(run);
  if (touches(OF_ALERTS)) checkAlerts(run);
  if (touches(['value_buckets'])) checkSeries(run);
  if (touches(OF_BOTS)) checkBots(run);
  if (touches(OF_MONEY)) checkMoney(run);
  if (touches(OF_ENDED)) checkEnded(run);
  if (touches(OF_COUNTS)) checkCounts(world);
}

/** Checks all invariants of committed data. */
export function checkAll(run: Run): void {
  const { world } = run;
  checkWholeAudit(world);
  checkTables(run, new Set([...OF_BOOKS, ...OF_ALERTS, ...OF_BOTS, ...OF_MONEY, 'value_buckets']));
}
