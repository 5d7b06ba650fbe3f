import {
  type Bot,
  type BotId,
  type BotNotification,
  type BotOrder,
  type Market,
  Refusal,
  type UserId,
  id,
  type Stock,
  botTitle,
} from '@slipstream/domain';
import type { Instruments, ReadStores, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { keepNotification } from '../messages/notify.js';
import type { Settings } from '../settings.js';
import type { Transaction } from '../transaction.js';

/** The dependencies of the bots' use cases and reconciler. */
export interface BotDeps extends Pick<
  Core,
  | 'unitOfWork'
  | 'clock'
  | 'ids'
  | 'brokers'
  | 'secretBox'
  | 'fingerprints'
  | 'log'
  | 'losses'
  | 'pause'
> {
  readonly settings: Pick<Settings, 'caps' | 'maxSpread'>;
  /** Every instrument of this service. */
  readonly instruments: Instruments & {
    /** The stock of that name or id; refuses an unknown one. */
    resolve(name: string): Stock;
  };
  /** The market now. */
  readonly market: () => Market<Stock>;
}

/** A notification of a bot's owner. */
export interface BotNotice {
  readonly kind: BotNotification;
  readonly text: string;
}

/** Notifies the owner, if the bot has the kind enabled, in the transaction of the change: exactly once, whatever crashes. */
export async function notifyOwner(
  deps: Pick<BotDeps, 'ids' | 'clock'>,
  stores: Pick<Stores, 'notifications' | 'events'>,
  bot: Bot,
  { kind, text }: BotNotice,
): Promise<void> {
  if (!bot.notifications.includes(kind)) return;
  const { id: botId, userId } = bot;
  await keepNotification(deps, stores, kind, {
    userId,
    botId,
    text: `Bot ${botTitle(bot)}: ${text}`,
  });
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

/** Saves an order of a bot and publishes it. */
export async function saveOrder(
  { botOrders, events }: Pick<Stores, 'botOrders' | 'events'>,
  order: BotOrder,
): Promise<void> {
  await botOrders.save(order);
  await events.add({ kind: 'bot_order_changed', order, at: order.updatedAt });
}

/** Changes the user's bot in one transaction. */
export async function changeOwnBot(
  { unitOfWork, clock, losses }: Pick<BotDeps, 'unitOfWork' | 'clock' | 'losses'>,
  userId: UserId,
  botId: string,
  change: (bot: Bot, stores: Transaction) => Bot | Promise<Bot>,
): Promise<Bot> {
  const now = clock.now();
  const work = async (stores: Transaction): Promise<Bot> => {
    const changed = {
      ...(await change(await ownBot(stores, userId, botId), stores)),
      updatedAt: now,
    };
    await saveChanged(stores, changed);
    stores.answerWith(changed);
    return changed;
  };
  return unitOfWork.run(work, { onCommit: (bot) => losses.put(bot) });
}

/** The context that a bot's credentials are sealed with. */
export const credentialsContext = (botId: BotId): string => `bot_credentials|${botId}`;
