import {
  type Bot,
  type BotOrder,
  type BrokerPosition,
  type RebalanceOrder,
  type RebalancePlan,
  type Timestamp,
  ZERO,
  advance,
  decimalText,
  id,
  onlyCloses,
  planClosure,
  planRebalance,
} from '@slipstream/domain';
import { type BotDeps } from './bot-deps.js';
import { CHECK_EVERY, POLL_EVERY, afterFailure } from './bot-schedule.js';
import { BotHalted, type BotStep, saveOutcome, outstandingOrders } from './bot-step.js';
import { accessOf } from './broker-access.js';
import { refreshOrders, sendAll } from './broker-orders.js';
import { compareAccount, tradedStocks } from './compare-account.js';
import { readManagedAccount } from './managed-account.js';
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

/** Decides the next step from the results of the orders that were open. */
async function afterOrders({ deps, bot }: BotStep, orders: readonly BotOrder[]): Promise<void> {
  const now = deps.clock.now();
  const open = orders.filter(({ status }) => status === 'open');
  const rejected = orders.filter(({ status }) => status === 'rejected');
  if (open.length > 0) {
    await saveOutcome(deps, bot, (current) => ({
      ...(current.status === 'stopping' ? current : advance(current, 'trade')),
      nextRunAt: now + POLL_EVERY,
      statusReason: `${open.length} of its orders are open at the broker.`,
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

/** Stores the intents, then sends them to the broker (contract 4). */
async function trade(
  step: BotStep,
  planned: readonly RebalanceOrder[],
  found: Partial<Bot>,
): Promise<void> {
  const { deps, bot } = step;
  const now = deps.clock.now();
  const cycle = bot.cycle + 1;
  const orders = planned.map(({ stockId, action, amount, limit, intent, kind }): BotOrder => ({
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
  const trading = await saveOutcome(deps, bot, async (current, { botOrders }) => {
    for (const order of orders) await botOrders.save(order);
    return { ...advance(current, 'trade'), ...found, cycle, nextRunAt: now };
  });
  if (!trading) return;
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

async function rebalance(step: BotStep): Promise<void> {
  const { deps, bot } = step;
  if (bot.awaitsTradeSince !== null) {
    if (await tradedSince(deps, bot, bot.awaitsTradeSince)) {
      const now = deps.clock.now();
      const text = { awaitsTradeSince: null, statusReason: null, nextRunAt: now };
      await saveOutcome(deps, bot, (current) => ({ ...current, ...text }));
    } else {
      await wait(step, { statusReason: 'Waits for the next trade of a mirrored strategy.' });
    }
    return;
  }
  const managed = await readManagedAccount(step);
  const { account } = managed;
  const compared = await compareAccount(step, managed);
  if (compared.kind === 'unavailable') {
    await wait(step, { statusReason: compared.reason });
    return;
  }
  const { weights, stocks, drift } = compared;
  const plan = planRebalance(account, weights, stocks, bot.slippage);
  const { orders } = plan;
  const told = [...compared.notes, ...plan.notes];
  if (orders.length > 0) {
    await trade(step, orders, { drift, statusReason: textOf(told) });
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
  const plan = planClosure(account, stocks);
  const { orders } = plan;
  const waits = waitsText(plan);
  const notes = [
    ...plan.notes,
    ...gone.map((symbol) => `${symbol} was delisted and is left as it is.`),
  ];
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

/** One level-triggered check: refreshes uncertain orders first, then compares, and acts on the difference. */
export async function reconcileBot(deps: BotDeps, bot: Bot): Promise<void> {
  if (await stopIfAccessEnded(deps, bot)) return;
  const broker = deps.brokers.get(bot.broker);
  if (!broker) throw new BotHalted(`This server has no broker ${bot.broker}.`);
  const step: BotStep = { deps, bot, broker, access: accessOf(deps, bot) };
  const outstanding = await outstandingOrders(deps, bot.id);
  if (outstanding.length > 0) return afterOrders(step, await refreshOrders(step, outstanding));
  return bot.condition === 'closing' ? close(step) : rebalance(step);
}
