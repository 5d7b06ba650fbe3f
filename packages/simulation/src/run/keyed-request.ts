import type { Operations } from '@slipstream/application';

/** What commands do by POST, the webhook apart: charting platforms send no keys. */
export const KEYED = [
  'newStrategy',
  'updateStrategy',
  'deleteStrategy',
  'newOrder',
  'newOrderAllocations',
  'deleteOrder',
  'newStrategySubscription',
  'deleteStrategySubscription',
  'newBot',
  'startBot',
  'stopBot',
  'resetBot',
  'updateBot',
  'deleteBot',
  'newPaymentSource',
  'retryInvoice',
  'newWithdrawal',
  'deleteWithdrawal',
  'newStockAction',
  'updateStocks',
] as const satisfies readonly (keyof Operations)[];
export type Route = (typeof KEYED)[number];

/** A request under an Idempotency-Key, as its sender would send it again. */
export interface KeyedRequest {
  readonly route: Route;
  /** Whose key it is. */
  readonly owner: string;
  readonly key: string;
  readonly body: string;
  perform(operations: Operations): Promise<unknown>;
}
