import { AUTHENTICATION_FAILED, type Route, isFile } from '@slipstream/wire/routes';
import type { CallOptions } from './requests.js';
import { RequestFailed, Unreachable } from './request-failed.js';
import { type Timers, backoff } from './timers.js';

/** What the calls of a client share. */
export interface Connection {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string | undefined;
  readonly fetch: typeof fetch;
  readonly timers: Timers;
  readonly newKey: (() => string) | undefined;
  /** How often a request is sent that may be repeated. */
  readonly attempts: number;
  readonly waitForServer: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
type Failure = Partial<
  Pick<Unreachable, 'isNobodyThere'> & Pick<RequestFailed, 'retryAfter' | 'status'>
>;

const FIRST_WAIT = 200;
const LONGEST_WAIT = 5000;

/** An operation's response. What may be repeated is, when the service cannot be reached or is away. */
export async function call(
  connection: Connection,
  route: Route,
  fields: Fields,
  options: CallOptions,
): Promise<unknown> {
  const key = route.isKeyed ? (options.idempotencyKey ?? connection.newKey?.()) : undefined;
  const mayRepeat = route.method === 'GET' || key !== undefined;
  /** The first failure of an attempt that somebody may have served, else the last of one that was sent. */
  let sent: unknown;
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(connection, route, fields, options, key);
    } catch (error) {
      // Refused before the service looked whether it has served the request: that says nothing of an earlier attempt.
      if (!isPassing(error)) throw (key && hasStatus(error, [401, 429]) && sent) || error;
      const isLast = !mayRepeat || attempt >= connection.attempts || options.signal?.aborted;
      const failure = error as Failure;
      // After an attempt whose outcome nobody knows, that a later one did nothing says little.
      if (!failure.isNobodyThere && (!sent || (sent as Failure).status === 503)) sent = error;
      if (isLast || !(sent ?? connection.waitForServer)) throw sent ?? error;
      const asked = (failure.retryAfter ?? 0) * 1000;
      const wait = Math.max(backoff(attempt, FIRST_WAIT, LONGEST_WAIT), asked);
      await connection.timers.wait(Math.min(wait, LONGEST_WAIT), options.signal);
    }
  }
}

const hasStatus = (error: unknown, statuses: readonly number[]): boolean =>
  error instanceof RequestFailed && statuses.includes(error.status);

/** The service is away for now: it says so (503), or a proxy in front of it (502, 504). */
const isPassing = (error: unknown): boolean =>
  error instanceof Unreachable || hasStatus(error, [502, 503, 504]);

async function send(
  { url, token: ownToken, fetch }: Connection,
  route: Route,
  fields: Fields,
  { signal, token = ownToken }: CallOptions,
  key: string | undefined,
): Promise<unknown> {
  const { method, path, isTokenInBody } = route;
  const isRead = method === 'GET';
  const headers = new Headers();
  // The error of a header that cannot be would show the token.
  if (token !== undefined && !/^\s*[ -~]*\s*$/.test(token))
    throw new RequestFailed(401, 'unauthenticated', AUTHENTICATION_FAILED, null);
  if (token !== undefined && !isTokenInBody) headers.set('Authorization', `Bearer ${token}`);
  if (!isRead) headers.set('Content-Type', 'application/json');
  if (key !== undefined) headers.set('Idempotency-Key', key);
  const body = isTokenInBody ? { ...fields, api_token: fields['api_token'] ?? token } : fields;
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(`${url}${path}${isRead ? queryOf(route, fields) : ''}`, {
      method,
      headers,
      // Another address would get the request without its token.
      redirect: 'error',
      ...(!isRead && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    text = await answer.text();
  } catch (error) {
    signal?.throwIfAborted();
    throw new Unreachable(url, { cause: error });
  }
  return answer.ok && isFile(route, fields) ? text : responseOf(answer, text, url);
}

/** A query as contract 1 writes it: arrays as `name[]`. What is undefined is left out. */
function queryOf(route: Route, fields: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const key = route.arrays.includes(name) ? `${name}[]` : name;
    for (const item of [value as string | string[]].flat()) query.append(key, item);
  }
  return query.size > 0 ? `?${query.toString()}` : '';
}

function responseOf(answer: Response, text: string, url: string): unknown {
  const envelope = parsed(text);
  if (answer.ok && envelope?.success === true) return envelope.response;
  const isOurs = envelope?.success === false && typeof envelope.response === 'string';
  throw new RequestFailed(
    answer.status,
    isOurs ? (answer.headers.get('X-Error-Code') ?? 'unknown') : 'unexpected_answer',
    isOurs
      ? String(envelope.response)
      : `The answer of ${url} is not of this service: ${answer.status} ${text.slice(0, 100).replace(/\s+/g, ' ').trim()}`,
    answer.headers.get('X-Request-Id'),
    Number(answer.headers.get('Retry-After')) || null,
  );
}

function parsed(text: string): { success?: unknown; response?: unknown } | null {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    return null;
  }
}
