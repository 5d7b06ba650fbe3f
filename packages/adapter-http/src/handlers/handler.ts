import type { Application, Caller } from '@slipstream/application';
import type { OperationName, RequestOf, ResponseOf } from '@slipstream/wire';

/** One line from the wire to the application and back. */
export type Handler<Name extends OperationName> = (
  application: Application,
  request: RequestOf<Name>,
  caller: Caller,
) => Promise<ResponseOf<Name>>;

/** Handlers of these operations; one that is missing fails to compile. */
export type HandlersOf<Name extends OperationName> = {
  readonly [Each in Name]: Handler<Each>;
};
