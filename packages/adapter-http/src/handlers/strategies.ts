import type { StrategyView } from '@slipstream/application';
import {
  type RequestOf,
  presentHistoryPoint,
  presentPositions,
  presentStrategy,
  presentStrategyValue,
  presentSubscription,
} from '@slipstream/wire';
import { listWriter } from '../written.js';
import type { HandlersOf } from './handler.js';

/** A view that is shown again is the same object as long as nothing in it has changed. */
export const writeStrategies = listWriter((view: StrategyView) => presentStrategy(view));

const settings = (request: Omit<RequestOf<'updateStrategy'>, 'strategy_id' | 'name'>) => ({
  description: request.description,
  categories: request.categories,
  private: request.private,
  price: request.price,
  inputValue: request.input_value,
  invitedUserIds: request.invited_user_ids,
});

export const strategyHandlers: HandlersOf<
  | 'newStrategy'
  | 'updateStrategy'
  | 'deleteStrategy'
  | 'undoStrategyEnd'
  | 'getStrategies'
  | 'getStrategyValues'
  | 'getStrategyHistory'
  | 'getPositions'
> = {
  newStrategy: async (application, request, caller) => {
    const { type, name } = request;
    return presentStrategy(
      await application.newStrategy(caller, { type, name, ...settings(request) }),
    );
  },
  updateStrategy: async (application, request, caller) => {
    const { strategy_id: strategyId, name } = request;
    const command = { strategyId, ...(name !== undefined && { name }), ...settings(request) };
    return presentStrategy(await application.updateStrategy(caller, command));
  },
  deleteStrategy: async (application, { strategy_id: strategyId }, caller) => {
    await application.deleteStrategy(caller, { strategyId });
    return 'Strategy deleted.';
  },
  undoStrategyEnd: async (application, { strategy_id: strategyId }, caller) =>
    presentStrategy(await application.undoStrategyEnd(caller, { strategyId })),
  getStrategies: async (application, { strategy_id: strategyIds, timeframe }, caller) =>
    writeStrategies(await application.getStrategies(caller, { strategyIds, timeframe })),
  getStrategyValues: async (application, { strategy_id: strategyIds }, caller) =>
    (await application.getStrategyValues(caller, { strategyIds })).map(presentStrategyValue),
  getStrategyHistory: async (application, { strategy_id: strategyId, timeframe }, caller) =>
    (await application.getStrategyHistory(caller, { strategyId, timeframe })).map(
      presentHistoryPoint,
    ),
  getPositions: async (application, { strategy_id: strategyId }, caller) =>
    presentPositions(await application.getPositions(caller, { strategyId })),
};

export const subscriptionHandlers: HandlersOf<
  'newStrategySubscription' | 'deleteStrategySubscription' | 'getStrategySubscriptions'
> = {
  newStrategySubscription: async (application, request, caller) =>
    presentSubscription(
      await application.newStrategySubscription(caller, {
        strategyId: request.strategy_id,
        price: request.price,
        inputValue: request.input_value,
        inputDate: request.input_date,
      }),
    ),
  deleteStrategySubscription: async (
    application,
    { strategy_id: strategyId, user_id: userId },
    caller,
  ) => {
    await application.deleteStrategySubscription(caller, { strategyId, userId });
    return 'Subscription cancelled.';
  },
  getStrategySubscriptions: async (
    application,
    { strategy_id: strategyIds, limit, cursor },
    caller,
  ) => {
    const asked = { strategyIds, limit, cursor };
    return (await application.getStrategySubscriptions(caller, asked)).map(presentSubscription);
  },
};
