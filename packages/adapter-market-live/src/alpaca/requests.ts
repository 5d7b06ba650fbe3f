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
  /** With every number as its text. */
  readonly body: unknown;
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

/** Asks one host of Alpaca. @throws when there is no answer, or one that is no JSON. */
export const alpacaRequests =
  ({ url, fetch: request, ...key }: AlpacaKey, host: string): AskAlpaca =>
  async (path, query, signal) => {
    const answer = await request(
      `${url ?? `https://${host}`}${path}?${new URLSearchParams(query).toString()}`,
      {
        headers: headersOf(key),
        // The keys go to no other host.
        redirect: 'error',
        signal,
      },
    );
    return { status: answer.status, ok: answer.ok, body: exactJson(await answer.text()) };
  };

export const DATA_HOST = 'data.alpaca.markets';
