import {
  type Bot,
  type BotNotification,
  type BotOrder,
  type Decimal,
  type UserId,
  id,
} from '@slipstream/domain';
import { requireUser } from '../access.js';
import * as bots from '../bots/index.js';
import type { Caller } from '../caller.js';

export interface OfBot {
  readonly botId: string;
}

export type Allocations = readonly { readonly strategyId: string; readonly percent: Decimal }[];

export type NewBotCommand = Omit<bots.NewBot, 'allocations'> & {
  readonly allocations?: Allocations | undefined;
};
export type UpdateBotCommand = Omit<bots.UpdateBot, 'allocations'> & {
  readonly allocations?: Allocations | undefined;
};

const DEFAULT_LIMIT = 100;

/** An operation on the caller's own bots. */
const byUser =
  <Command, Answer>(operation: (userId: UserId, command: Command) => Promise<Answer>) =>
  async (caller: Caller, command: Command): Promise<Answer> =>
    operation(requireUser(caller).userId, command);

const branded = <Command extends { readonly allocations?: Allocations | undefined }>(
  command: Command,
) => ({
  ...command,
  allocations: command.allocations?.map(({ strategyId, percent }) => ({
    strategyId: id<'strategy'>(strategyId),
    percent,
  })),
});

/** The Bots group: every operation on the caller's own bots (spec 4.5, contract 4). */
export function botOperations(deps: bots.BotDeps) {
  const create = bots.newBot(deps);
  const update = bots.updateBot(deps);
  const list = bots.getBots(deps);
  const listOrders = bots.getBotOrders(deps);
  return {
    newBot: byUser((userId, command: NewBotCommand): Promise<Bot> =>
      create(userId, branded(command)),
    ),
    updateBot: byUser((userId, command: UpdateBotCommand): Promise<Bot> =>
      update(userId, branded(command)),
    ),
    updateBotNotifications: byUser<
      OfBot & { readonly notifications: readonly BotNotification[] },
      Bot
    >(bots.updateBotNotifications(deps)),
    deleteBot: byUser<OfBot, void>(bots.deleteBot(deps)),
    /** Newest first; those that are named in the order asked. */
    getBots: byUser(
      async (
        userId,
        { botIds }: { readonly botIds?: readonly string[] | undefined },
      ): Promise<Bot[]> => {
        const own = await list(userId);
        if (!botIds) return own;
        return [...new Set(botIds)].flatMap((botId) => own.filter((bot) => bot.id === botId));
      },
    ),
    getBotOrders: byUser(
      (
        userId,
        command: OfBot & {
          readonly limit?: number | undefined;
          readonly cursor?: string | undefined;
        },
      ): Promise<BotOrder[]> =>
        listOrders(userId, { ...command, limit: command.limit ?? DEFAULT_LIMIT }),
    ),
    getBotAccount: byUser<OfBot, bots.BotAccountView>(bots.getBotAccount(deps)),
    startBot: byUser<OfBot & { readonly rebalanceOnStart?: boolean | undefined }, Bot>(
      bots.startBot(deps),
    ),
    stopBot: byUser<OfBot & { readonly closeOnStop?: boolean | undefined }, Bot>(
      bots.stopBot(deps),
    ),
    resetBot: byUser<OfBot, Bot>(bots.resetBot(deps)),
  };
}
