import type { HandlersOf } from './handler.js';
import { writeStrategies } from './strategies.js';

export const recommendationHandlers: HandlersOf<'getRecommendedStrategies'> = {
  getRecommendedStrategies: async (application, request, caller) => {
    const { strategy_id: strategyIds, timeframe, limit } = request;
    const command = { strategyIds, timeframe, limit };
    return writeStrategies(await application.getRecommendedStrategies(caller, command));
  },
};
