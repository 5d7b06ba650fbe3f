import { presentAdjustment, presentStockAction } from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

export const stockActionHandlers: HandlersOf<'newStockAction' | 'getStockActions'> = {
  newStockAction: async (application, request, caller) => {
    const { stock_id: stock, kind } = request;
    const figure = request.kind === 'split' ? request.ratio : request.amount;
    return presentStockAction(await application.newStockAction(caller, { stock, kind, figure }));
  },
  getStockActions: async (application, { strategy_id: strategyId, limit, cursor }, caller) =>
    (await application.getStockActions(caller, { strategyId, limit, cursor })).map(
      presentAdjustment,
    ),
};
