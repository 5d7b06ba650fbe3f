import { z } from 'zod';
import { ids } from '../example-ids.js';
import { operation, ALERT_LIMIT } from '../operations/operation.js';
import { alertRequest } from './alert-request.js';
import { orderResource, planPreviewResource } from '../trading/resources.js';
import { presentOrder, presentPlanPreview } from '../trading/present.js';
import { aMarketOrder, aPlanPreview } from '../trading/examples.js';
import { idOf } from '../fields/text.js';
import { limit, cursor } from '../fields/lists.js';
import { alertResource } from './resources.js';
import { list } from '../operations/answers.js';
import { presentAlert } from './present.js';
import { anAlert } from './examples.js';

const group = 'Webhooks';
const alertWords = {
  stock_id: 'stock',
  market_position_size: 'positionSize',
  prev_market_position_size: 'previousPositionSize',
} as const;
const request = {
  strategy_id: ids.strategy,
  stock_id: 'AAPL:NASDAQ',
  action: 'buy',
  leverage: 2,
  pyramiding: 4,
};

export const webhooks = {
  newOrderWebhook: operation({
    name: 'newOrderWebhook',
    group,
    method: 'POST',
    auth: 'body',
    scope: 'newOrder',
    rateClass: 'alerts',
    bodyLimit: ALERT_LIMIT,
    summary: 'Accepts an alert of a charting platform.',
    description:
      'The token is the body field api_token, with the scope newOrder. Further fields are ignored, unless one contradicts the action; numbers may be text, the content type does not matter.',
    request: alertRequest,
    renames: alertWords,
    response: orderResource,
    present: presentOrder,
    example: { request, response: aMarketOrder },
  }),
  previewOrderWebhook: operation({
    name: 'previewOrderWebhook',
    group,
    method: 'POST',
    auth: 'body',
    scope: 'newOrder',
    bodyLimit: ALERT_LIMIT,
    summary: 'The plan of newOrderWebhook, without trading.',
    request: alertRequest,
    renames: alertWords,
    response: planPreviewResource,
    present: presentPlanPreview,
    example: { request, response: aPlanPreview },
  }),
  getAlerts: operation({
    name: 'getAlerts',
    group,
    method: 'GET',
    summary: 'Alerts with a valid token and their outcomes, newest first.',
    description:
      'Those of one strategy of the caller; without strategy_id those of all, and alerts that named none. The cursor is an inbox_id.',
    request: z.strictObject({
      strategy_id: idOf<'strategy'>().optional(),
      limit: limit.optional(),
      cursor: cursor.optional(),
    }),
    response: z.array(alertResource),
    present: list(presentAlert),
    example: { request: { strategy_id: ids.strategy, limit: '10' }, response: [anAlert] },
  }),
};
