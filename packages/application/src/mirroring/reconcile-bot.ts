import {
  type Bot,
  type BotOrder,
  type BrokerAccount,
  type BrokerPosition,
  type RebalanceOrder,
  type RebalancePlan,
  type Timestamp,
  ZERO,
  advance,
  allowsOrder,
  breachText,
  decimalText,
  id,
  onlyCloses,
  planClosure,
  planRebalance,
  wholePlan,
} from '@slipstream/domain';
import { type BotDeps } from './bot-deps.js';
import { restraintOf } from './restraints/bot-restraint.js';
import { CHECK_EVERY, POLL_EVERY, afterFailure } from './bot-schedule.js';
import { BotHalted, type BotStep, saveOutcome, outstandingOrders } from './bot-step.js';
import { planWithin } from './restraints/plan-within.js';
import { seeHalts } from './restraints/see-halts.js';
import { accessOf } from './broker-access.js';
import { refreshOrders, sendAll } from './broker-orders.js';
import { compareAccount, tradedStocks } from './compare-account.js';
import { readManagedAccount } from './managed-account.js';
import { DRY_RUN, keepPlan } from './trial/dry-run.js';
import { latchByQuotes, needsReading } from './limits/losses.js';
import { dayOf, tellOfDay } from './limits/envelope.js';
import { endedStrategies } from './mirrored-strategies.js';

const textOf = (notes: readonly string[]): string | null => notes.join(' ') || null;

/** Why the rest of the plan waits, sentence by sentence; nothing when nothing waits. */
const waitsText = ({
  waitsFor,
  blocked,
}: Pick<RebalancePlan, 'waitsFor' | 'blocked'>): readonly string[] => [
  ...(blocked === null ? [] : [blocked]),
  ...(waitsFor.length > 0 ? [`Waits until ${waitsFor.join(', ')} can be traded.`] : []),
];

/** The reason why the bot may send nothing at all; it stands before every other one. */
const stillText = ({ restraint }: BotStep): readonly string[] =>
  restraint.allows === 'nothing' && restraint.because !== null ? [restraint.because] : [];

/** A breach is told as long as it stands, also by a bot that has nothing to increase. */
const breachNote = ({ bot: { breach }, restraint }: BotStep): readonly string[] =>
  breach !== null && restraint.allows === 'closing' ? [breachText(breach)] : [];

/** Decides the next step from the results of the orders that were open. */
async function afterOrders(step: BotStep, orders: readonly BotOrder[]): Promise<void> {
  const { deps, bot } = step;
  const now = deps.clock.now();
  const open = orders.filter(({ status }) => status === 'open');
  const rejected = orders.filter(({ status }) => status === 'rejected');
  if (open.length > 0) {
    await saveOutcome(deps, bot, (current) => ({
      ...(current.status === 'stopping' ? current : advance(current, 'trade')),
      nextRunAt: now + POLL_EVERY,
      statusReason: textOf([
        ...stillText(step),
        `${open.length} of its orders are open at the broker.`,
      ]),
    }));
  } else if (rejected.length > 0) {
    const text = rejected
      .map((order) => `The broker rejected: ${order.intent} ${order.reason ?? ''}`.trim())
      .join(' ');
    const notification =
      bot.statusReason === text ? undefined : ({ kind: 'warning', text } as const);
    await saveOutcome(
      deps,
      bot,
      (current) => afterFailure(advance(current, 'wait'), now, text),
      notification,
    );
  } else {
    await saveOutcome(deps, bot, (current) => ({ ...current, nextRunAt: now, attempts: 0 }));
  }
}

/** The planned orders as the bot's next cycle. */
function intentsOf({ deps, bot }: BotStep, planned: readonly RebalanceOrder[]): BotOrder[] {
  const now = deps.clock.now();
  const cycle = bot.cycle + 1;
  return planned.map(({ stockId, action, amount, limit, intent, kind }): BotOrder => ({
    id: id(deps.fingerprints.of(bot.id, String(cycle), `${stockId}|${action}`)),
    botId: bot.id,
    cycle,
    stockId,
    action,
    amount,
    limitPrice: limit,
    closes: onlyCloses({ kind }),
    intent,
    status: 'new',
    filledAmount: ZERO,
    filledPrice: null,
    reason: null,
    createdAt: now,
    updatedAt: now,
  }));
}

/** Stores the intents, then sends them to the broker (contract 4). */
async function trade(
  step: BotStep,
  planned: readonly RebalanceOrder[],
  found: Partial<Bot>,
): Promise<void> {
  const { deps, bot } = step;
  const now = deps.clock.now();
  const cycle = bot.cycle + 1;
  const orders = intentsOf(step, planned);
  let areStored = false;
  const trading = await saveOutcome(deps, bot, async (current, stores) => {
    const restraint = await restraintOf(stores, current);
    areStored = orders.every((order) => allowsOrder(restraint, current, order));
    // Restrained since the plan was made: the next check plans again.
    if (!areStored) return { ...current, nextRunAt: now };
    for (const order of orders) await stores.botOrders.save(order);
    return { ...advance(current, 'trade'), ...found, cycle, nextRunAt: now };
  });
  if (!trading || !areStored) return;
  const next = { ...step, bot: trading };
  await afterOrders(next, await sendAll(next, orders));
}

const wait = ({ deps, bot }: BotStep, found: Partial<Bot>) =>
  saveOutcome(deps, bot, (current) => ({
    ...advance(current, 'wait'),
    ...found,
    attempts: 0,
    nextRunAt: deps.clock.now() + CHECK_EVERY,
  }));

/** Whether a mirrored strategy traded since then, by the stored trades: a crash can lose the event that woke the bot. */
const tradedSince = ({ unitOfWork }: BotDeps, bot: Bot, since: Timestamp): Promise<boolean> =>
  unitOfWork.read(async ({ trades }) => {
    for (const { strategyId } of bot.allocations) {
      const [newest] = await trades.list(strategyId, { limit: 1 });
      if (newest && newest.createdAt >= since) return true;
    }
    return false;
  });

/** What a bot of a dry run does instead of trading. */
async function planOnly(
  step: BotStep,
  orders: readonly RebalanceOrder[],
  { drift, told }: { readonly drift: Bot['drift']; readonly told: readonly string[] },
): Promise<void> {
  const { deps, bot } = step;
  const nextRunAt = deps.clock.now() + CHECK_EVERY;
  const statusReason = textOf([DRY_RUN, ...told]);
  const [last] = await deps.unitOfWork.read(({ botOrders }) =>
    botOrders.list(bot.id, { limit: 1 }),
  );
  const isNews = last !== undefined && (await tradedSince(deps, bot, last.createdAt));
  await keepPlan(step, intentsOf(step, orders), isNews, (current) => ({
    ...advance(current, 'wait'),
    drift,
    statusReason,
    attempts: 0,
    nextRunAt,
  }));
}

async function rebalance(begun: BotStep): Promise<void> {
  const { deps, bot } = begun;
  if (bot.awaitsTradeSince !== null) {
    if (await tradedSince(deps, bot, bot.awaitsTradeSince)) {
      const now = deps.clock.now();
      const text = { awaitsTradeSince: null, statusReason: null, nextRunAt: now };
      await saveOutcome(deps, bot, (current) => ({ ...current, ...text }));
    } else {
      const waiting = 'Waits for the next trade of a mirrored strategy.';
      await wait(begun, { statusReason: textOf([...stillText(begun), waiting]) });
    }
    return;
  }
  const managed = await readManagedAccount(begun);
  const { account } = managed;
  const compared = await compareAccount(begun, managed);
  if (compared.kind === 'unavailable') {
    await wait(begun, { statusReason: textOf([...stillText(begun), compared.reason]) });
    return;
  }
  const { weights, stocks, drift } = compared;
  const day = await dayOf(deps, bot, account.equity);
  const step = await tellOfDay(begun, day);
  if (!step) return;
  const rebalanced = (next: BrokerAccount): RebalancePlan =>
    planWithin(step, next, (tradable) =>
      planRebalance(tradable, weights, stocks, bot.slippage, day.envelope),
    );
  const plan = bot.dryRun ? wholePlan(account, stocks, rebalanced) : rebalanced(account);
  const { orders } = plan;
  const isStill = plan.blocked === null ? [...stillText(step), ...breachNote(step)] : [];
  const told = [...isStill, ...compared.notes, ...plan.notes];
  if (orders.length > 0) {
    if (bot.dryRun) await planOnly(step, orders, { drift, told });
    else await trade(step, orders, { drift, statusReason: textOf(told) });
    return;
  }
  const waits = waitsText(plan);
  if (waits.length > 0) {
    await wait(step, { drift, statusReason: textOf([...waits, ...told]) });
    return;
  }
  const now = deps.clock.now();
  const cameIntoLine = bot.status !== 'running';
  const text = `In line with its target, drift ${decimalText((drift ?? ZERO).round(6))}. ${told.join(' ')}`;
  await saveOutcome(
    deps,
    bot,
    (current) => ({
      ...advance(current, 'converge'),
      drift,
      statusReason: textOf(told),
      attempts: 0,
      nextRunAt: now + CHECK_EVERY,
      lastRebalancedAt: cameIntoLine ? now : current.lastRebalancedAt,
    }),
    cameIntoLine ? { kind: 'info', text: text.trim() } : undefined,
  );
}

/** The bot when it is off: it has no next run and no drift. */
export const switchedOff = (bot: Bot, statusReason: string | null): Bot => ({
  ...advance(bot, 'close'),
  statusReason,
  attempts: 0,
  nextRunAt: null,
  closesPositions: false,
  drift: null,
});

async function close(step: BotStep): Promise<void> {
  const { deps, bot } = step;
  const off = async (notes: readonly string[]): Promise<void> => {
    const outcome = bot.closesPositions ? 'positions closed' : 'positions kept';
    await saveOutcome(deps, bot, (current) => switchedOff(current, textOf(notes)), {
      kind: 'stop',
      text: [`Off, ${outcome}.`, ...notes].join(' '),
    });
  };
  if (!bot.closesPositions) return off([]);
  const { account: all } = await readManagedAccount(step);
  const market = deps.market();
  const symbolOfGone = ({ stockId }: BrokerPosition): string[] => {
    const stock = market.stock(stockId);
    return stock?.status === 'delisted' ? [stock.symbol] : [];
  };
  const gone = all.positions.flatMap(symbolOfGone);
  const account = {
    ...all,
    positions: all.positions.filter((position) => symbolOfGone(position).length === 0),
  };
  const held = account.positions.map(({ stockId }) => stockId);
  const stocks = await tradedStocks(step, market, account, held);
  const plan = planWithin(step, account, (tradable) => planClosure(tradable, stocks));
  const { orders } = plan;
  const waits = waitsText(plan);
  const notes = [
    ...(waits.length > 0 && plan.blocked === null ? stillText(step) : []),
    ...plan.notes,
    ...gone.map((symbol) => `${symbol} was delisted and is left as it is.`),
  ];
  if (orders.length > 0 && bot.dryRun) {
    const told = [DRY_RUN, ...notes];
    const off = (current: Bot): Bot => switchedOff(current, textOf(told));
    const notice = { kind: 'stop', text: ['Off.', ...told].join(' ') } as const;
    return keepPlan(step, intentsOf(step, orders), true, off, notice);
  }
  if (orders.length > 0) return trade(step, orders, { statusReason: textOf(notes) });
  if (waits.length === 0) return off(notes);
  await wait(step, { statusReason: textOf([...waits, ...notes]) });
}

/** Stops an active bot whose subscription or strategy ended, as stopBot does. Returns whether it did. */
export async function stopIfAccessEnded(deps: BotDeps, bot: Bot): Promise<boolean> {
  if (bot.condition !== 'active') return false;
  const now = deps.clock.now();
  const ended = await deps.unitOfWork.read((stores) => endedStrategies(stores, bot, now));
  if (ended.length === 0) return false;
  const text = ended
    .map(({ strategyId, isOver }) =>
      isOver
        ? `Stops because strategy ${strategyId} is over: its value was at or below zero.`
        : `Stops because it may no longer mirror ${strategyId}.`,
    )
    .join(' ');
  await saveOutcome(
    deps,
    bot,
    (current) => ({
      ...advance(current, 'stop'),
      statusReason: null,
      stopReason: text,
      nextRunAt: now,
      awaitsTradeSince: null,
      closesPositions: current.closeOnStop,
      attempts: 0,
    }),
    { kind: 'warning', text },
  );
  return true;
}

/** A check of the bot, with what restrains it. Undefined when a command changed the bot meanwhile. */
async function beginStep(deps: BotDeps, bot: Bot): Promise<BotStep | undefined> {
  const broker = deps.brokers.get(bot.broker);
  if (!broker) throw new BotHalted(`This server has no broker ${bot.broker}.`);
  const seen = await seeHalts(deps, bot);
  return seen && { deps, broker, access: accessOf(deps, bot), ...seen };
}

/** Cancels the orders that the bot may not have open now. For a bot in `error`, which does no checks. */
export async function withdrawOrders(deps: BotDeps, bot: Bot): Promise<void> {
  const outstanding = await outstandingOrders(deps, bot.id);
  if (outstanding.length === 0) return;
  const step = await beginStep(deps, bot);
  if (step) await refreshOrders(step, outstanding);
}

/** One level-triggered check: refreshes uncertain orders first, then compares, and acts on the difference. */
export async function reconcileBot(deps: BotDeps, bot: Bot): Promise<void> {
  if (await stopIfAccessEnded(deps, bot)) return;
  if (await latchByQuotes(deps, bot)) return;
  const step = await beginStep(deps, bot);
  if (!step) return;
  const outstanding = await outstandingOrders(deps, bot.id);
  if (outstanding.length > 0 && (await needsReading(deps, bot))) await readManagedAccount(step);
  if (outstanding.length > 0) return afterOrders(step, await refreshOrders(step, outstanding));
  return bot.condition === 'closing' ? close(step) : rebalance(step);
}
