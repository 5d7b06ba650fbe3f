import {
  type RequestOf,
  presentAlert,
  presentMaxOrderSize,
  presentOrder,
  presentPlanPreview,
  presentTrade,
} from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

const allocations = (request: RequestOf<'newOrderAllocations'>) => ({
  strategyId: request.strategy_id,
  allocations: request.allocations.map(({ stock_id: stock, percent }) => ({ stock, percent })),
  slippage: request.slippage,
});

const alert = (request: RequestOf<'newOrderWebhook'>) => ({
  strategyId: request.strategy_id,
  stock: request.stock_id,
  action: request.action,
  leverage: request.leverage,
  pyramiding: request.pyramiding,
  slippage: request.slippage,
  marketPosition: request.market_position,
  positionSize: request.market_position_size,
  previousPositionSize: request.prev_market_position_size,
  alertId: request.alert_id,
});

export const tradeHandlers: HandlersOf<
  | 'getOrders'
  | 'newOrder'
  | 'newOrderAllocations'
  | 'previewOrderAllocations'
  | 'deleteOrder'
  | 'getMaxOrderSize'
  | 'getTrades'
> = {
  getOrders: async (application, request, caller) => {
    const { strategy_id: strategyId, order_status: orderStatus, limit, cursor } = request;
    const orders = await application.getOrders(caller, { strategyId, orderStatus, limit, cursor });
    return orders.map(presentOrder);
  },
  newOrder: async (application, request, caller) =>
    presentOrder(
      await application.newOrder(caller, {
        strategyId: request.strategy_id,
        stock: request.stock_id,
        action: request.action,
        pricing: request.pricing,
        size: request.size,
        dependsOn: request.order_dependencies,
        reduceOnly: request.reduce_only,
      }),
    ),
  newOrderAllocations: async (application, request, caller) =>
    (await application.newOrderAllocations(caller, allocations(request))).map(presentOrder),
  previewOrderAllocations: async (application, request, caller) =>
    presentPlanPreview(await application.previewOrderAllocations(caller, allocations(request))),
  deleteOrder: async (application, request, caller) => {
    const { strategy_id: strategyId, order_id: orderId } = request;
    await application.deleteOrder(caller, { strategyId, orderId });
    return 'Order cancelled.';
  },
  getMaxOrderSize: async (application, request, caller) => {
    const command = {
      strategyId: request.strategy_id,
      stock: request.stock_id,
      action: request.action,
      type: request.type,
      slippage: request.slippage,
      price: request.price,
      stopPrice: request.stop_price,
      dependsOn: request.order_dependencies,
    };
    return presentMaxOrderSize(await application.getMaxOrderSize(caller, command));
  },
  getTrades: async (application, { strategy_id: strategyId, limit, cursor }, caller) =>
    (await application.getTrades(caller, { strategyId, limit, cursor })).map(presentTrade),
};

export const webhookHandlers: HandlersOf<'newOrderWebhook' | 'previewOrderWebhook' | 'getAlerts'> =
  {
    newOrderWebhook: async (application, request, caller, delivery) =>
      presentOrder(await application.newOrderWebhook(caller, alert(request), delivery)),
    previewOrderWebhook: async (application, request, caller) =>
      presentPlanPreview(await application.previewOrderWebhook(caller, alert(request))),
    getAlerts: async (application, { strategy_id: strategyId, limit, cursor }, caller) =>
      (await application.getAlerts(caller, { strategyId, limit, cursor })).map(presentAlert),
  };
