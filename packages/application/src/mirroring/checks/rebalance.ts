import {
  type Bot,
  type BrokerAccount,
  type Following,
  type RebalanceOrder,
  type RebalancePlan,
  type Steps,
  type StockId,
  type Timestamp,
  ZERO,
  advance,
  decimal,
  decimalText,
  limitsLosses,
  onCreditOf,
  planRebalance,
  stillOpen,
  unheldOf,
  wholePlan,
} from '@slipstream/domain';
import { finished } from '../../finished.js';
import type { BotDeps } from '../bot-deps.js';
import { blockText, tellBlock } from './blocked-account.js';
import { CHECK_EVERY } from '../bot-schedule.js';
import { type BotStep, saveOutcome } from '../bot-step.js';
import { type Comparison, compareAccount } from '../compare-account.js';
import { dayOf, notifyOfDay } from '../limits/envelope.js';
import { type SeenAccount, readManagedAccount } from '../managed-account.js';
import { heldUpText } from '../restraints/held-up-orders.js';
import { pacedPlan } from '../pacing/paced-plan.js';
import { planWithin } from '../restraints/plan-within.js';
import { tradesAfter } from '../history/followed-trades.js';
import { DRY_RUN, keepPlan } from '../trial/dry-run.js';
import { breachNote, intentsOf, restraintText, textOf, trade, wait, waitsText } from './trade.js';

/**
 * Whether a mirrored strategy traded since then, by the stored trades: a crash can lose the event that woke the bot. Of those that the bot
 * has read none is of after that, whatever the clock was then.
 */
export const tradedSince = (
  { unitOfWork }: BotDeps,
  bot: Bot,
  since: Timestamp,
): Promise<boolean> =>
  unitOfWork.read(async ({ trades }) => {
    for (const { strategyId } of bot.allocations) {
      const last = bot.following.seen.get(strategyId) ?? null;
      const [newest] = await tradesAfter(trades, strategyId, last);
      if (newest && newest.createdAt >= since) return true;
    }
    return false;
  });

/** Whether this check has read trades that none before it did. One that came amid the last check is older than what that planned. */
const hasReadMore = ({ following: { seen } }: Bot, following: Following): boolean =>
  [...following.seen].some(([strategyId, newest]) => seen.get(strategyId) !== newest);

/** What a comparison of the account with its target found. The mark is there where the reading of the account was kept. */
type Compared = Pick<Bot, 'drift' | 'following' | 'pace'> & Partial<Pick<Bot, 'targetMark'>>;

/** No order is on its way, and none follows a trade any more. */
const nothingInTransit = (): boolean => false;

/** The mark of the target with what the account does not hold of it, where its reading was kept. */
function markAfter(
  { deps }: BotStep,
  { account, kept }: SeenAccount,
  { narrowed, weights }: Comparison & { readonly kind: 'compared' },
  isInTransit: (stockId: StockId) => boolean,
): Partial<Pick<Bot, 'targetMark'>> {
  if (!kept) return {};
  const { targetMark, newestAction } = kept;
  const market = deps.market();
  const unheld = unheldOf({ ...narrowed, weights }, account, {
    before: targetMark.unheld,
    at: newestAction,
    quoteOf: (stockId) => market.quote(stockId),
    isInTransit,
  });
  return { targetMark: { ...targetMark, unheld } };
}

/** What a bot of a dry run does instead of trading. */
async function planOnly(
  step: BotStep,
  orders: readonly RebalanceOrder[],
  found: Compared,
  notes: readonly string[],
): Promise<void> {
  const { deps, bot } = step;
  const { following, pace } = found;
  const nextRunAt = deps.clock.now() + CHECK_EVERY;
  const statusReason = textOf([DRY_RUN, ...notes]);
  const [last] = await deps.unitOfWork.read(({ botOrders }) =>
    botOrders.list(bot.id, { limit: 1 }),
  );
  const isNews =
    last !== undefined &&
    (hasReadMore(bot, following) || (await tradedSince(deps, bot, last.createdAt)));
  const intents = intentsOf(step, orders, following);
  await keepPlan(step, intents, isNews, (current) => ({
    ...advance(current, 'wait'),
    ...found,
    // Its orders are never filled: another plan does not repeat them.
    following: { ...following, open: new Map() },
    pace: { ...pace, begunAt: null },
    statusReason,
    attempts: 0,
    nextRunAt,
  }));
}

/** Why a bot that follows from the next trade on does nothing before it. */
export const AWAITS_TRADE = 'Waits for the next trade of a mirrored strategy.';

/** A bot that follows from the next trade on has nothing to do before it. */
async function awaitTrade(step: BotStep, since: Timestamp): Promise<void> {
  const { deps, bot } = step;
  if (await tradedSince(deps, bot, since)) {
    const now = deps.clock.now();
    const text = { awaitsTradeSince: null, statusReason: null, nextRunAt: now };
    await saveOutcome(deps, bot, (current) => ({ ...current, ...text }));
    return;
  }
  // What it holds can lose meanwhile.
  const managed = limitsLosses(bot.limits) ? await readManagedAccount(step) : undefined;
  const told = managed ? await tellBlock(step, managed.account) : step;
  if (told) await wait(told, { statusReason: textOf([...restraintText(step), AWAITS_TRADE]) });
}

const HUNDRED = decimal('100');

/** Nothing is left to trade, and nothing waits. */
async function comeIntoLine(
  { deps, bot }: BotStep,
  found: Compared,
  notes: readonly string[],
): Promise<void> {
  const now = deps.clock.now();
  const cameIntoLine = bot.status !== 'running';
  const drift = decimalText((found.drift ?? ZERO).times(HUNDRED).round(2));
  const text = [`In line with its target, drift ${drift}%.`, ...notes].join(' ');
  await saveOutcome(
    deps,
    bot,
    (current) => ({
      ...advance(current, 'converge'),
      ...found,
      following: { ...found.following, open: new Map() },
      statusReason: textOf(notes),
      attempts: 0,
      nextRunAt: now + CHECK_EVERY,
      lastRebalancedAt: cameIntoLine ? now : current.lastRebalancedAt,
      isKnownInLine: true,
    }),
    !bot.isKnownInLine ? { kind: 'info', text: text.trim() } : undefined,
  );
}

/** Compares the account with its target and trades the difference. */
export async function rebalance(first: BotStep): Promise<void> {
  const { deps, bot } = first;
  if (bot.awaitsTradeSince !== null) return awaitTrade(first, bot.awaitsTradeSince);
  const managed = await readManagedAccount(first);
  const { account } = managed;
  const begun = await tellBlock(first, account);
  if (!begun) return;
  const compared = await compareAccount(begun, managed);
  if (compared.kind === 'unavailable') {
    await wait(begun, { statusReason: textOf([...restraintText(begun), compared.reason]) });
    return;
  }
  const { weights, stocks, drift, nameOf } = compared;
  const paced = await pacedPlan(deps, bot, account, compared);
  const following = stillOpen(compared.following, account, weights, stocks);
  const day = await dayOf(deps, bot, account.equity);
  const step = await notifyOfDay(begun, day);
  if (!step) return;
  const rebalanced = (next: BrokerAccount): Steps<RebalancePlan> =>
    // What is held back may be more than the target has of it: that is not borrowed for.
    planWithin(step, onCreditOf(next, weights), (tradable) =>
      planRebalance(tradable, paced.weights, stocks, bot.slippage, nameOf, day.envelope),
    );
  const steps = bot.dryRun ? wholePlan(account, stocks, rebalanced) : rebalanced(account);
  const plan = await finished(steps, deps.pause);
  const { orders } = plan;
  const ordered = new Set(orders.map(({ stockId }) => stockId));
  const markBeside = (isInTransit: (stockId: StockId) => boolean) =>
    markAfter(step, managed, compared, isInTransit);
  /** While orders are made or awaited. */
  const mark = () => markBeside((stockId) => ordered.has(stockId) || following.open.has(stockId));
  const standing = [...restraintText(step), ...breachNote(step), ...blockText(account)];
  const restrained = plan.blocked === null ? standing : [];
  const notes = [...restrained, ...paced.notes, ...compared.notes, ...plan.notes];
  if (orders.length > 0) {
    const pace = paced.after(orders);
    const found = { drift, following, pace };
    if (bot.dryRun)
      await planOnly(step, orders, { ...found, ...markBeside(nothingInTransit) }, notes);
    else await trade(step, orders, { ...found, ...mark(), statusReason: textOf(notes) });
    return;
  }
  const waits = [...new Set([...waitsText(plan), ...heldUpText(step)])];
  if (waits.length > 0) {
    const { pace } = paced;
    const statusReason = textOf([...waits, ...notes]);
    await wait(step, { drift, following, pace, ...mark(), statusReason });
    return;
  }
  if (paced.wakesAt !== null) {
    // Its owner was notified that it is in line, and it is, as far as it may be.
    const { isKnownInLine } = bot;
    const statusReason = textOf(bot.dryRun ? [DRY_RUN, ...notes] : notes);
    const found = { drift, following, pace: paced.rests, ...mark(), statusReason, isKnownInLine };
    await wait(step, found, paced.wakesAt);
    return;
  }
  const found = { drift, following, pace: paced.rests, ...markBeside(nothingInTransit) };
  await comeIntoLine(step, found, notes);
}
