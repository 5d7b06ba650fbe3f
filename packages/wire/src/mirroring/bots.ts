import { z } from 'zod';
import {
  MAX_BOT_ALLOCATIONS,
  BOT_MODES,
  BOT_NOTIFICATIONS,
  EXISTING_POSITIONS,
  JOINS,
  MAX_LISTED_STOCKS,
  ON_BREACH,
  SECURITIES,
  TIMEFRAMES,
} from '@slipstream/domain';
import { idOf, line, stockRef } from '../fields/text.js';
import {
  botPercent,
  botLeverage,
  lossLimit,
  maxSpread,
  orderLimit,
  priceCollar,
  sizeLimit,
  slippage,
} from '../fields/figures.js';
import { listFields, tableOf } from '../fields/csv.js';
import { camelKeys } from '../operations/camel-keys.js';
import { flag, setOf, oneOf, several } from '../fields/lists.js';
import { always, operation } from '../operations/operation.js';
import {
  botResource,
  botOrderResource,
  botAccountResource,
  botHistoryRowResource,
  botPreviewResource,
} from './resources.js';
import {
  presentBot,
  presentBotOrder,
  presentBotAccount,
  presentBotHistoryRow,
  presentBotPreview,
} from './present.js';
import { rebalance, rebalanceCommand } from './rebalance.js';
import { ids } from '../example-ids.js';
import { aBot, aBotOrder, aBotAccount, aBotHistoryRow, aBotPreview } from './examples.js';
import { message } from '../fields/output.js';
import { says, list } from '../operations/answers.js';

const group = 'Bots';
const botId = idOf<'bot'>();
const allocation = z.strictObject({ strategy_id: idOf<'strategy'>(), percent: botPercent });
const allocationCommand = camelKeys(allocation);
const allocations = z
  .array(allocation, {
    error: 'must be an array',
  })
  .max(MAX_BOT_ALLOCATIONS, { error: `must have at most ${MAX_BOT_ALLOCATIONS} items` });
const stockList = z
  .array(stockRef, { error: 'must be an array' })
  .max(MAX_LISTED_STOCKS, { error: `must have at most ${MAX_LISTED_STOCKS} items` });
const limits = z.strictObject({
  max_capital: sizeLimit.nullable().optional(),
  max_order: sizeLimit.nullable().optional(),
  max_gross: sizeLimit.nullable().optional(),
  max_per_stock: sizeLimit.nullable().optional(),
  max_orders_per_day: orderLimit.nullable().optional(),
  max_turnover_per_day: sizeLimit.nullable().optional(),
  max_daily_loss: lossLimit.nullable().optional(),
  max_drawdown: lossLimit.nullable().optional(),
});
const limitsCommand = camelKeys(limits);
const settings = {
  name: line(50, 1).nullable().optional().meta({
    description: 'What you call it, in lists and notifications; null for none.',
  }),
  leverage: botLeverage.optional(),
  slippage: slippage.optional(),
  price_collar: priceCollar.optional().meta({
    description:
      'Orders are limits at ask x (1 + it), bid x (1 - it); 0.01 for stocks, 0.02 for coins unless given.',
  }),
  max_spread: maxSpread.nullable().optional().meta({
    description:
      'No order while (ask - bid) / middle is wider; null for the server setting MAX_SPREAD.',
  }),
  limits: limits.optional().meta({
    description:
      'USD (max_capital, max_order), multiples of equity (max_gross, max_per_stock, max_turnover_per_day), a number of orders, or parts of equity lost; null turns one off, an absent one stays as it is.',
  }),
  on_breach: oneOf(ON_BREACH).optional().meta({
    description:
      'When max_daily_loss or max_drawdown is breached: reduce_only (default), hold (no order at all) or close (closes the positions of the bot, then off).',
  }),
  rebalance: rebalance.optional(),
  rebalance_on_start: flag.optional(),
  close_on_stop: flag.optional(),
  existing_positions: oneOf(EXISTING_POSITIONS).optional().meta({
    description:
      'keep: earlier holdings of the account are not traded; can change only while the bot is off',
  }),
  mode: oneOf(BOT_MODES).optional().meta({
    description: 'reduce_only: nothing is opened or added to. paused: no order at all.',
  }),
  join: oneOf(JOINS).optional().meta({
    description:
      'new_only: positions that a strategy held when the bot started from off are not taken until the strategy increases them, or opens them anew. all (default) takes them.',
  }),
  allow_stocks: stockList.nullable().optional().meta({
    description: 'The only stocks that the bot opens or adds to; null for all.',
  }),
  deny_stocks: stockList.optional().meta({
    description:
      'Stocks that the bot does not open or add to; their share stays in cash, and reductions are followed.',
  }),
  dry_run: flag.optional().meta({
    description:
      'true: the bot plans on the real account and sends nothing; can change only while it is off.',
  }),
  notifications: setOf(BOT_NOTIFICATIONS).optional(),
  credentials: z
    .record(z.string(), z.unknown(), { error: 'must be a JSON object' })
    .optional()
    .meta({
      description:
        'The credentials that the broker requires, or connection_id alone (finishConnection); never returned.',
    }),
};

const newBotRequest = z.strictObject({
  type: oneOf(SECURITIES),
  broker: line(50, 1),
  allocations,
  account_id: line(50, 1).optional(),
  ...settings,
});
const newBotCommand = camelKeys(newBotRequest);
const updateBotRequest = z.strictObject({
  bot_id: botId,
  broker: line(50, 1).optional().meta({
    description:
      'Another broker, with credentials and while the bot is off: it begins anew with that account.',
  }),
  allocations: allocations.optional(),
  ...settings,
});
const updateBotCommand = camelKeys(updateBotRequest);
/** A change of a bot, or a new one. */
const previewRequest = z
  .strictObject({
    bot_id: botId.optional(),
    ...newBotRequest.partial().shape,
  })
  .superRefine(({ bot_id, type, broker, allocations: given, account_id }, context) => {
    const isWhole = [type, broker, given].every((field) => field !== undefined);
    const isChange = [type, account_id].every((field) => field === undefined);
    const message =
      'takes bot_id and fields of updateBot, or the fields of newBot (type, broker and allocations)';
    if (bot_id === undefined ? !isWhole : !isChange) context.addIssue({ code: 'custom', message });
  });
const previewCommand = camelKeys(previewRequest);

export const bots = {
  newBot: operation({
    name: 'newBot',
    group,
    method: 'POST',
    summary: 'Creates a bot that mirrors strategies into a brokerage account; it is off.',
    request: newBotRequest,
    command: (request) => ({
      ...newBotCommand(request),
      limits: request.limits && limitsCommand(request.limits),
      rebalance: rebalanceCommand(request.rebalance),
      allocations: request.allocations.map(allocationCommand),
    }),
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
    command: (request) => ({
      ...updateBotCommand(request),
      limits: request.limits && limitsCommand(request.limits),
      rebalance: rebalanceCommand(request.rebalance),
      allocations: request.allocations?.map(allocationCommand),
    }),
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
    request: previewRequest,
    command: (request) => ({
      ...previewCommand(request),
      allocations: request.allocations?.map(allocationCommand),
      limits: request.limits && limitsCommand(request.limits),
      rebalance: rebalanceCommand(request.rebalance),
    }),
    response: botPreviewResource,
    present: presentBotPreview,
    example: { request: { bot_id: ids.bot, leverage: '0.5' }, response: aBotPreview },
  }),
  updateBotNotifications: operation({
    name: 'updateBotNotifications',
    group,
    method: 'POST',
    summary: "Replaces the set of the bot's notification types.",
    request: z.strictObject({ bot_id: botId, notifications: setOf(BOT_NOTIFICATIONS) }),
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
    request: z.strictObject({ bot_id: botId, timeframe: oneOf(TIMEFRAMES).optional() }),
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
      rebalance_on_start: flag.optional(),
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
    request: z.strictObject({ bot_id: botId, close_on_stop: flag.optional() }),
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
