import {
  type Bot,
  type Decimal,
  type LossWatch,
  Refusal,
  type UserId,
  advance,
  breachText,
  decimalText,
  markAtStart,
  requireAllocations,
  requireRoom,
  requireStartable,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { type BotDeps, changeOwnBot, ownBot, notifyOwner } from './bot-deps.js';
import { accessOf, askBroker, requireBroker } from './broker-access.js';
import { stopping, wokenAt } from './bot-schedule.js';
import { requireTrading } from './restraints/halts.js';
import { splitsFor } from './history/splits.js';
import { startingPace } from './pacing/paced-plan.js';
import { followingAtStart } from './joining/follow.js';
import { type ManagedAccount, keptHoldings, managedBy } from './managed-account.js';
import { requireMirrorable } from './mirrored-strategies.js';

export interface StartBot {
  readonly botId: string;
  readonly rebalanceOnStart?: boolean | undefined;
  /** The owner's word that real money is traded. */
  readonly live?: boolean | undefined;
}

const shown = (amount: Decimal): string => decimalText(amount.round(2, 0));

/** Refuses to trade real money without the owner's word, and tells what would be traded (contract 10). */
function requireLiveConfirmed(
  deps: Pick<BotDeps, 'instruments'>,
  bot: Bot,
  command: StartBot,
  managed: Pick<ManagedAccount, 'whole' | 'account'>,
): void {
  const isLive = bot.live && !bot.dryRun;
  if (!isLive && command.live === true)
    throw new Refusal('invalid_field', 'live is only for a bot that trades real money');
  if (!isLive || command.live === true) return;
  const { whole, account } = managed;
  const kept = keptHoldings(managed).map(
    ({ stockId, amount }) =>
      `${decimalText(amount)} ${deps.instruments.find(stockId)?.symbol ?? stockId}`,
  );
  throw new Refusal(
    'live_not_confirmed',
    `this bot trades real money: account ${bot.accountId} at ${bot.broker}, equity ${shown(whole.equity)} USD, of it ${shown(account.equity)} USD for the bot; kept: ${kept.join(', ') || 'nothing'}. Start it with live: true`,
  );
}

/** What is in the way of a start until its owner acknowledges it; undefined if nothing is. */
export const standingBreach = ({ breach }: Pick<Bot, 'breach'>): string | undefined =>
  breach === null
    ? undefined
    : `${breachText(breach)} Acknowledge it first (resetBot with acknowledge_breach).`;

/** Refuses to start a bot whose breach nobody acknowledged. */
function requireNoBreach(bot: Bot): void {
  const text = standingBreach(bot);
  if (text !== undefined) throw new Refusal('limit_breached', text);
}

/** Refuses a bot that may not start now, whatever its account holds. */
async function requireMayStart(
  { clock }: Pick<BotDeps, 'clock'>,
  stores: ReadStores,
  bot: Bot,
): Promise<void> {
  advance(bot, 'start');
  requireAllocations(bot.allocations);
  await requireTrading(stores, bot);
  requireNoBreach(bot);
  await requireMirrorable(stores, bot.userId, bot.type, bot.allocations, clock.now());
}

/** Spec 4.5, startBot. `rebalanceOnStart` overrides the saved setting for this call. */
export const startBot =
  (deps: BotDeps) =>
  async (userId: UserId, command: StartBot): Promise<Bot> => {
    const { unitOfWork, clock } = deps;
    const now = clock.now();
    const found = await unitOfWork.read(async (stores) => {
      const bot = await ownBot(stores, userId, command.botId);
      await requireMayStart(deps, stores, bot);
      return bot;
    });
    const broker = requireBroker(deps, found.broker);
    // Outside the unit of work: the broker may take seconds, and everything may be another way then.
    const reported = await askBroker(deps, broker, () =>
      broker.account(accessOf(deps, found), deps.instruments),
    );

    return changeOwnBot(deps, userId, command.botId, async (bot, stores) => {
      const { bots } = stores;
      await requireMayStart(deps, stores, bot);
      if (bot.broker !== found.broker || bot.accountId !== found.accountId)
        throw new Refusal('conflict', 'the account of this bot was changed meanwhile; try again');
      const splits = await splitsFor(stores, bot);
      const managed = managedBy(deps, bot, reported, splits);
      const { account } = managed;
      requireLiveConfirmed(deps, bot, command, managed);
      requireStartable(bot, account.equity);
      const others = (list: readonly Bot[]) => list.filter((other) => other.id !== bot.id);
      const onAccount = others(await bots.usingAccount(bot.broker, bot.accountId));
      const ofUser = others(await bots.listOf(userId)).filter(({ status }) => status !== 'off');
      requireRoom(onAccount.length, ofUser.length);
      await notifyOwner(deps, stores, bot, { kind: 'start', text: 'Started.' });
      return {
        ...advance(bot, 'start'),
        statusReason: null,
        stopReason: null,
        nextRunAt: now,
        awaitsTradeSince: (command.rebalanceOnStart ?? bot.rebalanceOnStart) ? null : now,
        closesPositions: false,
        attempts: 0,
        pace: startingPace(bot, now),
        following: await followingAtStart(deps, stores, bot, account),
        // While it was off it followed nobody.
        targetMark: markAtStart(bot.targetMark),
        // Stopping a bot does not wipe out what it lost: only an acknowledged breach does.
        lossWatch: bot.lossWatch && { ...bot.lossWatch, resumes: true },
      };
    });
  };

/** Spec 4.5, stopBot. `closeOnStop` overrides the saved setting for this call. */
export const stopBot =
  (deps: BotDeps) =>
  (
    userId: UserId,
    command: { readonly botId: string; readonly closeOnStop?: boolean | undefined },
  ): Promise<Bot> =>
    changeOwnBot(deps, userId, command.botId, (bot) => ({
      ...stopping(bot, deps.clock.now(), command.closeOnStop ?? bot.closeOnStop),
      // Failures before the halt still count: otherwise stopping a bot without access would halt again for ever.
      attempts: bot.status === 'error' ? bot.attempts : 0,
    }));

/** What losses are measured by from the next reading on: what moved until then is known by it, and in the history of the account. */
const restarting = (watch: LossWatch): LossWatch => ({ ...watch, resumes: true, restarts: true });

/**
 * Spec 4.5, resetBot: reschedules the rebalance or the closure; a bot that is off stays off. Once a breach is acknowledged, the next
 * reading of the account begins peak and day anew.
 */
export const resetBot =
  (deps: BotDeps) =>
  (
    userId: UserId,
    command: { readonly botId: string; readonly acknowledgeBreach?: boolean | undefined },
  ): Promise<Bot> =>
    changeOwnBot(deps, userId, command.botId, (bot) => {
      const reset = advance(bot, 'reset');
      const acknowledges = command.acknowledgeBreach === true;
      if (acknowledges && bot.breach === null)
        throw new Refusal('invalid_field', 'acknowledge_breach: no breach of this bot stands');
      const next = acknowledges
        ? { ...reset, breach: null, lossWatch: reset.lossWatch && restarting(reset.lossWatch) }
        : reset;
      if (next.status === 'off') return next;
      const nextRunAt = wokenAt(bot, deps.clock.now());
      return { ...next, statusReason: null, nextRunAt, awaitsTradeSince: null, attempts: 0 };
    });
