import {
  type AccountBucket,
  type Bot,
  type BotNotification,
  type BotAccountView,
  type BotOrderView,
  type Decimal,
  MINUTE,
  type Timeframe,
  type UserId,
  id,
} from '@slipstream/domain';
import { requireUser } from '../strategies/access.js';
import * as bots from './index.js';
import type { Caller } from '../caller.js';
import { countCall } from '../accounts/guesses.js';
import { confirmed } from '../accounts/confirmed-address.js';
import type { Core } from '../core.js';
import { type PageRequest, pageOf } from '../page.js';

export interface OfBot {
  readonly botId: string;
}

export type Allocations = readonly { readonly strategyId: string; readonly percent: Decimal }[];

export type NewBotCommand = Omit<bots.NewBot, 'allocations'> & {
  readonly allocations?: Allocations | undefined;
};
export type PreviewBotCommand = Omit<bots.PreviewBot, 'allocations'> & {
  readonly allocations?: Allocations | undefined;
};
export type UpdateBotCommand = Omit<bots.UpdateBot, 'allocations'> & {
  readonly allocations?: Allocations | undefined;
};

/** An operation on the caller's own bots, as a function of the core. */
const byUser =
  <Command, Answer>(
    operation: (deps: bots.BotDeps) => (userId: UserId, command: Command) => Promise<Answer>,
  ) =>
  (core: Core) =>
  async (caller: Caller, command: Command): Promise<Answer> =>
    operation(botDeps(core))(requireUser(caller).userId, command);

/** The parts of the core that bots need. */
export const botDeps = (core: Core): bots.BotDeps => ({
  ...core,
  instruments: core.live.stocks,
  market: () => core.live.market(core.clock.now()),
});

const branded = <Command extends { readonly allocations?: Allocations | undefined }>(
  command: Command,
) => ({
  ...command,
  allocations: command.allocations?.map(({ strategyId, percent }) => ({
    strategyId: id<'strategy'>(strategyId),
    percent,
  })),
});

/** Previews of a user per minute: each asks the broker for the whole account (contract 10). */
const MOST_PREVIEWS = 10;

/** The Bots group: every operation on the caller's own bots (spec 4.5, contract 4). */
export const botOperations = {
  newBot: confirmed(
    byUser(
      (deps) =>
        (userId, command: NewBotCommand): Promise<Bot> =>
          bots.newBot(deps)(userId, branded(command)),
    ),
  ),
  updateBot: confirmed(
    byUser(
      (deps) =>
        (userId, command: UpdateBotCommand): Promise<Bot> =>
          bots.updateBot(deps)(userId, branded(command)),
    ),
  ),
  previewBot: confirmed(
    (core: Core) =>
      async (caller: Caller, command: PreviewBotCommand): Promise<bots.BotPreview> => {
        const { userId } = requireUser(caller);
        await countCall(core, 'previewBot', userId, { limit: MOST_PREVIEWS, window: MINUTE });
        return bots.previewBot(botDeps(core))(userId, branded(command));
      },
  ),
  updateBotNotifications: byUser<
    OfBot & { readonly notifications: readonly BotNotification[] },
    Bot
  >(bots.updateBotNotifications),
  deleteBot: byUser<OfBot, void>(bots.deleteBot),
  getBots: byUser<{ readonly botIds?: readonly string[] | undefined }, Bot[]>(bots.getBots),
  getBotOrders: byUser(
    (deps) =>
      (userId, command: OfBot & PageRequest): Promise<BotOrderView[]> =>
        bots.getBotOrders(deps)(userId, { ...pageOf(command), botId: command.botId }),
  ),
  getBotAccount: byUser<OfBot, BotAccountView>(bots.getBotAccount),
  getBotHistory: byUser<OfBot & { readonly timeframe?: Timeframe | undefined }, AccountBucket[]>(
    bots.getBotHistory,
  ),
  getBotStatistics:
    (core: Core) =>
    async (caller: Caller, command: bots.BotStatisticsCommand): Promise<bots.BotStatisticsView> =>
      bots.getBotStatistics(core)(requireUser(caller).userId, command),
  startBot: confirmed(byUser<bots.StartBot, Bot>(bots.startBot)),
  stopBot: byUser<OfBot & { readonly closeOnStop?: boolean | undefined }, Bot>(bots.stopBot),
  resetBot: byUser<OfBot & { readonly acknowledgeBreach?: boolean | undefined }, Bot>(
    bots.resetBot,
  ),
};
