import { z } from 'zod';
import { AT, ids } from '../examples/ids.js';
import { aSubscription } from '../examples/records.js';
import { operation } from '../operation.js';
import { message, subscriptionResource } from '../resources/index.js';
import { cursor, idOf, limit, moment, positive, several } from '../scalars.js';

const group = 'Subscriptions';
const strategyId = idOf<'strategy'>();

export const subscriptions = {
  newStrategySubscription: operation({
    name: 'newStrategySubscription',
    group,
    method: 'POST',
    summary: 'Subscribes the caller to a strategy.',
    request: z.strictObject({
      strategy_id: strategyId,
      input_value: positive.optional(),
      input_date: moment.optional(),
    }),
    response: subscriptionResource,
    example: {
      request: { strategy_id: ids.strategy, input_value: '4000', input_date: AT },
      response: aSubscription,
    },
  }),
  deleteStrategySubscription: operation({
    name: 'deleteStrategySubscription',
    group,
    method: 'POST',
    summary: "Ends the caller's subscription; a paid one stays active until ends_at.",
    request: z.strictObject({ strategy_id: strategyId }),
    response: message,
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
    response: z.array(subscriptionResource),
    example: { request: { strategy_id: [ids.strategy] }, response: [aSubscription] },
  }),
};
