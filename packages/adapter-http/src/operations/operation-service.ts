import type {
  AlertDelivery,
  Application,
  Caller,
  Operations,
  RequestSource,
} from '@slipstream/application';
import { Refusal, isDenial } from '@slipstream/domain';
import {
  type Operation,
  type OperationName,
  admits,
  covers,
  fileType,
  namedStrategies,
  namedThings,
  operations,
  readRequest,
  tokenOf,
} from '@slipstream/wire';
import type { Identify } from '../requests/callers.js';
import { requireMethod } from '../answers/methods.js';
import { idempotencyKey, keyOwner } from '../requests/idempotency-key.js';
import type { Lanes } from '../limits/lanes.js';
import { type Patience, begunInTime } from './begun-in-time.js';
import { callOperation } from './operation-calls.js';
import type { PlainRequest } from '../requests/plain-request.js';
import { requestSource } from '../requests/request-source.js';
import { type Limiter, callerOf, requireWithin } from '../limits/rate-limits.js';
import { readAlert, readInput } from '../requests/request-input.js';
import { type EncodedBody, costOfSize, encoderOf } from '../answers/encoded-body.js';

/** A row with the encoder of its answers. */
export interface Served extends Operation {
  readonly name: OperationName;
  encode(this: void, view: unknown): EncodedBody;
}

const byPath: ReadonlyMap<string, Served> = new Map(
  Object.values(operations).map((operation) => [
    operation.path,
    { ...operation, encode: encoderOf(operation) },
  ]),
);

/** The operation of the path. */
export const operationAt = (path: string) => byPath.get(path);

export interface OperationService {
  readonly requests: Application['requests'];
  readonly identify: Identify;
  readonly limiter: Limiter;
  /** For costly requests, by caller. */
  readonly lanes: Lanes;
}

/** The circumstances of a request. */
export interface RequestContext {
  readonly requestId: string;
  /** Called as soon as the caller is known. */
  readonly onCaller: (caller: Caller) => void;
  /** That of the sender of an alert. */
  readonly patience: Patience;
}

type AnswerContext = RequestContext & Pick<Patience, 'isWanted'>;

/** The caller, operation and objects of a request, as far as they are known. */
interface Asked {
  readonly address: string;
  readonly source: RequestSource;
  caller: Caller;
  fields: unknown;
}

/** An answer as it is sent. */
interface SentAnswer {
  readonly type: string;
  readonly body: EncodedBody;
  /** Those that the type needs. */
  readonly headers?: Readonly<Record<string, string>>;
}
const JSON_TYPE = 'application/json';

/** Performs a request and returns the encoded answer. A denied access is recorded in the audit log. */
export async function perform(
  service: OperationService,
  operation: Served,
  request: PlainRequest,
  context: RequestContext,
): Promise<SentAnswer> {
  requireMethod(operation.path, operation.method, request.method);
  const { address } = request;
  const program = request.headers['user-agent'] ?? null;
  const source = requestSource(address, operation.name, context.requestId, program);
  const asked: Asked = { address, source, caller: { kind: 'anonymous' }, fields: {} };
  try {
    const answered = (isWanted: () => boolean): Promise<SentAnswer> =>
      answer(service, operation, request, { isWanted, ...context }, asked);
    const { patience } = context;
    return await (isAlert(operation)
      ? begunInTime(patience, answered)
      : answered(patience.isWanted));
  } catch (error) {
    if (error instanceof Refusal && isDenial(error)) {
      const denial = { code: error.code, objects: namedThings(asked.fields) };
      service.requests.denied(asked.caller, source, denial);
    }
    throw error;
  }
}

async function answer(
  service: OperationService,
  operation: Served,
  request: PlainRequest,
  { requestId, onCaller, isWanted }: AnswerContext,
  asked: Asked,
): Promise<SentAnswer> {
  const { address } = asked;
  const alert = operation.auth === 'body' ? await readAlert(operation, request) : undefined;

  const token = alert ? alert.token : tokenFor(operation, request);
  const caller = await identify(service, operation, token, address, (found) => {
    asked.caller = found;
    onCaller(found);
  });
  const { rateClass: kind } = operation;
  const spend = async (calls: number): Promise<void> =>
    requireWithin(await service.limiter.count(kind, caller, address, calls), kind);
  await spend(1);

  const { text, fields } = alert ?? (await readInput(operation, request));
  asked.fields = fields;
  const application = service.requests.requestedBy(asked.source);
  const delivery =
    alert && isAlert(operation)
      ? { id: requestId, body: alert.kept, isWanted, ...(request.isAgain && { isAgain: true }) }
      : undefined;
  const parsed = await parseRequest(application, operation, fields, caller, {
    delivery,
    problem: alert?.problem,
  });
  // An alert is never refused for its number of items.
  const cost = isAlert(operation) ? 1 : operation.cost(parsed);
  await spend(cost - 1);

  const isRead = operation.method === 'GET';
  const call = (operations: Operations): Promise<unknown> => {
    const perform = () =>
      callOperation(operations, operation.name, caller, operation.command(parsed), delivery);
    const isCostly = cost > 1 || operation.isList;
    if (!isCostly || caller.kind === 'operator') return perform();
    return service.lanes.enter(callerOf(caller, address), async () => {
      // What was answered meanwhile may have used up the rest.
      if (isRead) requireWithin(await service.limiter.over(kind, caller, address), kind);
      return perform();
    });
  };
  const ownKey = operation.ownKey?.(parsed);
  const key = ownKey ?? idempotencyKey(operation, request);
  if (key === undefined) {
    const view = await call(application);
    const answered = encoded(operation, parsed, view);
    // The cost of an answer is known afterwards, so the next call pays for it.
    if (isRead) await service.limiter.count(kind, caller, address, costOfSize(answered.body));
    return answered;
  }
  const keyed = {
    caller: keyOwner(caller, address),
    userId: caller.kind === 'user' ? caller.userId : undefined,
    route: operation.name,
    key,
    body: ownKey ?? text,
  };
  const encode = (view: unknown): string => textOf(operation.encode(view));
  const body = await service.requests.idempotently(keyed, call, encode, asked.source);
  return { type: JSON_TYPE, body };
}

/** Pages of a report may be opened by themselves: they run nothing, load nothing, and are no part of this origin. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
};

function encoded(operation: Served, request: unknown, view: unknown): SentAnswer {
  const type = fileType(operation, request);
  if (type === undefined) return { type: JSON_TYPE, body: operation.encode(view) };
  const name = `${operation.name}.${operation.file === undefined ? 'csv' : 'html'}`;
  const headers = { 'Content-Disposition': `inline; filename="${name}"` };
  if (operation.file === undefined) return { type, body: operation.csv?.(view) ?? '', headers };
  return { type, body: String(operation.present(view)), headers: { ...headers, ...PAGE_HEADERS } };
}

const textOf = (body: EncodedBody): string =>
  typeof body === 'string' ? body : String(Buffer.concat(body));

/** What an alert has beside its fields. */
interface AsAlert {
  readonly delivery: AlertDelivery | undefined;
  /** Why it is refused, although it can be read. */
  readonly problem: Refusal | undefined;
}

/**
 * The request as read by its row, if the caller's token covers it. An unreadable alert, or one with a token for something
 * else, goes to the inbox before it is refused.
 */
async function parseRequest(
  application: Operations,
  operation: Served,
  fields: unknown,
  caller: Caller,
  { delivery, problem }: AsAlert,
): Promise<unknown> {
  try {
    if (problem) throw problem;
    if (!admits(operation, caller))
      throw unauthenticated(`the token does not have the scope ${operation.scope}`);
    const parsed = readRequest(operation.request, fields);
    requireCovered(operation, caller, parsed);
    const planned = operation.planned?.(parsed);
    if (planned) {
      if (!admits(planned.operation, caller)) throw unauthenticated();
      requireCovered(planned.operation, caller, planned.request);
    }
    return parsed;
  } catch (error) {
    if (delivery && error instanceof Refusal) {
      const { strategy_id, stock_id, alert_id } = fields as Readonly<Record<string, unknown>>;
      const named = {
        strategyId: shortText(strategy_id),
        stock: shortText(stock_id),
        alertId: shortText(alert_id),
      };
      await application.keepRefusedAlert(caller, named, error, delivery);
    }
    throw error;
  }
}

function requireCovered(operation: Operation, caller: Caller, request: unknown): void {
  if (!covers(operation, caller, namedStrategies(request)))
    throw unauthenticated('the token is bound to other strategies');
}

/** A text short enough to be an id. */
const shortText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 100 ? value : undefined;

/** The reason is for the inbox only: the caller does not get it. */
const unauthenticated = (reason = 'authentication failed'): Refusal =>
  new Refusal('unauthenticated', reason);

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'unauthenticated';

export const isAlert = ({ rateClass }: Pick<Operation, 'rateClass'>): boolean =>
  rateClass === 'alerts';

const tokenFor = (operation: Served, request: PlainRequest): string | undefined =>
  operation.auth === 'none' ? undefined : tokenOf(request.headers.authorization);

/**
 * The caller, if the gate admits it; for an alert any user, whose inbox records it. An address that guesses tokens is slowed
 * down. Alerts share addresses, so their unknown tokens count separately.
 */
async function identify(
  { identify: who, limiter }: OperationService,
  operation: Served,
  text: string | undefined,
  address: string,
  onCaller: (caller: Caller) => void,
): Promise<Caller> {
  const { rateClass: kind } = operation;
  let caller: Caller;
  try {
    caller = await who(text);
  } catch (error) {
    if (isUnauthenticated(error)) {
      const over =
        operation.auth === 'body'
          ? await limiter.count(kind, ANONYMOUS, address)
          : await limiter.failed(address);
      requireWithin(over, kind);
    }
    throw error;
  }
  onCaller(caller);
  if (admits(operation, caller) || (isAlert(operation) && caller.kind === 'user')) return caller;
  // A valid token for something else, or none, is not a guess: it counts as any other call.
  requireWithin(await limiter.count(kind, caller, address), kind);
  throw unauthenticated();
}

const ANONYMOUS: Caller = { kind: 'anonymous' };
