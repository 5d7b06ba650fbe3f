import { z } from 'zod';
import { BOT_NOTIFICATIONS, TIMEFRAMES } from '@slipstream/domain';
import { listFields, tableOf } from '../fields/csv.js';
import { flag, oneOf, setOf, several } from '../fields/lists.js';
import { message } from '../fields/output.js';
import { list, says } from '../operations/answers.js';
import { always, operation } from '../operations/operation.js';
import { ids } from '../example-ids.js';
import {
  botId,
  newBotCommand,
  newBotRequest,
  previewBotCommand,
  previewBotRequest,
  updateBotCommand,
  updateBotRequest,
} from './bot-requests.js';
import { aBot, aBotAccount, aBotHistoryRow, aBotOrder, aBotPreview } from './examples.js';
import {
  presentBot,
  presentBotAccount,
  presentBotHistoryRow,
  presentBotOrder,
  presentBotPreview,
} from './present.js';
import {
  botAccountResource,
  botHistoryRowResource,
  botOrderResource,
  botPreviewResource,
  botResource,
} from './resources.js';

const group = 'Bots';
export const bots = {
  newBot: operation({
    name: 'newBot',
    group,
    method: 'POST',
    summary: 'Creates a bot that mirrors strategies into a brokerage account; it is off.',
    request: newBotRequest,
    command: newBotCommand,
    response: botResource,
    present: presentBot,
    example: {
      request: {
        type: 'stock',
        broker: 'simulated',
        allocations: [{ strategy_id: ids.strategy, percent: '1' }],
        credentials: { starting_balance: '10000' },
      },
      response: { ...aBot, status: 'off', condition: 'off' },
    },
  }),
  updateBot: operation({
    name: 'updateBot',
    group,
    method: 'POST',
    summary:
      'Changes the given fields of a bot; broker, credentials, existing_positions and dry_run only while it is off.',
    request: updateBotRequest,
    command: updateBotCommand,
    response: botResource,
    present: presentBot,
    example: { request: { bot_id: ids.bot, leverage: '0.5' }, response: aBot },
  }),
  previewBot: operation({
    name: 'previewBot',
    group,
    method: 'POST',
    summary: 'Shows what a bot would do now: its account, what is kept, and the orders.',
    description:
      'Takes bot_id and fields of updateBot, or a whole newBot body with credentials, which are used once. Nothing is stored and nothing is sent. At most 10 calls a minute. The orders are the reductions and the increases that they pay for, at present quotes.',
    request: previewBotRequest,
    command: previewBotCommand,
    response: botPreviewResource,
    present: presentBotPreview,
    example: { request: { bot_id: ids.bot, leverage: '0.5' }, response: aBotPreview },
  }),
  updateBotNotifications: operation({
    name: 'updateBotNotifications',
    group,
    method: 'POST',
    summary: "Replaces the set of the bot's notification types.",
    request: z.strictObject({
      bot_id: botId,
      notifications: setOf(BOT_NOTIFICATIONS).meta({
        description: 'All that you want to be told of.',
      }),
    }),
    response: botResource,
    present: presentBot,
    example: { request: { bot_id: ids.bot, notifications: ['error'] }, response: aBot },
  }),
  deleteBot: operation({
    name: 'deleteBot',
    group,
    method: 'POST',
    summary: 'Deletes a bot that is off.',
    request: z.strictObject({ bot_id: botId }),
    response: message,
    present: says('Bot deleted.'),
    example: { request: { bot_id: ids.bot }, response: 'Bot deleted.' },
  }),
  getBots: operation({
    name: 'getBots',
    group,
    method: 'GET',
    summary: "The caller's bots; without bot_id[] all of them.",
    request: z.strictObject({ bot_id: several(botId).optional() }),
    renames: { bot_id: 'botIds' },
    response: z.array(botResource),
    present: list(presentBot),
    example: { request: {}, response: [aBot] },
  }),
  getBotOrders: operation({
    name: 'getBotOrders',
    group,
    method: 'GET',
    summary: "The bot's orders at its broker, newest first.",
    request: z.strictObject({ bot_id: botId, ...listFields }),
    command: ({ bot_id: of, from, to, limit, cursor }) => ({
      ...{ botId: of, from, to, limit, cursor },
    }),
    response: z.array(botOrderResource),
    present: list(presentBotOrder),
    csv: tableOf(botOrderResource, presentBotOrder),
    example: { request: { bot_id: ids.bot }, response: [aBotOrder] },
  }),
  getBotAccount: operation({
    name: 'getBotAccount',
    group,
    method: 'GET',
    summary: 'The present state of the brokerage account.',
    request: z.strictObject({ bot_id: botId }),
    response: botAccountResource,
    present: presentBotAccount,
    example: { request: { bot_id: ids.bot }, response: aBotAccount },
  }),
  getBotHistory: operation({
    name: 'getBotHistory',
    cost: always(3),
    group,
    method: 'GET',
    summary: "The history of the bot's account and of its target, at most 500 rows.",
    description:
      'A row for each minute in which the bot read its account, oldest first. Older rows, and those of a longer timeframe, are merged: each has the last figures and the sum of the flows.',
    request: z.strictObject({
      bot_id: botId,
      timeframe: oneOf(TIMEFRAMES)
        .optional()
        .meta({ description: 'Up to now; a month without it.' }),
    }),
    response: z.array(botHistoryRowResource),
    present: list(presentBotHistoryRow),
    example: {
      request: { bot_id: ids.bot, timeframe: 'day' },
      response: [aBotHistoryRow],
    },
  }),
  startBot: operation({
    name: 'startBot',
    group,
    method: 'POST',
    summary: 'Starts a bot that is off.',
    request: z.strictObject({
      bot_id: botId,
      rebalance_on_start: flag.optional().meta({
        description: 'For this start, instead of the setting of the bot.',
      }),
      live: flag.optional().meta({
        description: 'true is needed at each start of a bot that trades real money.',
      }),
    }),
    response: botResource,
    present: presentBot,
    example: {
      request: { bot_id: ids.bot },
      response: { ...aBot, status: 'scheduled_rebalance' },
    },
  }),
  stopBot: operation({
    name: 'stopBot',
    group,
    method: 'POST',
    summary: 'Stops an active bot, and closes its positions if it is set to.',
    request: z.strictObject({
      bot_id: botId,
      close_on_stop: flag.optional().meta({
        description: 'For this stop, instead of the setting of the bot.',
      }),
    }),
    response: botResource,
    present: presentBot,
    example: {
      request: { bot_id: ids.bot, close_on_stop: true },
      response: { ...aBot, status: 'stopping', condition: 'closing' },
    },
  }),
  resetBot: operation({
    name: 'resetBot',
    group,
    method: 'POST',
    summary: 'Schedules the rebalance or the closure again; settings and history stay.',
    request: z.strictObject({
      bot_id: botId,
      acknowledge_breach: flag.optional().meta({
        description: 'Ends a breach of max_daily_loss or max_drawdown: peak and day begin anew.',
      }),
    }),
    response: botResource,
    present: presentBot,
    example: {
      request: { bot_id: ids.bot },
      response: { ...aBot, status: 'scheduled_rebalance' },
    },
  }),
};
