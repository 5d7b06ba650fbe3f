import { exactJson } from './exact-json.js';

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

/** Asks one host of Alpaca. @throws when there is no answer, or one that is no JSON. */
export const alpacaRequests =
  ({ keyId, secret, url, fetch: request }: AlpacaKey, host: string): AskAlpaca =>
  async (path, query, signal) => {
    const answer = await request(
      `${url ?? `https://${host}`}${path}?${new URLSearchParams(query).toString()}`,
      {
        headers: { 'APCA-API-KEY-ID': keyId, 'APCA-API-SECRET-KEY': secret },
        // The keys go to no other host.
        redirect: 'error',
        signal,
      },
    );
    return { status: answer.status, ok: answer.ok, body: exactJson(await answer.text()) };
  };

export const DATA_HOST = 'data.alpaca.markets';
