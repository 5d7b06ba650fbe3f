import type { Operations } from '@slipstream/application';

/** The commands that are POST requests, except the webhook: charting platforms send no keys. */
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

/** A request under an Idempotency-Key, as its sender would repeat it. */
export interface KeyedRequest {
  readonly route: Route;
  /** The owner of the key. */
  readonly owner: string;
  readonly key: string;
  readonly body: string;
  perform(operations: Operations): Promise<unknown>;
}
