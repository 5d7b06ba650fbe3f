import {
  type Bot,
  type BotId,
  type BotNotification,
  type Market,
  Refusal,
  type UserId,
  id,
  type Stock,
} from '@slipstream/domain';
import type { Instruments, ReadStores, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import type { Settings } from '../settings.js';
import type { Transaction } from '../transaction.js';

/** The dependencies of the bots' use cases and reconciler. */
export interface BotDeps extends Pick<
  Core,
  'unitOfWork' | 'clock' | 'ids' | 'brokers' | 'secretBox' | 'fingerprints' | 'log'
> {
  readonly settings: Pick<Settings, 'caps'>;
  /** Every instrument of this service. */
  readonly instruments: Instruments;
  /** The market now. */
  readonly market: () => Market<Stock>;
  /** Notifies the owner; called after the commit, and only for kinds that the bot has enabled. */
  readonly notify: (bot: Bot, kind: BotNotification, text: string) => Promise<void>;
}

/** Notifies the owner if the bot has the kind enabled. A failure to notify changes nothing else. */
export async function tell(
  { notify, log }: Pick<BotDeps, 'notify' | 'log'>,
  bot: Bot,
  kind: BotNotification,
  text: string,
): Promise<void> {
  if (!bot.notifications.includes(kind)) return;
  try {
    await notify(bot, kind, text);
  } catch (error) {
    log.warn({ botId: bot.id, kind, error: String(error) }, 'could not store a bot notification');
  }
}

/** The bot, if it is the user's. Another user's bot is refused as one that does not exist. */
export async function ownBot(
  { bots }: Pick<ReadStores, 'bots'>,
  userId: UserId,
  botId: string,
): Promise<Bot> {
  const bot = await bots.find(id<'bot'>(botId));
  if (bot?.userId === userId) return bot;
  throw new Refusal('not_found', `bot ${botId} does not exist`, bot !== undefined);
}

/** Saves a changed bot and publishes it. */
export async function saveChanged(
  { bots, events }: Pick<Stores, 'bots' | 'events'>,
  bot: Bot,
): Promise<void> {
  await bots.save(bot);
  await events.add({ kind: 'bot_changed', bot, at: bot.updatedAt });
}

/** Changes the user's bot in one transaction. */
export async function changeOwnBot(
  { unitOfWork, clock }: Pick<BotDeps, 'unitOfWork' | 'clock'>,
  userId: UserId,
  botId: string,
  change: (bot: Bot, stores: Transaction) => Bot | Promise<Bot>,
): Promise<Bot> {
  const now = clock.now();
  return unitOfWork.run(async (stores) => {
    const changed = {
      ...(await change(await ownBot(stores, userId, botId), stores)),
      updatedAt: now,
    };
    await saveChanged(stores, changed);
    stores.answerWith(changed);
    return changed;
  });
}

/** The context that a bot's credentials are sealed with. */
export const credentialsContext = (botId: BotId): string => `bot_credentials|${botId}`;
