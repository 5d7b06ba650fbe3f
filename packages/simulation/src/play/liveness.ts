import { type Decimal, ZERO, decimal, divide } from '@slipstream/domain';
import { checkIdle, checkValuesSeen } from '../invariants/idle.js';
import { checkAnnouncedRest } from '../invariants/announced.js';
import { checkAll } from '../invariants/index.js';
import { checkEndsSettled } from '../invariants/ended.js';
import { checkMoneyRests } from '../invariants/money.js';
import { checkKept, checkNoneLost, isAgainstKept, ownPart } from '../invariants/mirroring/venue.js';
import type { BotRow, OrderRow } from '../world/rows.js';
import { faultPlan } from '../story/fault-plan.js';
import { perform } from '../perform/perform.js';
import { standingHalts, stockStatus } from '../world/places.js';
import { targetOf, valueOfHolding } from '../world/targets.js';
import { type CommandContext, commandContext } from '../perform/context.js';
import { noticeOf } from '../perform/money.js';
import type { Command } from '../story/story.js';
import { STOCKS } from '../world/stocks.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';

/** Rounds of half a minute without faults, after which everything must be at rest. */
const ROUNDS = 30;

const EVERY_QUOTE: Command = {
  do: 'newQuotes',
  quotes: STOCKS.map((_, stock) => ({ stock, move: 0, kind: 'good' })),
};

const act = (run: Run, command: Command): Promise<void> =>
  drive(run, command.do, (context) => perform(context, command));

async function drive(
  run: Run,
  what: string,
  work: (context: CommandContext) => Promise<void>,
): Promise<void> {
  const { world, process } = run;
  if (!process || world.violation) return;
  let failure: Error | undefined;
  let done = false;
  work(commandContext(run, process)).then(
    () => (done = true),
    (error: Error) => (failure = error),
  );
  await world.schedule.run([], () => world.violation !== undefined);
  if (failure) world.violate('liveness', `${what} failed without a fault: ${String(failure)}`);
  else if (!done) world.violate('hang', `${what} never comes to its end`);
}

/** An order that would execute at the present prices: at rest it may not be open any more. */
function shouldHaveGone(world: World, order: OrderRow): boolean {
  const quote = world.market.latest(order.stock_id);
  if (!quote || order.depends_on !== '[]') return false;
  if (stockStatus(world, order.stock_id) !== 'active') return false;
  const isBuy = order.action === 'buy';
  const limit = decimal(order.price ?? '0');
  const stop = decimal(order.stop_price ?? '0');
  const marketable = isBuy ? quote.ask.lte(limit) : quote.bid.gte(limit);
  const touched =
    order.triggered_at !== null || (isBuy ? quote.ask.gte(stop) : quote.bid.lte(stop));
  switch (order.type) {
    case 'market':
      return true;
    case 'limit':
      return marketable;
    case 'stop_market':
      return touched;
    case 'stop_limit':
      return touched && marketable;
    case 'oco':
      return touched || marketable;
  }
}

function checkNoneWaits(world: World): void {
  const open = world.database.rows<OrderRow>("SELECT * FROM orders WHERE status = 'open'");
  for (const order of open) {
    if (shouldHaveGone(world, order)) {
      world.violate('liveness', `the ${order.type} order ${order.id} should have been executed`);
    }
    world.reach(`calm: ${order.type} order goes on waiting`);
  }
}

/** Contract 4: orders act beyond the larger of the broker's minimum and min(0.5 % of equity, 10 % of the order's target). */
function checkMirrors(world: World, bot: BotRow): void {
  const account = ownPart(world, bot);
  if (!account) return;
  const valueOf = (stockId: string, amount: string): Decimal =>
    valueOfHolding(world, stockId, amount);
  const amounts = Object.entries(account.amounts);
  const equity = amounts.reduce(
    (sum, [stockId, amount]) => sum.plus(valueOf(stockId, amount)),
    decimal(account.cash),
  );
  if (equity.lte(decimal('100'))) return;
  const target = targetOf(world, bot);
  const rule = JSON.parse(bot.rebalance) as 'every_trade' | { readonly band: string | null };
  const band = decimal((rule !== 'every_trade' && rule.band) || '0');
  // If the status reason names something scaled down or skipped, the weights are not compared.
  if (bot.status_reason !== null) return;
  for (const stockId of new Set([...target.keys(), ...amounts.map(([one]) => one)])) {
    const held = divide(valueOf(stockId, account.amounts[stockId] ?? '0'), equity);
    const aimed = target.get(stockId) ?? ZERO;
    const wanted = isAgainstKept(world, bot, stockId, aimed) ? ZERO : aimed;
    const unit = divide(world.market.latest(stockId)?.ask ?? ZERO, equity);
    if (held.minus(wanted).abs().gt(decimal('0.02').plus(unit).plus(band))) {
      world.violate(
        'B5',
        `bot ${bot.id} runs and holds ${held.toFixed(4)} of ${stockId}, its target is ${wanted.toFixed(4)}`,
      );
    }
  }
}

function checkBotsRest(world: World): void {
  const bots = world.database.rows<BotRow>('SELECT * FROM bots');
  for (const bot of bots) {
    world.reach(`calm: bot ${bot.status}`);
    if (bot.status === 'running') checkMirrors(world, bot);
    const waits = bot.status === 'scheduled_rebalance' && bot.status_reason !== null;
    if (bot.status === 'off' || bot.status === 'running' || waits) continue;
    world.violate('liveness', `bot ${bot.id} is still ${bot.status}: ${bot.status_reason}`);
  }
  const [doubtful] = world.database.rows<{ id: string; status: string }>(
    "SELECT o.* FROM bot_orders o JOIN bots b ON b.id = o.bot_id WHERE o.status IN ('new', 'unknown') AND b.status IN ('running', 'scheduled_rebalance')",
  );
  if (doubtful) world.violate('liveness', `bot order ${doubtful.id} is still ${doubtful.status}`);
}

/** The second phase: faults stop, markets open and quotes come, and everything that waits must end. */
export async function converge(run: Run): Promise<void> {
  const { world, memory } = run;
  world.note('the calm');
  world.faults = faultPlan([]);
  memory.errors.length = 0;
  for (const { socket } of run.process?.clients ?? []) socket.catchUp();
  await act(run, { do: 'getOverview' });
  await act(run, { do: 'advanceTo', moment: 'opening' });
  for (const stock of STOCKS.keys()) {
    await act(run, { do: 'updateStocks', stock, status: 'active' });
  }
  if (world.broker.name === 'alpaca_paper') {
    world.broker.endTroubles();
    for (const _ of world.broker.ahead()) await act(run, { do: 'followSplit' });
    const names = world.database.rows<{ id: string; symbol: string }>('SELECT * FROM stocks');
    for (const [stock, [{ id, security }]] of STOCKS.entries()) {
      const here = names.find((one) => one.id === id)?.symbol;
      if (security === 'stock' && here !== world.broker.symbolOf(id))
        await act(run, { do: 'rename', stock, side: 'broker' });
    }
  }
  for (const _ of standingHalts(world)) await act(run, { do: 'resumeTrading', halt: 0 });
  for (const chargeRef of world.payments.untold)
    await drive(run, 'a notice', (context) => noticeOf(context, chargeRef));
  const halted = world.database.rows<{ n: number }>('SELECT rowid AS n FROM bots ORDER BY id');
  for (let round = 0; round < ROUNDS && !world.violation; round += 1) {
    await act(run, EVERY_QUOTE);
    await act(run, { do: 'tick' });
    // The first tick may hold stocks, by what was announced for this morning.
    if (round === 1)
      for (const stock of STOCKS.keys())
        await act(run, { do: 'updateStocks', stock, status: 'active' });
    if (round === 0) {
      for (const bot of halted.keys()) await act(run, { do: 'resetBot', bot });
    }
    await act(run, { do: 'runBots' });
    await act(run, { do: 'runBilling' });
    if (world.violation) return;
    if (round > 2 && isAtRest(world)) break;
    await act(run, { do: 'advance', seconds: 30 });
  }
  await act(run, { do: 'measureOwnerTrades' });
  await act(run, { do: 'getOverview' });
  if (world.violation) return;
  checkAll(run);
  checkIdle(run);
  checkNoneWaits(world);
  checkAnnouncedRest(world);
  checkBotsRest(world);
  checkNoneLost(world);
  checkKept(world);
  checkMoneyRests(world);
  checkEndsSettled(world);
  checkValuesSeen(run);
  if (memory.errors.length > 0) {
    world.violate('error', `in the calm the core logs: ${memory.errors[0]}`);
  }
}

const MOVING = [
  "SELECT id FROM bots WHERE status NOT IN ('off', 'running')",
  "SELECT id FROM invoices WHERE status <> 'chargeback' AND (asked = 1 OR refund_owed = 1 OR status = 'pending')",
  "SELECT id FROM withdrawals WHERE status = 'processing'",
];

const isAtRest = (world: World): boolean =>
  MOVING.every((sql) => world.database.rows(sql).length === 0);
