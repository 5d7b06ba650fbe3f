import type { World } from '../world.js';
import { checkBots } from './bots.js';
import { checkBalances, checkTrades } from './ledger.js';
import { checkOrders, checkVersions } from './orders.js';
import type { OrderRow, TradeRow } from './rows.js';
import { checkSeries } from './series.js';

const OF_BOOKS = ['books', 'positions', 'orders', 'trades'];
const OF_BOTS = ['bots', 'bot_orders'];

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
  const touches = (tables: readonly string[]): boolean => tables.some((one) => written.has(one));
  if (touches(OF_BOOKS)) checkBooks(world);
  if (touches(['value_buckets'])) checkSeries(world);
  if (touches(OF_BOTS)) checkBots(world);
}

/** All of it, whatever was written. */
export const checkAll = (world: World): void =>
  checkCommitted(world, new Set([...OF_BOOKS, ...OF_BOTS, 'value_buckets']));
