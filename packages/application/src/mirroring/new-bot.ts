import {
  BOT_NOTIFICATIONS,
  type Bot,
  type BotAllocation,
  type BotMode,
  type BotNotification,
  DEFAULT_BOT_LEVERAGE,
  DEFAULT_PRICE_COLLAR,
  DEFAULT_SLIPPAGE,
  FIRST_MARK,
  FOLLOWS_NOTHING,
  type Decimal,
  type ExistingPositions,
  FIRST_PACE,
  type GivenLimits,
  type GivenRebalance,
  type Join,
  LIVE_LIMITS,
  NO_LIMITS,
  type OnBreach,
  type Security,
  type StockId,
  type UserId,
  changedLimits,
  requireBotSettings,
  rebalanceRule,
  requireLimits,
} from '@slipstream/domain';
import type { Broker, LinkedAccount, ReadStores } from '@slipstream/ports';
import { ownUser } from '../accounts/users.js';
import { requireBelowCap } from '../caps.js';
import { type BotDeps, credentialsContext, saveChanged } from './bot-deps.js';
import { linkAccount, requireBroker } from './broker-access.js';
import { givenAccess, requireConfirmedAccount, takeAccess } from './connect/granted-access.js';
import { requireMirrorable } from './mirrored-strategies.js';

/** The settings that may change later, without the credentials. Contract 4 has the defaults. */
export interface BotSettings {
  /** Null for none. */
  readonly name?: string | null | undefined;
  readonly allocations?: readonly BotAllocation[] | undefined;
  readonly leverage?: Decimal | undefined;
  readonly slippage?: Decimal | undefined;
  readonly priceCollar?: Decimal | undefined;
  /** Null for the service's setting. */
  readonly maxSpread?: Decimal | null | undefined;
  /** Null turns a limit off. */
  readonly limits?: GivenLimits | undefined;
  readonly onBreach?: OnBreach | undefined;
  readonly rebalance?: GivenRebalance | undefined;
  readonly rebalanceOnStart?: boolean | undefined;
  readonly closeOnStop?: boolean | undefined;
  /** Changes only while the bot is off. */
  readonly existingPositions?: ExistingPositions | undefined;
  readonly notifications?: readonly BotNotification[] | undefined;
  readonly mode?: BotMode | undefined;
  readonly join?: Join | undefined;
  /** Names or ids; null for all stocks. */
  readonly allowStocks?: readonly string[] | null | undefined;
  readonly denyStocks?: readonly string[] | undefined;
  /** Changes only while the bot is off. */
  readonly dryRun?: boolean | undefined;
}

/** The ids of the named stocks, each once. */
export const stockIdsOf = (
  { instruments }: Pick<BotDeps, 'instruments'>,
  names: readonly string[],
): readonly StockId[] => [...new Set(names.map((name) => instruments.resolve(name).id))];

export interface NewBot extends BotSettings {
  readonly type: Security;
  readonly broker: string;
  readonly accountId?: string | undefined;
  /** The fields that the broker adapter requires, or `connection_id` alone. */
  readonly credentials?: unknown;
}

/** The account of a bot that is new. */
interface NewAccount {
  readonly userId: UserId;
  readonly broker: Broker;
  readonly accountId: string;
  /** Sealed before they are stored; none for a bot that is only previewed. */
  readonly credentials?: LinkedAccount['credentials'];
}

/** A bot with these settings, or their defaults (contract 4); it is off. */
export function botOf(
  deps: Pick<BotDeps, 'clock' | 'ids' | 'instruments' | 'secretBox'>,
  command: NewBot,
  { userId, broker, accountId, credentials = {} }: NewAccount,
): Bot {
  const { type, allocations = [], notifications = BOT_NOTIFICATIONS } = command;
  const id = deps.ids.next<'bot'>();
  const now = deps.clock.now();
  return {
    id,
    userId,
    name: command.name ?? null,
    type,
    broker: broker.name,
    accountId,
    live: broker.live,
    allocations,
    leverage: command.leverage ?? DEFAULT_BOT_LEVERAGE,
    slippage: command.slippage ?? DEFAULT_SLIPPAGE,
    priceCollar: command.priceCollar ?? DEFAULT_PRICE_COLLAR[type],
    maxSpread: command.maxSpread ?? null,
    mode: command.mode ?? 'normal',
    join: command.join ?? 'all',
    allowStocks: command.allowStocks ? stockIdsOf(deps, command.allowStocks) : null,
    denyStocks: stockIdsOf(deps, command.denyStocks ?? []),
    dryRun: command.dryRun ?? false,
    rebalance: rebalanceRule(command.rebalance ?? 'every_trade'),
    pace: FIRST_PACE,
    rebalanceOnStart: command.rebalanceOnStart ?? true,
    closeOnStop: command.closeOnStop ?? false,
    existingPositions: command.existingPositions ?? broker.existingPositions ?? 'keep',
    heldParts: new Map(),
    following: FOLLOWS_NOTHING,
    targetMark: FIRST_MARK,
    limits: changedLimits(broker.live ? LIVE_LIMITS : NO_LIMITS, command.limits),
    onBreach: command.onBreach ?? 'reduce_only',
    breach: null,
    lossWatch: null,
    noticesOfDay: [],
    isKnownInLine: false,
    notifications: [...new Set(notifications)],
    sealedCredentials: deps.secretBox.seal(JSON.stringify(credentials), credentialsContext(id)),
    status: 'off',
    condition: 'off',
    statusReason: null,
    stopReason: null,
    haltsSeen: [],
    nextRunAt: null,
    awaitsTradeSince: null,
    closesPositions: false,
    cycle: 0,
    firstCycle: 0,
    attempts: 0,
    drift: null,
    lastRebalancedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Links a brokerage account to a bot that is off. */
export const newBot =
  (deps: BotDeps) =>
  async (userId: UserId, command: NewBot): Promise<Bot> => {
    const { unitOfWork, clock } = deps;
    const { type, allocations = [] } = command;
    const broker = requireBroker(deps, command.broker);
    const given = await givenAccess(deps, userId, broker, command.credentials);
    const wanted = { userId, broker, accountId: command.accountId ?? '' };
    const planned = botOf(deps, command, wanted);
    requireBotSettings(planned);
    requireLimits(planned.limits);
    const requireAllowed = async (stores: ReadStores): Promise<void> => {
      const { length } = await stores.bots.listOf(userId);
      requireBelowCap(deps.settings.caps, 'bots', length);
      await requireMirrorable(stores, userId, type, allocations, clock.now());
    };
    await unitOfWork.read(requireAllowed);
    const { accountId, credentials } = await linkAccount(deps, broker, {
      userId,
      type,
      accountId: command.accountId,
      credentials: given.credentials,
    });
    requireConfirmedAccount(given, accountId);
    const bot = botOf(deps, command, { userId, broker, accountId, credentials });
    await unitOfWork.run(async (stores) => {
      // The account may have ended while the broker was asked.
      await ownUser(stores, userId);
      await requireAllowed(stores);
      await takeAccess(stores, userId, broker.name, given, clock.now());
      await saveChanged(stores, bot);
      stores.answerWith(bot);
    });
    return bot;
  };
