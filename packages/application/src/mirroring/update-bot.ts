import {
  type Bot,
  type BotNotification,
  type Pace,
  Refusal,
  type Timestamp,
  type UserId,
  changedLimits,
  isSameRule,
  paceFrom,
  rebalanceRule,
  requireAllocations,
  requireBotSettings,
  requireLimits,
  withKeptAgain,
  withoutKept,
} from '@slipstream/domain';
import type { Broker, BrokerLinked } from '@slipstream/ports';
import { type BotDeps, changeOwnBot, credentialsContext, ownBot } from './bot-deps.js';
import { wokenAt } from './bot-schedule.js';
import { linkAccount, requireBroker, unlinkAll } from './broker-access.js';
import { atBroker, removeHistory, requireNothingOpen } from './connect/another-broker.js';
import {
  type GivenAccess,
  givenAccess,
  requireConfirmedAccount,
  takeAccess,
} from './connect/granted-access.js';
import { followingAfter } from './joining/follow.js';
import { requireMirrorable } from './mirrored-strategies.js';
import { type BotSettings, stockIdsOf } from './new-bot.js';

export interface UpdateBot extends BotSettings {
  readonly botId: string;
  /** Only while the bot is off, and with credentials. */
  readonly broker?: string | undefined;
  /** Only while the bot is off. */
  readonly credentials?: unknown;
}

const hasSameShares = (one: Bot, other: Bot): boolean =>
  one.leverage.eq(other.leverage) &&
  one.allocations.length === other.allocations.length &&
  one.allocations.every(({ strategyId, percent }) =>
    other.allocations.some((same) => same.strategyId === strategyId && same.percent.eq(percent)),
  );

/**
 * The pace of a bot whose settings changed: holdings that are too large by the owner's word go at once. What is saved as it was is no
 * change, and skips no time of the day. By another rule a rebalance that has begun goes on, unless that waits for a time of the day.
 */
function changedPace(before: Bot, changed: Bot, now: Timestamp): Pace {
  const { pace, type, rebalance } = changed;
  const next = { ...pace, reducesAtOnce: pace.reducesAtOnce || !hasSameShares(before, changed) };
  if (isSameRule(before.rebalance, rebalance)) return next;
  const anew = paceFrom(next, rebalance, type, now);
  const waits = rebalance !== 'every_trade' && rebalance.at !== null;
  return waits ? anew : { ...anew, begunAt: next.begunAt };
}

/** The bot with the given settings; the others stay. */
export function withSettings(
  deps: Pick<BotDeps, 'instruments' | 'clock'>,
  bot: Bot,
  command: BotSettings,
): Bot {
  const changed = withFields(deps, bot, command);
  return { ...changed, pace: changedPace(bot, changed, deps.clock.now()) };
}

const withFields = (deps: Pick<BotDeps, 'instruments'>, bot: Bot, command: BotSettings): Bot => ({
  ...bot,
  name: command.name === undefined ? bot.name : command.name,
  allocations: command.allocations ?? bot.allocations,
  leverage: command.leverage ?? bot.leverage,
  slippage: command.slippage ?? bot.slippage,
  priceCollar: command.priceCollar ?? bot.priceCollar,
  maxSpread: command.maxSpread === undefined ? bot.maxSpread : command.maxSpread,
  limits: changedLimits(bot.limits, command.limits),
  onBreach: command.onBreach ?? bot.onBreach,
  rebalance: command.rebalance === undefined ? bot.rebalance : rebalanceRule(command.rebalance),
  rebalanceOnStart: command.rebalanceOnStart ?? bot.rebalanceOnStart,
  closeOnStop: command.closeOnStop ?? bot.closeOnStop,
  existingPositions: command.existingPositions ?? bot.existingPositions,
  mode: command.mode ?? bot.mode,
  join: command.join ?? bot.join,
  allowStocks:
    command.allowStocks === undefined
      ? bot.allowStocks
      : command.allowStocks && stockIdsOf(deps, command.allowStocks),
  denyStocks: command.denyStocks ? stockIdsOf(deps, command.denyStocks) : bot.denyStocks,
  dryRun: command.dryRun ?? bot.dryRun,
  notifications: command.notifications ? [...new Set(command.notifications)] : bot.notifications,
});

/** Whether the change restrains the bot otherwise, so that it is checked at once, whatever it waits for. */
const isRestraining = ({ mode, allowStocks, denyStocks, limits }: BotSettings): boolean =>
  [mode, allowStocks, denyStocks, limits].some((given) => given !== undefined);

/** Whether the change makes orders that are planned, or on their way, other than they would be planned now. */
const isReplanning = (command: BotSettings): boolean =>
  [
    command.allocations,
    command.leverage,
    command.slippage,
    command.priceCollar,
    command.maxSpread,
    command.limits,
    command.join,
    command.rebalance,
  ].some((given) => given !== undefined);

/** What losses are measured by: what a bot took over and is to keep from now on is not lost. */
function watchBy(before: Bot, { existingPositions, lossWatch }: Bot): Bot['lossWatch'] {
  if (!lossWatch || before.existingPositions === existingPositions) return lossWatch;
  return existingPositions === 'keep'
    ? withoutKept(lossWatch, before.heldParts)
    : withKeptAgain(lossWatch);
}

const RENEWED = 'It is off, with new access: start it to let it go on.';

/** New access starts no bot: what it trades is its owner's word, each time. */
const renewedReason = (reason: string | null): string =>
  reason === null || reason === RENEWED
    ? RENEWED
    : `${reason.replace(` ${RENEWED}`, '')} ${RENEWED}`;

/** Links what the request gives: of the bot's account, or of any account of another broker. Undefined if it gives nothing. */
export async function changedAccess(
  deps: BotDeps,
  bot: Bot,
  broker: Broker,
  { credentials, isTrial = false }: { readonly credentials: unknown; readonly isTrial?: boolean },
): Promise<{ readonly linked: BrokerLinked; readonly given: GivenAccess } | undefined> {
  const { userId, type } = bot;
  const moves = broker.name !== bot.broker;
  if (credentials === undefined) {
    if (!moves) return undefined;
    throw new Refusal('invalid_field', 'credentials are needed beside another broker');
  }
  const given = await givenAccess(deps, userId, broker, credentials);
  const accountId = moves ? undefined : bot.accountId;
  const link = { userId, type, accountId, credentials: given.credentials, isTrial };
  const linked = await linkAccount(deps, broker, link);
  if (accountId !== undefined && linked.accountId !== accountId)
    throw new Refusal('replaced_account', 'these credentials open another account of the broker');
  requireConfirmedAccount(given, linked.accountId);
  return { linked, given };
}

/**
 * Allocations and settings at any time, broker and credentials only while off (contract 4 and 10). An active bot is checked at
 * once.
 */
export const updateBot =
  (deps: BotDeps) =>
  async (userId: UserId, command: UpdateBot): Promise<Bot> => {
    const { unitOfWork, secretBox, clock } = deps;
    const renewsCredentials = command.credentials !== undefined;
    const changesBroker = (bot: Bot): boolean =>
      command.broker !== undefined && command.broker !== bot.broker;
    const requireOff = (bot: Bot): void => {
      if (bot.status === 'off') return;
      const fixed = [
        ...(changesBroker(bot) ? ['broker'] : []),
        ...(renewsCredentials ? ['credentials'] : []),
        ...(command.existingPositions === undefined ? [] : ['existing_positions']),
        ...(command.dryRun === undefined ? [] : ['dry_run']),
      ];
      if (fixed.length === 0) return;
      const names = fixed.join(' and ');
      throw new Refusal(
        'bot_not_off',
        `${names} can be changed only while the bot is off: stop it first, and start it again`,
      );
    };
    const found = await unitOfWork.read(async (stores) => {
      const bot = await ownBot(stores, userId, command.botId);
      requireOff(bot);
      if (changesBroker(bot)) await requireNothingOpen(stores, bot);
      return bot;
    });
    const broker = requireBroker(deps, command.broker ?? found.broker);
    const access = await changedAccess(deps, found, broker, { credentials: command.credentials });
    const moves = changesBroker(found);

    const updated = await changeOwnBot(deps, userId, command.botId, async (bot, stores) => {
      requireOff(bot);
      const isMoved = bot.broker !== found.broker || bot.accountId !== found.accountId;
      if (isMoved && (access || command.broker !== undefined))
        throw new Refusal('conflict', 'the account of this bot was changed meanwhile; try again');
      if (access) await takeAccess(stores, userId, broker.name, access.given, clock.now());
      if (moves) {
        await requireNothingOpen(stores, bot);
        await removeHistory(stores, bot);
      }
      const present = access && moves ? atBroker(bot, broker, access.linked.accountId) : bot;
      const set = withSettings(deps, present, command);
      const changed: Bot = {
        ...set,
        lossWatch: watchBy(present, set),
        statusReason: access ? renewedReason(present.statusReason) : present.statusReason,
        sealedCredentials: access
          ? secretBox.seal(JSON.stringify(access.linked.credentials), credentialsContext(bot.id))
          : bot.sealedCredentials,
      };
      requireBotSettings(changed);
      requireLimits(changed.limits);
      if (command.allocations) {
        if (bot.status !== 'off') requireAllocations(command.allocations);
        await requireMirrorable(stores, userId, bot.type, command.allocations, clock.now());
      }
      const following = await followingAfter(stores, bot, changed);
      const isAtWork = bot.status !== 'off' && bot.status !== 'error';
      const looksAgain =
        isAtWork && (isRestraining(command) || (bot.condition === 'active' && bot.attempts === 0));
      // In another cycle nothing that was planned before is sent, and its open increases are withdrawn.
      const cycle = isAtWork && isReplanning(command) ? bot.cycle + 1 : changed.cycle;
      return looksAgain
        ? { ...changed, following, cycle, nextRunAt: wokenAt(bot, clock.now()) }
        : { ...changed, following, cycle };
    });
    if (moves) await unlinkAll(deps, [found]);
    return updated;
  };

/** Replaces the set of enabled notifications. */
export const updateBotNotifications =
  (deps: BotDeps) =>
  (
    userId: UserId,
    command: { readonly botId: string; readonly notifications: readonly BotNotification[] },
  ): Promise<Bot> =>
    changeOwnBot(deps, userId, command.botId, (bot) => ({
      ...bot,
      notifications: [...new Set(command.notifications)],
    }));
