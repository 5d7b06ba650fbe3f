import type { Application, Caller } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import {
  type Operation,
  type OperationName,
  admits,
  covers,
  namedStrategies,
  operations,
  parseJson,
  parseQuery,
  readRequest,
  tokenOf,
} from '@slipstream/wire';
import type { Request } from 'express';
import { readBody } from './body.js';
import type { Identify } from './callers.js';
import { TransportFailure } from './failures.js';
import { handlers } from './handlers/index.js';
import type { Limiter, RateClass } from './rate-limits.js';

const KIB = 1024;
const BODY_LIMIT = 64 * KIB;
/** Bodies that may be other than 64 KiB (contract 1, "Validation"). */
const BODY_LIMITS: Partial<Record<OperationName, number>> = {
  newOrderWebhook: 8 * KIB,
  previewOrderWebhook: 8 * KIB,
  newQuotes: KIB * KIB,
  updateStocks: KIB * KIB,
};

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

/** What stands in the envelope's `response`. `known` is called as soon as the caller is. */
export async function perform(
  service: OperationService,
  operation: Served,
  request: Request,
  known: (caller: Caller) => void,
): Promise<unknown> {
  requireMethod(operation, request.method);
  const address = request.ip ?? 'unknown';
  const alert = operation.auth === 'body' ? await readAlert(operation, request) : undefined;

  const text = alert ? alert.token : tokenFor(operation, request);
  const caller = await identify(service, operation, text, address);
  known(caller);
  await service.limiter.count(rateClass(operation), caller, address);

  const given = alert ? alert.fields : await readGiven(operation, request);
  const command = readRequest(operation.request, given);
  if (!covers(operation, caller, namedStrategies(command))) throw unauthenticated();
  if (operation.name === 'newSession') await service.limiter.refuseGuessing(address);
  try {
    return await run(service.application, operation.name, command, caller);
  } catch (error) {
    const wrongPassword = operation.name === 'newSession' && isUnauthenticated(error);
    throw wrongPassword ? await service.limiter.failed(address) : error;
  }
}

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

const bodyOf = (operation: Served, request: Request): Promise<string> =>
  readBody(request, BODY_LIMITS[operation.name] ?? BODY_LIMIT);

async function readGiven(operation: Served, request: Request): Promise<unknown> {
  const mark = request.url.indexOf('?');
  const query = mark < 0 ? '' : request.url.slice(mark + 1);
  if (operation.method === 'GET') return parseQuery(operation, query);
  if (query !== '') throw new Refusal('invalid_field', `${operation.path} takes no query`);
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal('invalid_json', 'Content-Type must be application/json');
  }
  return parseJson(await bodyOf(operation, request));
}

/** An alert by its raw text, whatever its content type says; the token is taken out before anything else. */
async function readAlert(operation: Served, request: Request) {
  const body = parseJson((await bodyOf(operation, request)).trim());
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('invalid_json', 'the body must be a JSON object');
  }
  const { api_token: token, ...fields } = body as Readonly<Record<string, unknown>>;
  return { token: typeof token === 'string' ? token : undefined, fields };
}

/** The row's request schema has read `command`, so it is what the handler of that name takes. */
function run<Name extends OperationName>(
  application: Application,
  name: Name,
  command: unknown,
  caller: Caller,
): Promise<unknown> {
  const handler = handlers[name];
  return handler(application, command as Parameters<typeof handler>[1], caller);
}
