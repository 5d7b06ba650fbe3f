import type { AlertDelivery, Caller, Operations } from '@slipstream/application';
import type { OperationName, RequestOf, ResponseOf } from '@slipstream/wire';
import type { Written } from '../written.js';

/** One line from the wire to the application and back: one operation, and how its answer is written. */
export type Handler<Name extends OperationName> = (
  application: Operations,
  request: RequestOf<Name>,
  caller: Caller,
  /** How an alert came; undefined for everything else. */
  delivery?: AlertDelivery,
) => Promise<ResponseOf<Name> | Written<ResponseOf<Name>>>;

/** Handlers of these operations; one that is missing fails to compile. */
export type HandlersOf<Name extends OperationName> = {
  readonly [Each in Name]: Handler<Each>;
};
