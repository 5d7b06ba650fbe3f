import type { Application } from '@slipstream/application';

/** The part of the application that streams need: who asks, the reads they continue, and what changed. */
export interface StreamedApplication {
  readonly requests: Pick<Application['requests'], 'authenticate' | 'denied'>;
  readonly operations: Pick<
    Application['operations'],
    | 'getStrategyValues'
    | 'getPositions'
    | 'getOrders'
    | 'getBots'
    | 'getBotAccount'
    | 'getNotifications'
    | 'getAlerts'
  >;
  readonly streams: Application['streams'];
}
