import { presentCalculation } from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

export const calculationHandlers: HandlersOf<
  'getStrategyCalculation' | 'updateStrategyCalculation'
> = {
  getStrategyCalculation: async (application, request, caller) => {
    const { strategy_id: strategyId, input_value: inputValue, input_date: inputDate } = request;
    const command = { strategyId, inputValue, inputDate };
    return presentCalculation(await application.getStrategyCalculation(caller, command));
  },
  updateStrategyCalculation: async (application, request, caller) => {
    const { strategy_id: strategyId, input_value: inputValue, input_date: inputDate } = request;
    const command = { strategyId, inputValue, inputDate };
    return presentCalculation(await application.updateStrategyCalculation(caller, command));
  },
};
