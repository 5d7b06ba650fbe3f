import { ZERO, decimal } from '@slipstream/domain';
import type { Run } from '../../run/run.js';
import type { World } from '../../world/world.js';
import type { KeptOrder } from '../../world/accounts.js';
import type { BotOrderRow, BotRow } from '../../world/rows.js';
import { tradesNow } from './following.js';
import { checkPaced } from './pacing.js';
import { checkOwned, ownPart } from './venue.js';

/** Spec 3 and contract 4: the allowed changes of status, written independently of the core's table. */
const MAY_GO: Readonly<Record<string, readonly string[]>> = {
  off: ['scheduled_rebalance'],
  scheduled_rebalance: ['rebalancing', 'running', 'stopping', 'error'],
  rebalancing: ['scheduled_rebalance', 'running', 'stopping', 'error'],
  running: ['scheduled_rebalance', 'rebalancing', 'stopping', 'error'],
  stopping: ['closing', 'off', 'error'],
  closing: ['stopping', 'off', 'error'],
  error: ['scheduled_rebalance', 'stopping'],
};

const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  off: ['off'],
  scheduled_rebalance: ['active'],
  rebalancing: ['active'],
  running: ['active'],
  stopping: ['closing'],
  closing: ['closing'],
  error: ['active', 'closing'],
};

/** B1: the intent is stored before the broker gets the order. */
export function checkIntent(world: World, { clientOrderId }: { clientOrderId: string }): void {
  const [stored] = world.database.rows('SELECT id FROM bot_orders WHERE id = ?', clientOrderId);
  if (!stored) world.violate('B1', `the broker is sent ${clientOrderId}, which is not stored`);
}

interface LimitedOrderRow {
  readonly amount: string;
  readonly limit_price: string | null;
  readonly closes: number;
  readonly breach: string | null;
  readonly limits: string;
}

/** B8: after a breach not one increase is sent. B9: no increase beyond the limit of an order, at its own limit price. */
export function checkLimits(world: World, { clientOrderId }: { clientOrderId: string }): void {
  const [order] = world.database.rows<LimitedOrderRow>(
    `SELECT bot_orders.amount, limit_price, closes, breach, limits
     FROM bot_orders JOIN bots ON bots.id = bot_orders.bot_id WHERE bot_orders.id = ?`,
    clientOrderId,
  );
  if (!order || order.closes === 1) return;
  if (order.breach !== null && !world.interleaves)
    world.violate('B8', `the increase ${clientOrderId} is sent after a breach`);
  const { maxOrder } = JSON.parse(order.limits) as { readonly maxOrder?: string | null };
  if (!maxOrder) return;
  world.reach('bot order: within max_order');
  const value = decimal(order.amount).times(decimal(order.limit_price ?? '0'));
  if (order.limit_price === null || value.gt(decimal(maxOrder)))
    world.violate('B9', `the increase ${clientOrderId} is beyond max_order ${maxOrder}`);
}

interface JoiningOrderRow {
  readonly stock_id: string;
  readonly action: string;
  readonly closes: number;
  readonly bot_id: string;
  readonly join: string;
  readonly allocations: string;
}

/** B10: a bot that joins only what is new increases no stock that its strategies only held or reduced since its start. */
export function checkJoined(
  { world, memory }: Run,
  { clientOrderId }: { clientOrderId: string },
): void {
  const [order] = world.database.rows<JoiningOrderRow>(
    `SELECT stock_id, action, closes, bot_id, b."join", allocations
     FROM bot_orders JOIN bots b ON b.id = bot_orders.bot_id WHERE bot_orders.id = ?`,
    clientOrderId,
  );
  if (order?.join !== 'new_only' || order.closes === 1) return;
  const strategies = (JSON.parse(order.allocations) as [string, string][]).map(([name]) => name);
  const before = memory.tradesBefore.get(order.bot_id);
  if (!before) return;
  const trades = world.database.rows<{ id: string; strategy_id: string; action: string }>(
    'SELECT id, strategy_id, action FROM trades WHERE stock_id = ?',
    order.stock_id,
  );
  world.reach('bot order: joins what is new');
  // The trades of one of two strategies may leave the other way to go.
  const isExplained = trades.some(
    ({ id, strategy_id, action }) =>
      !before.has(id) &&
      strategies.includes(strategy_id) &&
      (strategies.length > 1 || action === order.action),
  );
  if (!isExplained)
    world.violate('B10', `the increase ${clientOrderId} takes ${order.stock_id}, held before`);
}

/** B8: a breach stands as it is until it is acknowledged. */
function checkBreach({ world, memory }: Run, { id: botId, breach }: BotRow): void {
  const before = memory.breaches.get(botId);
  if (before === (breach ?? undefined)) return;
  if (breach === null) memory.breaches.delete(botId);
  else memory.breaches.set(botId, breach);
  if (breach !== null) world.reach('bot: breached');
  if (before === undefined || memory.acknowledgedBreaches.delete(botId)) return;
  world.violate('B8', `the breach of bot ${botId} was ${before}, and now it is ${breach}`);
}

/** B7: statuses follow the table; a stop that closes does not end while something can be sold. */
function checkStatus({ world, memory }: Run, bot: BotRow): void {
  const now = `${bot.status}/${bot.condition}/${bot.closes_positions}`;
  const before = memory.bots.get(bot.id);
  if (before === now) return;
  memory.bots.set(bot.id, now);
  world.note(`bot ${bot.id} ${now}`);
  world.reach(`bot: ${bot.status}`);
  if (!CONDITIONS[bot.status]?.includes(bot.condition)) {
    world.violate('B7', `bot ${bot.id} is ${bot.status} and ${bot.condition}`);
  }
  const [from = 'off', , closes] = before?.split('/') ?? [];
  if (from === 'off') memory.tradesBefore.set(bot.id, tradesNow(world));
  if (from === bot.status) return;
  world.reach(`bot: ${from} -> ${bot.status}`);
  const reachable = MAY_GO[from] ?? [];
  // Transactions that arrive together share a commit: then two steps are seen as one.
  const further = world.interleaves ? reachable.flatMap((status) => MAY_GO[status] ?? []) : [];
  if (![...reachable, ...further].includes(bot.status)) {
    world.violate('B7', `bot ${bot.id} went from ${from} to ${bot.status}`);
  }
  if (bot.status !== 'off' || closes !== '1') return;
  const left = Object.keys(ownPart(world, bot)?.amounts ?? {});
  // An amount that is too small to sell counts as flat and is named in the reason.
  const silent = left.find((stockId) => !bot.status_reason?.includes(stockId));
  if (silent !== undefined) {
    world.violate('B7', `bot ${bot.id} is off and was to close, yet ${silent} is left`);
  }
}

/** B2: there is at most one order per client order id. */
function checkBrokerOrders(world: World, known: ReadonlySet<string>): void {
  for (const [accountId, account] of world.broker.accounts()) {
    const ids = account.orders.map((order) => order.clientOrderId);
    const twice = ids.find((one, index) => ids.indexOf(one) !== index);
    if (twice !== undefined) {
      world.violate('B2', `the broker has two orders of client order id ${twice} in ${accountId}`);
    }
    const foreign = ids.find((one) => !known.has(one) && !one.startsWith('foreign-'));
    if (foreign !== undefined) world.violate('B1', `the broker has ${foreign}, which nobody meant`);
  }
}

/** Orders that are stored for the first time: B13, and what B12 compares with when they leave. */
function checkPlans(run: Run, bots: readonly BotRow[], orders: readonly BotOrderRow[]): void {
  const { world, memory } = run;
  const fresh = orders.filter(({ id }) => !memory.botFills.has(id));
  if (fresh.length > 0) {
    const trades = tradesNow(world);
    for (const { id } of fresh) memory.tradesAtPlan.set(id, trades);
  }
  for (const bot of bots)
    checkPaced(
      run,
      bot,
      fresh.filter((order) => order.bot_id === bot.id),
    );
}

export function checkBots(run: Run): void {
  const { world, memory } = run;
  const bots = world.database.rows<BotRow>('SELECT * FROM bots');
  for (const bot of bots) {
    checkStatus(run, bot);
    checkBreach(run, bot);
  }
  const orders = world.database.rows<BotOrderRow>('SELECT * FROM bot_orders');
  checkPlans(run, bots, orders);
  for (const order of orders) {
    const before = memory.botFills.get(order.id) ?? '0';
    const filled = decimal(order.filled_amount);
    // A reverse split of an open order leaves fewer shares of it, and at its broker as few.
    const there = brokerOrder(world, order, bots)?.filledAmount;
    if (filled.lt(decimal(before)) && there !== order.filled_amount) {
      world.violate('B4', `what is filled of bot order ${order.id} fell from ${before}`);
    }
    if (filled.gt(decimal(order.amount))) {
      world.violate('B4', `bot order ${order.id} was filled beyond its amount`);
    }
    memory.botFills.set(order.id, order.filled_amount);
    world.reach(`bot order: ${order.status}`);
    checkAgainstBroker(world, order, bots);
  }
  for (const order of orders) memory.botFills.set(order.id, order.filled_amount);
  checkBrokerOrders(world, new Set(memory.botFills.keys()));
  checkOwned(world);
}

/** The order in the broker's records. */
function brokerOrder(
  world: World,
  order: BotOrderRow,
  bots: readonly BotRow[],
): KeptOrder | undefined {
  const accountId = bots.find((bot) => bot.id === order.bot_id)?.account_id;
  const kept = accountId === undefined ? undefined : world.broker.account(accountId);
  return kept?.orders.find((one) => one.clientOrderId === order.id);
}

/** B3, B4: a bot reports of an order only what the broker reported, and never a failure on its own. */
function checkAgainstBroker(world: World, order: BotOrderRow, bots: readonly BotRow[]): void {
  const there = brokerOrder(world, order, bots);
  if (decimal(order.filled_amount).gt(decimal(there?.filledAmount ?? '0'))) {
    world.violate('B4', `bot order ${order.id} counts more than the broker filled`);
  }
  // Alpaca has no order where it refused one.
  const wasRefused = there?.status === 'rejected' || (!there && world.broker.name !== 'simulated');
  if (order.status === 'rejected' && !wasRefused) {
    world.violate('B3', `bot order ${order.id} is rejected, the broker says ${there?.status}`);
  }
  if (order.status === 'filled' && there?.status !== 'filled') {
    world.violate('B3', `bot order ${order.id} is filled, the broker says ${there?.status}`);
  }
  if (there && decimal(there.filledAmount).gt(ZERO)) world.reach('broker: filled');
}
