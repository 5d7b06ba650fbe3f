import type { AlertDelivery, Application, Caller, Operations } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import {
  type Operation,
  type OperationName,
  admits,
  covers,
  envelope,
  namedStrategies,
  operations,
  readRequest,
  tokenOf,
} from '@slipstream/wire';
import type { Request } from 'express';
import type { Identify } from './callers.js';
import { TransportFailure } from './failures.js';
import { handlers } from './handlers/index.js';
import { idempotencyKey, keyOwner } from './idempotency-key.js';
import type { Limiter, RateClass } from './rate-limits.js';
import { alertText, readAlert, readInput } from './request-input.js';

const byPath: ReadonlyMap<string, Operation & { readonly name: OperationName }> = new Map(
  Object.values(operations).map((operation) => [operation.path, operation]),
);

/** The operation that the path names. */
export const operationAt = (path: string) => byPath.get(path);

export interface OperationService {
  readonly application: Application;
  readonly identify: Identify;
  readonly limiter: Limiter;
}

type Served = NonNullable<ReturnType<typeof operationAt>>;

/** What is known of a request beside what it says. */
export interface RequestContext {
  readonly requestId: string;
  /** Called as soon as the caller is known. */
  readonly known: (caller: Caller) => void;
}

/** The answer as it is sent. */
export async function perform(
  service: OperationService,
  operation: Served,
  request: Request,
  { requestId, known }: RequestContext,
): Promise<string> {
  requireMethod(operation, request.method);
  const address = request.ip ?? 'unknown';
  const alert = operation.auth === 'body' ? await readAlert(operation, request) : undefined;

  const token = alert ? alert.token : tokenFor(operation, request);
  const caller = await identify(service, operation, token, address);
  known(caller);
  await service.limiter.count(rateClass(operation), caller, address);

  const { text, fields } = alert ?? (await readInput(operation, request));
  const delivery =
    operation.name === 'newOrderWebhook' ? { id: requestId, body: alertText(fields) } : undefined;
  const command = await readCommand(service, operation, fields, caller, delivery);
  if (!covers(operation, caller, namedStrategies(command))) throw unauthenticated();
  if (operation.name === 'newSession') await service.limiter.refuseGuessing(address);

  const answerOf = async (application: Operations): Promise<string> =>
    envelope(true, await run(application, operation.name, command, caller, delivery));
  const key = idempotencyKey(operation, request);
  try {
    if (key === undefined) return await answerOf(service.application);
    const keyed = { caller: keyOwner(caller, address), route: operation.name, key, body: text };
    return await service.application.idempotently(keyed, answerOf);
  } catch (error) {
    const wrongPassword = operation.name === 'newSession' && isUnauthenticated(error);
    throw wrongPassword ? await service.limiter.failed(address) : error;
  }
}

/** The request as its row reads it. An alert that cannot be read is kept in the inbox before it is refused. */
async function readCommand(
  { application }: OperationService,
  { request }: Served,
  fields: unknown,
  caller: Caller,
  delivery: AlertDelivery | undefined,
): Promise<unknown> {
  try {
    return readRequest(request, fields);
  } catch (error) {
    if (delivery && error instanceof Refusal) {
      const { strategy_id, stock_id, alert_id } = fields as Readonly<Record<string, unknown>>;
      const named = {
        strategyId: shortText(strategy_id),
        stock: shortText(stock_id),
        alertId: shortText(alert_id),
      };
      await application.keepRefusedAlert(caller, named, error.message, delivery);
    }
    throw error;
  }
}

/** What can be looked up, at least. */
const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 100 ? value : undefined;

const unauthenticated = (): Refusal => new Refusal('unauthenticated', 'authentication failed');

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'unauthenticated';

/** Reads on GET (and HEAD), writes on POST; the webhook has its own. */
const rateClass = ({ name, method }: Served): RateClass =>
  name === 'newOrderWebhook' ? 'alerts' : method === 'GET' ? 'reads' : 'writes';

/** The methods of an operation, as `Allow` tells them. */
export const allowed = (operation: Served): string =>
  operation.method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';

function requireMethod(operation: Served, method: string): void {
  if (method === operation.method || (method === 'HEAD' && operation.method === 'GET')) return;
  throw new TransportFailure(
    405,
    'method_not_allowed',
    `${operation.path} takes ${operation.method}`,
    { Allow: allowed(operation) },
  );
}

const tokenFor = (operation: Served, request: Request): string | undefined =>
  operation.auth === 'none' ? undefined : tokenOf(request.headers.authorization);

/** The caller, when the gate lets it through. An address that guesses tokens is slowed down; alerts share addresses. */
async function identify(
  { identify: who, limiter }: OperationService,
  operation: Served,
  text: string | undefined,
  address: string,
): Promise<Caller> {
  try {
    const caller = await who(text);
    if (admits(operation, caller)) return caller;
    throw unauthenticated();
  } catch (error) {
    const guessed = text !== undefined && operation.auth !== 'body' && isUnauthenticated(error);
    throw guessed ? await limiter.failed(address) : error;
  }
}

/** The row's request schema has read `command`, so it is what the handler of that name takes. */
function run<Name extends OperationName>(
  application: Operations,
  name: Name,
  command: unknown,
  caller: Caller,
  delivery: AlertDelivery | undefined,
): Promise<unknown> {
  const handler = handlers[name];
  return handler(application, command as Parameters<typeof handler>[1], caller, delivery);
}
