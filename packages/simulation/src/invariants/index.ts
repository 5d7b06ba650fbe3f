import type { World } from '../world.js';
import { checkAudit, checkWholeAudit } from './audit.js';
import { checkAlerts } from './alerts.js';
import { checkBots } from './bots.js';
import { checkEnded } from './ended.js';
import { checkBalances, checkTrades } from './ledger.js';
import { checkMoney } from './money.js';
import { checkOrders, checkVersions } from './orders.js';
import type { OrderRow, TradeRow } from './rows.js';
import { checkSeries } from './series.js';
import { checkStockActions } from './stock-actions.js';

const OF_ACTIONS = ['stock_actions', 'adjustments'];
const OF_BOOKS = ['books', 'positions', 'orders', 'trades', 'adjustments'];
const OF_ALERTS = ['alerts', 'orders'];
const OF_BOTS = ['bots', 'bot_orders'];
const OF_ENDED = ['strategies', 'orders', 'subscriptions', 'invoices'];
const OF_MONEY = ['invoices', 'earnings', 'withdrawals', 'subscriptions'];

/** Cash, positions, orders and trades of every book. */
function checkBooks(world: World): void {
  const { database } = world;
  const orders = new Map(
    database.rows<OrderRow>('SELECT * FROM orders ORDER BY place').map((row) => [row.id, row]),
  );
  const trades = database.rows<TradeRow>('SELECT * FROM trades');
  checkTrades(world, trades, orders);
  checkBalances(world, trades);
  checkOrders(world, orders, trades);
  checkVersions(world);
  world.memory.state = undefined;
}

/** Everything that must hold of what is committed, whatever happened; by SQL over the tables, where `written` ones matter. */
export function checkCommitted(world: World, written: ReadonlySet<string>): void {
  checkAudit(world, written);
  checkTables(world, written);
}

function checkTables(world: World, written: ReadonlySet<string>): void {
  const touches = (tables: readonly string[]): boolean => tables.some((one) => written.has(one));
  world.memory.freshSplits.clear();
  if (touches(OF_ACTIONS)) checkStockActions(world);
  if (touches(OF_BOOKS)) checkBooks(world);
  if (touches(OF_ALERTS)) checkAlerts(world);
  if (touches(['value_buckets'])) checkSeries(world);
  if (touches(OF_BOTS)) checkBots(world);
  if (touches(OF_MONEY)) checkMoney(world);
  if (touches(OF_ENDED)) checkEnded(world);
}

/** All of it, whatever was written. */
export function checkAll(world: World): void {
  checkWholeAudit(world);
  checkTables(
    world,
    new Set([...OF_BOOKS, ...OF_ALERTS, ...OF_BOTS, ...OF_MONEY, 'value_buckets']),
  );
}
