import { Refusal } from '@slipstream/domain';
import {
  ALERT_LIMIT,
  type Operation,
  holdsToken,
  parseJson,
  readJson,
  parseQuery,
  tokensIn,
  tidiedAlert,
  unreadPosition,
  withoutTokens,
} from '@slipstream/wire';
import { textOf } from './body.js';
import type { PlainRequest } from './plain-request.js';

const BLOT = '[api_token]';

/** The input of a request: the text of its body (empty for a GET), and the fields of the body or the query. */
export interface RequestInput {
  readonly text: string;
  readonly fields: unknown;
}

export async function readInput(
  operation: Operation,
  request: PlainRequest,
): Promise<RequestInput> {
  const mark = request.target.indexOf('?');
  const query = mark < 0 ? '' : request.target.slice(mark + 1);
  if (operation.method === 'GET') return { text: '', fields: parseQuery(operation, query) };
  if (query !== '') throw new Refusal('invalid_field', `${operation.path} takes no query`);
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal('invalid_json', 'Content-Type must be application/json');
  }
  const text = await readText(request, operation.bodyLimit);
  return { text, fields: parseJson(text) };
}

const readText = async (request: PlainRequest, limit: number): Promise<string> =>
  textOf(request.headers['content-encoding'], () => request.body(limit));

export interface AlertInput extends RequestInput {
  readonly token: string | undefined;
  /** Why it is refused, although its sender is known: the inbox tells it too. */
  readonly problem: Refusal | undefined;
  /** Its text for the inbox: at most 8 KiB. */
  readonly kept: string;
}

/**
 * An alert from its raw text, whatever its content type. The token is removed, and this and other tokens are masked in all
 * fields, so no later code ever sees them.
 */
export async function readAlert(operation: Operation, request: PlainRequest): Promise<AlertInput> {
  const text = (await readText(request, operation.bodyLimit)).trim();
  try {
    return alertIn(text);
  } catch (error) {
    const unreadable = error instanceof Refusal ? unreadableAlert(text, error) : undefined;
    if (!unreadable) throw error;
    return unreadable;
  }
}

function alertIn(text: string): AlertInput {
  const { value: body, repeated } = readJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Refusal('invalid_json', 'the body must be a JSON object');
  }
  const { api_token: given, ...read } = tidiedAlert(body as Readonly<Record<string, unknown>>);
  const token = typeof given === 'string' ? given : undefined;
  const fields = mayHoldTokens(token, text) ? blotted(token, read) : read;
  const unread = unreadPosition(read);
  const problem =
    repeated ?? (unread === undefined ? undefined : new Refusal('invalid_field', unread));
  return { text, token, problem, fields, kept: JSON.stringify(fields).slice(0, ALERT_LIMIT) };
}

/** An alert that is no JSON object, if it has one token in it: a name with quotes or a missing number makes it one, unseen. */
function unreadableAlert(text: string, problem: Refusal): AlertInput | undefined {
  const [token, another] = tokensIn(text);
  if (token === undefined || another !== undefined) return undefined;
  // Escapes can hide tokens.
  const kept = text.includes('\\') ? '' : withoutTokens(text, BLOT);
  return { text, token, problem, fields: {}, kept };
}

/** Whether the text may contain the token more than once, or another one; escapes can hide them. */
const mayHoldTokens = (token: string | undefined, text: string): boolean =>
  text.includes('\\') ||
  (token !== undefined && text.indexOf(token) !== text.lastIndexOf(token)) ||
  holdsToken(token === undefined ? text : text.replace(token, ''));

/** The value with the token and all other tokens masked in every text, including names of fields. */
function blotted(token: string | undefined, value: unknown): unknown {
  const blot = (text: string): string =>
    withoutTokens(token ? text.replaceAll(token, BLOT) : text, BLOT);
  if (typeof value === 'string') return blot(value);
  if (Array.isArray(value)) return value.map((item) => blotted(token, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [blot(name), blotted(token, inner)]),
  );
}
