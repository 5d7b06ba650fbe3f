import {
  type Bot,
  type BotLimits,
  FIRST_MARK,
  FOLLOWS_NOTHING,
  LIVE_LIMITS,
  Refusal,
} from '@slipstream/domain';
import type { Broker, ReadStores, Stores } from '@slipstream/ports';

/** With real money a limit that was not set gets its default; null in the request turns it off. */
const withLiveDefaults = (limits: BotLimits): BotLimits => ({
  ...LIVE_LIMITS,
  ...Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== null)),
});

/**
 * The bot with an account at another broker, as it would be before its first start: nothing that it knew of the account before is
 * true of this one. A breach stands until its owner acknowledges it.
 */
export const atBroker = (
  bot: Bot,
  { name, live, existingPositions = 'keep' }: Pick<Broker, 'name' | 'live' | 'existingPositions'>,
  accountId: string,
): Bot => ({
  ...bot,
  broker: name,
  accountId,
  live,
  existingPositions,
  limits: live && !bot.live ? withLiveDefaults(bot.limits) : bot.limits,
  heldParts: new Map(),
  following: FOLLOWS_NOTHING,
  targetMark: FIRST_MARK,
  lossWatch: null,
  noticesOfDay: [],
  isKnownInLine: false,
  statusReason: null,
  attempts: 0,
  drift: null,
  lastRebalancedAt: null,
  // No order of the next broker has the id of one of the broker before.
  cycle: bot.cycle + 1,
  firstCycle: bot.cycle + 1,
});

/** Refuses to leave a broker where an order may still be filled: nobody would ask for it again. */
export async function requireNothingOpen(
  { botOrders }: Pick<ReadStores, 'botOrders'>,
  { id, broker }: Pick<Bot, 'id' | 'broker'>,
): Promise<void> {
  const { length } = await botOrders.outstanding(id);
  if (length > 0)
    throw new Refusal('conflict', `${length} orders of this bot at ${broker} have no end yet`);
}

/** The history of a bot's account ends with the account. */
export async function removeHistory(
  { botHistory }: Pick<Stores, 'botHistory'>,
  { id }: Pick<Bot, 'id'>,
): Promise<void> {
  const starts = (await botHistory.list(id, 0)).map(({ start }) => start);
  if (starts.length > 0) await botHistory.remove(id, starts);
}
