import type { Application } from '@slipstream/application';

/** The part of the application that streams need: who asks, the reads they continue, and what changed. */
export type StreamedApplication = Pick<
  Application,
  | 'authenticate'
  | 'denied'
  | 'getStrategyValues'
  | 'getPositions'
  | 'getOrders'
  | 'getBots'
  | 'getNotifications'
  | 'watchValue'
  | 'presentableOrder'
  | 'changedPositions'
>;
