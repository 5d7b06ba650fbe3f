import { z } from 'zod';
import {
  BOT_MODES,
  BOT_NOTIFICATIONS,
  EXISTING_POSITIONS,
  JOINS,
  MAX_BOT_ALLOCATIONS,
  MAX_LISTED_STOCKS,
  ON_BREACH,
  SECURITIES,
} from '@slipstream/domain';
import {
  botLeverage,
  botPercent,
  lossLimit,
  maxSpread,
  orderLimit,
  priceCollar,
  sizeLimit,
  slippage,
} from '../fields/figures.js';
import { flag, oneOf, setOf } from '../fields/lists.js';
import { idOf, line, stockRef } from '../fields/text.js';
import { camelKeys } from '../operations/camel-keys.js';
import { rebalance, rebalanceCommand } from './rebalance.js';

/** The id of a bot, in a request. */
export const botId = idOf<'bot'>();
const allocation = z.strictObject({ strategy_id: idOf<'strategy'>(), percent: botPercent });
const allocationKeys = camelKeys(allocation);
const allocations = z
  .array(allocation, {
    error: 'must be an array',
  })
  .max(MAX_BOT_ALLOCATIONS, { error: `must have at most ${MAX_BOT_ALLOCATIONS} items` })
  .meta({
    description: 'The strategies that it mirrors, and each one’s part of the account, a fraction.',
  });
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
const limitsKeys = camelKeys(limits);
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
  rebalance_on_start: flag.optional().meta({
    description:
      'Whether a start brings the account to its target at once (default); false: it waits for the next trade of a mirrored strategy.',
  }),
  close_on_stop: flag.optional().meta({
    description:
      'Whether a stop sells what the bot bought, and covers its shorts; false unless given.',
  }),
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
  notifications: setOf(BOT_NOTIFICATIONS).optional().meta({
    description: 'What its owner is told of in notifications: all of them unless given.',
  }),
  credentials: z
    .record(z.string(), z.unknown(), { error: 'must be a JSON object' })
    .optional()
    .meta({
      description:
        'The credentials that the broker requires, or connection_id alone (finishConnection); never returned.',
    }),
};

/** A new bot. */
export const newBotRequest = z.strictObject({
  type: oneOf(SECURITIES).meta({ description: 'What it trades: that of its strategies.' }),
  broker: line(50, 1).meta({ description: 'The name of a broker that this server connects to.' }),
  allocations,
  account_id: line(50, 1).optional().meta({
    description:
      'The account at the broker; absent: the one that the credentials open, or a new simulated one.',
  }),
  ...settings,
});

/** Changes of a bot; what is absent stays. */
export const updateBotRequest = z.strictObject({
  bot_id: botId,
  broker: line(50, 1).optional().meta({
    description:
      'Another broker, with credentials and while the bot is off: it begins anew with that account.',
  }),
  allocations: allocations.optional(),
  ...settings,
});

/** A change of a bot, or a new one. */
export const previewBotRequest = z
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

const newBotKeys = camelKeys(newBotRequest);
const updateBotKeys = camelKeys(updateBotRequest);
const previewBotKeys = camelKeys(previewBotRequest);

type Nested = Pick<z.output<typeof previewBotRequest>, 'allocations' | 'limits' | 'rebalance'>;

/** The fields that have fields themselves, under the application's names. */
const nestedKeys = ({ allocations: given, limits: sizes, rebalance: rule }: Nested) => ({
  allocations: given?.map(allocationKeys),
  limits: sizes && limitsKeys(sizes),
  rebalance: rebalanceCommand(rule),
});

/** The new bot under the application's names. */
export const newBotCommand = (request: z.output<typeof newBotRequest>) => ({
  ...newBotKeys(request),
  ...nestedKeys(request),
  allocations: request.allocations.map(allocationKeys),
});

/** The changes under the application's names. */
export const updateBotCommand = (request: z.output<typeof updateBotRequest>) => ({
  ...updateBotKeys(request),
  ...nestedKeys(request),
});

/** The change or the new bot under the application's names. */
export const previewBotCommand = (request: z.output<typeof previewBotRequest>) => ({
  ...previewBotKeys(request),
  ...nestedKeys(request),
});
