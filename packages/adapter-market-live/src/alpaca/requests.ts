import { z } from 'zod';
import { exactJson } from '../exact-json.js';

/** How Alpaca is asked, with the operator's key for market data. */
export interface AlpacaKey {
  readonly keyId: string;
  readonly secret: string;
  /** Instead of Alpaca's own address, for tests. */
  readonly url?: string | undefined;
  readonly fetch: typeof fetch;
}

export interface AlpacaAnswer {
  readonly status: number;
  readonly ok: boolean;
  /** With every number as its text; undefined when a refusal is no JSON. */
  readonly body: unknown;
  /** Alpaca's reason for a refusal; empty if it names none. */
  readonly reason: string;
}

export type AskAlpaca = (
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<AlpacaAnswer>;

/** The error of a key that fits no header shows it whole, and errors are logged. */
function headersOf({ keyId, secret }: Pick<AlpacaKey, 'keyId' | 'secret'>): Headers {
  try {
    return new Headers({ 'APCA-API-KEY-ID': keyId, 'APCA-API-SECRET-KEY': secret });
  } catch {
    throw new Error('the key for market data has a character that no key has');
  }
}

const refusal = z.object({ message: z.string() });
/** The most of a reason that is told: what stands before Alpaca may answer with a whole page. */
const LONGEST_REASON = 200;

/** What came of a request, in a sentence for the log: the errors of `fetch` say why only in their causes. */
async function heard(request: () => Promise<Response>, signal: AbortSignal) {
  try {
    const answer = await request();
    return { answer, text: await answer.text() };
  } catch (error) {
    if (signal.aborted) throw new Error('it did not answer in time', { cause: error });
    const { cause } = error as Error;
    const told = cause instanceof Error ? cause : (error as Error);
    // Of several addresses that were tried each has its own error, and the one over them no words.
    const code = 'code' in told ? String(told.code) : '';
    throw new Error(`it could not be reached: ${told.message || code}`, { cause: error });
  }
}

function bodyOf({ ok, status }: Response, text: string): unknown {
  try {
    return exactJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (ok) throw new Error(`it answered ${status} with what is no JSON`, { cause: error });
    return undefined;
  }
}

/** Asks one host of Alpaca. @throws when there is no answer, or one that should be JSON and is none. */
export const alpacaRequests =
  ({ url, fetch: request, ...key }: AlpacaKey, host: string): AskAlpaca =>
  async (path, query, signal) => {
    const headers = headersOf(key);
    const address = `${url ?? `https://${host}`}${path}?${new URLSearchParams(query).toString()}`;
    const { answer, text } = await heard(
      // The keys go to no other host.
      () => request(address, { headers, redirect: 'error', signal }),
      signal,
    );
    const { status, ok } = answer;
    const body = bodyOf(answer, text);
    const reason = refusal.safeParse(body).data?.message.slice(0, LONGEST_REASON) ?? '';
    return { status, ok, body, reason };
  };

/** A refusal in a sentence for the log. */
export const refusedWith = ({ status, reason }: Pick<AlpacaAnswer, 'status' | 'reason'>): string =>
  `it answered ${status} ${reason}`.trim();

/** Whether Alpaca itself refuses the whole request, as for a symbol that is none: a page of what stands before it tells nothing of symbols. */
export const isRefusal = ({ status, body }: Pick<AlpacaAnswer, 'status' | 'body'>): boolean =>
  status === 400 && body !== undefined;

export const DATA_HOST = 'data.alpaca.markets';
