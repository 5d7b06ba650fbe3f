import { type RequestOf, presentBot, presentBotAccount, presentBotOrder } from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

const settings = (request: Omit<RequestOf<'updateBot'>, 'bot_id' | 'allocations'>) => ({
  leverage: request.leverage,
  slippage: request.slippage,
  rebalanceOnStart: request.rebalance_on_start,
  closeOnStop: request.close_on_stop,
  notifications: request.notifications,
  credentials: request.credentials,
});

const allocations = (given: RequestOf<'newBot'>['allocations']) =>
  given.map(({ strategy_id: strategyId, percent }) => ({ strategyId, percent }));

export const botHandlers: HandlersOf<
  | 'newBot'
  | 'updateBot'
  | 'updateBotNotifications'
  | 'deleteBot'
  | 'getBots'
  | 'getBotOrders'
  | 'getBotAccount'
  | 'startBot'
  | 'stopBot'
  | 'resetBot'
> = {
  newBot: async (application, request, caller) =>
    presentBot(
      await application.newBot(caller, {
        type: request.type,
        broker: request.broker,
        accountId: request.account_id,
        allocations: allocations(request.allocations),
        ...settings(request),
      }),
    ),
  updateBot: async (application, request, caller) =>
    presentBot(
      await application.updateBot(caller, {
        botId: request.bot_id,
        allocations: request.allocations && allocations(request.allocations),
        ...settings(request),
      }),
    ),
  updateBotNotifications: async (application, { bot_id: botId, notifications }, caller) =>
    presentBot(await application.updateBotNotifications(caller, { botId, notifications })),
  deleteBot: async (application, { bot_id: botId }, caller) => {
    await application.deleteBot(caller, { botId });
    return 'Bot deleted.';
  },
  getBots: async (application, { bot_id: botIds }, caller) =>
    (await application.getBots(caller, { botIds })).map(presentBot),
  getBotOrders: async (application, { bot_id: botId, limit, cursor }, caller) =>
    (await application.getBotOrders(caller, { botId, limit, cursor })).map(presentBotOrder),
  getBotAccount: async (application, { bot_id: botId }, caller) =>
    presentBotAccount(await application.getBotAccount(caller, { botId })),
  startBot: async (application, request, caller) => {
    const { bot_id: botId, rebalance_on_start: rebalanceOnStart } = request;
    return presentBot(await application.startBot(caller, { botId, rebalanceOnStart }));
  },
  stopBot: async (application, { bot_id: botId, close_on_stop: closeOnStop }, caller) =>
    presentBot(await application.stopBot(caller, { botId, closeOnStop })),
  resetBot: async (application, { bot_id: botId }, caller) =>
    presentBot(await application.resetBot(caller, { botId })),
};
