import { presentStrategy } from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

export const recommendationHandlers: HandlersOf<'getRecommendedStrategies'> = {
  getRecommendedStrategies: async (application, request, caller) => {
    const { strategy_id: strategyIds, timeframe, limit } = request;
    const command = { strategyIds, timeframe, limit };
    return (await application.getRecommendedStrategies(caller, command)).map(presentStrategy);
  },
};
