import { z } from 'zod';
import { ORDER_STATUSES, ACTIONS, ORDER_TYPES } from '@slipstream/domain';
import { idOf, stockRef } from '../fields/text.js';
import { percent, slippage } from '../fields/figures.js';
import { camelKeys } from '../operations/camel-keys.js';
import { listFields, tableOf } from '../fields/csv.js';
import { oneOf, several } from '../fields/lists.js';
import { ids } from '../example-ids.js';
import { eachItem, operation } from '../operations/operation.js';
import {
  orderResource,
  planPreviewResource,
  maxOrderSizeResource,
  tradeResource,
} from './resources.js';
import { list, says } from '../operations/answers.js';
import { presentOrder, presentPlanPreview, presentMaxOrderSize, presentTrade } from './present.js';
import { anOrder, aMarketOrder, aPlanPreview, aMaxOrderSize, aTrade } from './examples.js';
import { newOrderRequest } from './order-request.js';
import { message } from '../fields/output.js';
import { positive } from '../fields/decimals.js';

const group = 'Trades';
const strategyId = idOf<'strategy'>();
const targetFields = z.strictObject({ stock_id: stockRef, percent });
const allocationsRequest = z.strictObject({
  strategy_id: strategyId,
  allocations: z
    .array(targetFields, { error: 'must be an array' })
    .max(100, { error: 'must have at most 100 items' })
    .meta({ description: 'The complete set of targets; positions left out are closed.' }),
  slippage: slippage
    .optional()
    .meta({ description: 'From 0 to 0.05, a multiple of 0.001; default 0.002.' }),
});
const target = camelKeys(targetFields, { stock_id: 'stock' });
const targets = ({
  strategy_id: strategyId,
  allocations,
  slippage: limit,
}: z.output<typeof allocationsRequest>) => ({
  strategyId,
  allocations: allocations.map(target),
  slippage: limit,
});
const allocationsExample = {
  strategy_id: ids.strategy,
  allocations: [{ stock_id: 'AAPL:NASDAQ', percent: 0.25 }],
  slippage: 0.002,
};

export const trades = {
  getOrders: operation({
    name: 'getOrders',
    group,
    method: 'GET',
    summary: 'Orders of a strategy, newest first; by default the open ones.',
    request: z.strictObject({
      strategy_id: strategyId,
      order_status: oneOf(ORDER_STATUSES).optional().meta({ description: 'Default open.' }),
      ...listFields,
    }),
    command: ({ strategy_id: of, order_status: orderStatus, from, to, limit, cursor }) => ({
      ...{ strategyId: of, orderStatus, from, to, limit, cursor },
    }),
    response: z.array(orderResource),
    present: list(presentOrder),
    csv: tableOf(orderResource, presentOrder),
    example: { request: { strategy_id: ids.strategy, order_status: 'open' }, response: [anOrder] },
  }),
  newOrder: operation({
    name: 'newOrder',
    group,
    method: 'POST',
    summary: 'Places an order of a fixed size.',
    description:
      'Exactly one of amount and total. A limit order requires price, a stop_market order stop_price, a stop_limit and an oco order both.',
    request: newOrderRequest,
    command: (request) => ({
      strategyId: request.strategy_id,
      stock: request.stock_id,
      action: request.action,
      pricing: request.pricing,
      size: request.size,
      dependsOn: request.order_dependencies,
      reduceOnly: request.reduce_only,
    }),
    response: orderResource,
    present: presentOrder,
    example: {
      request: {
        strategy_id: ids.strategy,
        stock_id: 'AAPL:NASDAQ',
        action: 'buy',
        type: 'limit',
        amount: '0.0025',
        price: '195',
      },
      response: anOrder,
    },
  }),
  newOrderAllocations: operation({
    name: 'newOrderAllocations',
    group,
    method: 'POST',
    summary: 'Cancels every open order, then trades toward the complete set of targets.',
    description: 'An empty array closes all positions. Increases may wait for reduces.',
    cost: eachItem,
    request: allocationsRequest,
    command: targets,
    response: z.array(orderResource),
    present: list(presentOrder),
    example: { request: allocationsExample, response: [aMarketOrder] },
  }),
  previewOrderAllocations: operation({
    name: 'previewOrderAllocations',
    group,
    method: 'POST',
    summary: 'The plan of newOrderAllocations, without trading.',
    request: allocationsRequest,
    command: targets,
    response: planPreviewResource,
    present: presentPlanPreview,
    example: { request: allocationsExample, response: aPlanPreview },
  }),
  deleteOrder: operation({
    name: 'deleteOrder',
    group,
    method: 'POST',
    summary: 'Cancels an open order; orders that depend on it are released.',
    request: z.strictObject({ strategy_id: strategyId, order_id: idOf<'order'>() }),
    response: message,
    present: says('Order cancelled.'),
    example: {
      request: { strategy_id: ids.strategy, order_id: ids.order },
      response: 'Order cancelled.',
    },
  }),
  getMaxOrderSize: operation({
    name: 'getMaxOrderSize',
    group,
    method: 'GET',
    summary: 'The largest order that newOrder would accept, normalized.',
    request: z.strictObject({
      strategy_id: strategyId,
      stock_id: stockRef,
      action: oneOf(ACTIONS).meta({ description: 'Of the order.' }),
      slippage: slippage
        .optional()
        .meta({ description: 'From 0 to 0.05, a multiple of 0.001; default 0.002.' }),
      type: oneOf(ORDER_TYPES).optional().meta({
        description:
          'The type of an order with both prices; oco unless its sides or this field say stop_limit.',
      }),
      price: positive.optional(),
      stop_price: positive.optional(),
      order_dependencies: several(idOf<'order'>()).optional().meta({
        description: 'Sizes the order as if these orders and their prerequisites had filled.',
      }),
    }),
    renames: { stock_id: 'stock', order_dependencies: 'dependsOn' },
    response: maxOrderSizeResource,
    present: presentMaxOrderSize,
    example: {
      request: { strategy_id: ids.strategy, stock_id: 'AAPL:NASDAQ', action: 'buy' },
      response: aMaxOrderSize,
    },
  }),
  getTrades: operation({
    name: 'getTrades',
    group,
    method: 'GET',
    summary: 'Fills of a strategy, newest first.',
    request: z.strictObject({ strategy_id: strategyId, ...listFields }),
    command: ({ strategy_id: of, from, to, limit, cursor }) => ({
      ...{ strategyId: of, from, to, limit, cursor },
    }),
    response: z.array(tradeResource),
    present: list(presentTrade),
    csv: tableOf(tradeResource, presentTrade),
    example: { request: { strategy_id: ids.strategy, limit: '10' }, response: [aTrade] },
  }),
};
