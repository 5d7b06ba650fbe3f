import { z } from 'zod';
import { idOf } from '../fields/text.js';
import { operation } from '../operations/operation.js';
import { monthlyPrice } from '../fields/figures.js';
import { positive } from '../fields/decimals.js';
import { moment, several, limit, cursor } from '../fields/lists.js';
import { subscriptionResource } from './resources.js';
import { presentSubscription } from './present.js';
import { ids, AT } from '../example-ids.js';
import { aSubscription } from './examples.js';
import { message } from '../fields/output.js';
import { says, list } from '../operations/answers.js';

const group = 'Subscriptions';
const strategyId = idOf<'strategy'>();

export const subscriptions = {
  newStrategySubscription: operation({
    name: 'newStrategySubscription',
    group,
    method: 'POST',
    summary: 'Subscribes the caller to a strategy.',
    description:
      "`price` is the strategy's price in USD per month as the caller knows it: required if it is not 0, and refused with price_changed, which names the present price, if it differs. A subscription that runs out continues with its price. If its charge is declined it is past_due, and status_reason says why and how to continue (retryInvoice). input_date needs input_value.",
    request: z.strictObject({
      strategy_id: strategyId,
      price: monthlyPrice
        .optional()
        .meta({ description: 'USD per month, as you know it; needed unless it is 0.' }),
      input_value: positive.optional().meta({
        description: 'What the strategy is worth to you at input_date, in your own currency.',
      }),
      input_date: moment.optional().meta({ description: 'Default now.' }),
    }),
    response: subscriptionResource,
    present: presentSubscription,
    example: {
      request: { strategy_id: ids.strategy, price: 15, input_value: '4000', input_date: AT },
      response: aSubscription,
    },
  }),
  deleteStrategySubscription: operation({
    name: 'deleteStrategySubscription',
    group,
    method: 'POST',
    summary:
      "Ends the caller's subscription; a paid one stays active until ends_at. With user_id: ends that user's at once.",
    description:
      'With `user_id` the owner of a private strategy ends the subscription of another user: at once, and the rest of a paid month is refunded.',
    request: z.strictObject({ strategy_id: strategyId, user_id: idOf<'user'>().optional() }),
    response: message,
    present: says('Subscription cancelled.'),
    example: { request: { strategy_id: ids.strategy }, response: 'Subscription cancelled.' },
  }),
  getStrategySubscriptions: operation({
    name: 'getStrategySubscriptions',
    group,
    method: 'GET',
    summary: "The caller's own subscriptions, newest first; without strategy_id[] all of them.",
    request: z.strictObject({
      strategy_id: several(strategyId).optional(),
      limit: limit.optional(),
      cursor: cursor.optional(),
    }),
    renames: { strategy_id: 'strategyIds' },
    response: z.array(subscriptionResource),
    present: list(presentSubscription),
    example: { request: { strategy_id: [ids.strategy] }, response: [aSubscription] },
  }),
};
