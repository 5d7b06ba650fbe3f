import {
  type Bot,
  type BotNotification,
  Refusal,
  type UserId,
  changedLimits,
  requireAllocations,
  requireBotSettings,
  requireLimits,
} from '@slipstream/domain';
import { type BotDeps, changeOwnBot, credentialsContext, ownBot } from './bot-deps.js';
import { linkAccount, requireBroker } from './broker-access.js';
import { givenAccess, requireConfirmedAccount, takeAccess } from './connect/granted-access.js';
import { followingAfter } from './joining/follow.js';
import { requireMirrorable } from './mirrored-strategies.js';
import { type BotSettings, stockIdsOf } from './new-bot.js';

export interface UpdateBot extends BotSettings {
  readonly botId: string;
  /** Only while the bot is off. */
  readonly credentials?: unknown;
}

/** The bot with the given settings; the others stay. */
export const withSettings = (
  deps: Pick<BotDeps, 'instruments'>,
  bot: Bot,
  command: BotSettings,
): Bot => ({
  ...bot,
  allocations: command.allocations ?? bot.allocations,
  leverage: command.leverage ?? bot.leverage,
  slippage: command.slippage ?? bot.slippage,
  priceCollar: command.priceCollar ?? bot.priceCollar,
  maxSpread: command.maxSpread === undefined ? bot.maxSpread : command.maxSpread,
  limits: changedLimits(bot.limits, command.limits),
  onBreach: command.onBreach ?? bot.onBreach,
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
  ].some((given) => given !== undefined);

/** Allocations and settings at any time, credentials only while off (contract 4). An active bot is checked at once. */
export const updateBot =
  (deps: BotDeps) =>
  async (userId: UserId, command: UpdateBot): Promise<Bot> => {
    const { unitOfWork, secretBox, clock } = deps;
    const renewsCredentials = command.credentials !== undefined;
    const requireOff = (bot: Bot): void => {
      if (bot.status === 'off') return;
      const fixed = [
        ...(renewsCredentials ? ['credentials'] : []),
        ...(command.existingPositions === undefined ? [] : ['existing_positions']),
        ...(command.dryRun === undefined ? [] : ['dry_run']),
      ];
      if (fixed.length === 0) return;
      const names = fixed.join(' and ');
      throw new Refusal('bot_not_off', `${names} can be changed only while the bot is off`);
    };
    const found = await unitOfWork.read((stores) => ownBot(stores, userId, command.botId));
    requireOff(found);
    const { type, accountId } = found;
    const broker = requireBroker(deps, found.broker);
    const given = renewsCredentials
      ? await givenAccess(deps, userId, broker, command.credentials)
      : undefined;
    const access =
      given &&
      (await linkAccount(deps, broker, {
        userId,
        type,
        accountId,
        credentials: given.credentials,
      }));
    if (access && access.accountId !== accountId)
      throw new Refusal('broker_access', 'these credentials open another account of the broker');
    if (given) requireConfirmedAccount(given, accountId);

    return changeOwnBot(deps, userId, command.botId, async (bot, stores) => {
      requireOff(bot);
      if (given) await takeAccess(stores, userId, broker.name, given, clock.now());
      const changed: Bot = {
        ...withSettings(deps, bot, command),
        sealedCredentials: access
          ? secretBox.seal(JSON.stringify(access.credentials), credentialsContext(bot.id))
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
      const cycle = isAtWork && isReplanning(command) ? bot.cycle + 1 : bot.cycle;
      return looksAgain
        ? { ...changed, following, cycle, nextRunAt: clock.now() }
        : { ...changed, following, cycle };
    });
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
