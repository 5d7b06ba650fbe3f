import { presentAlertTemplate } from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

export const alertTemplateHandlers: HandlersOf<'getAlertTemplate'> = {
  getAlertTemplate: async (application, request, caller) => {
    const { strategy_id: strategyId, stock_id: stock, leverage, pyramiding } = request;
    const command = { strategyId, stock, leverage, pyramiding };
    return presentAlertTemplate(await application.getAlertTemplate(caller, command));
  },
};
