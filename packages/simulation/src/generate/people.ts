import fc from 'fast-check';
import { type Commands, place, user } from './shared.js';

const security = fc.constantFrom('stock' as const, 'cryptocurrency' as const);

/** Strategies, followers, listeners, and the loss of rights. */
export const people: Commands = [
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('newStrategy' as const),
      by: user,
      type: security,
      private: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('updateStrategy' as const),
      strategy: place,
      private: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('deleteStrategy' as const), strategy: place }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
      by: user,
      strategy: place,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('read' as const), by: user, strategy: place }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('listen' as const),
      by: user,
      channel: fc.constantFrom(
        ...(['wsOrders', 'wsPositions', 'wsStrategyValue', 'wsBot', 'wsAlerts'] as const),
      ),
      of: place,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteToken' as const), by: user }) },
];
