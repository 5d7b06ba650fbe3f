import {
  type Bot,
  type BotAccountView,
  type BotOrderView,
  type UserId,
  id,
} from '@slipstream/domain';
import type { Page } from '@slipstream/ports';
import { type BotDeps, ownBot } from './bot-deps.js';
import { viewBotAccount, viewBotOrders } from './bot-views.js';
import { accessOf, askBroker, requireBroker } from './broker-access.js';
import { type Comparison, compareAccount } from './compare-account.js';
import { splitsFor } from './history/splits.js';
import { managedBy } from './managed-account.js';
import { seesTarget } from './mirrored-strategies.js';
import { amountsLeft } from './restraints/held-up-orders.js';

/** The user's bots: the named ones in the requested order, or all, newest first. */
export const getBots =
  ({ unitOfWork }: Pick<BotDeps, 'unitOfWork'>) =>
  (
    userId: UserId,
    { botIds }: { readonly botIds?: readonly string[] | undefined },
  ): Promise<Bot[]> =>
    unitOfWork.read(async ({ bots }) => {
      if (!botIds) return bots.listOf(userId);
      const own: Bot[] = [];
      for (const botId of new Set(botIds)) {
        const bot = await bots.find(id<'bot'>(botId));
        if (bot?.userId === userId) own.push(bot);
      }
      return own;
    });

/** Every order that the bot decided to place, with its present state; newest first. */
export const getBotOrders =
  ({ unitOfWork, market }: Pick<BotDeps, 'unitOfWork' | 'market'>) =>
  async (
    userId: UserId,
    { botId, ...page }: Page & { readonly botId: string },
  ): Promise<BotOrderView[]> => {
    const orders = await unitOfWork.read(async (stores) => {
      const bot = await ownBot(stores, userId, botId);
      return stores.botOrders.list(bot.id, page);
    });
    return viewBotOrders(orders, market());
  };

const NOT_SEEN: Comparison = {
  kind: 'unavailable',
  reason: 'its owner does not follow a strategy of it any more',
};

/** The account as the broker now reports it, against its target as long as its owner may see that. */
export const getBotAccount =
  (deps: BotDeps) =>
  async (userId: UserId, command: { readonly botId: string }): Promise<BotAccountView> => {
    const { bot, open } = await deps.unitOfWork.read(async (stores) => {
      const found = await ownBot(stores, userId, command.botId);
      return { bot: found, open: amountsLeft(await stores.botOrders.outstanding(found.id)) };
    });
    const broker = requireBroker(deps, bot.broker);
    return askBroker(deps, broker, async () => {
      const access = accessOf(deps, bot);
      const account = await broker.account(access, deps.instruments);
      const splits = await deps.unitOfWork.read((stores) => splitsFor(stores, bot));
      // What its open orders may have filled since the last check is the bot's.
      const managed = managedBy(deps, bot, account, splits, open);
      const compared = await compareAccount({ deps, bot, broker, access }, managed);
      // Looked at last: it may have ended while the broker was asked.
      const isSeen = await deps.unitOfWork.read((stores) => seesTarget(stores, bot, deps.clock));
      const shown = isSeen ? compared : NOT_SEEN;
      return viewBotAccount(managed.whole, managed.account, shown, deps.market());
    });
  };
