import { type FaultScript, faultScript } from '../faults.js';
import type { Venue } from '../http.js';
import type { Prices } from '../streams/public-stream.js';

export interface AlpacaDataOptions {
  readonly now: () => number;
  readonly keyId: string;
  readonly secretKey: string;
}

/** Alpaca's market data: snapshots of stocks. */
export interface AlpacaData {
  readonly venue: Venue;
  readonly faults: FaultScript;
  /** How many symbols each request asked for. */
  readonly asked: readonly number[];
  /** Quotes a symbol; `at` is the venue's time. */
  quote(symbol: string, prices: Prices, at?: number): void;
  /** Requests that name this symbol are refused. */
  refuseSymbol(symbol: string): void;
}

/** Imitates Alpaca's market data for one key. */
export function alpacaData({ now, keyId, secretKey }: AlpacaDataOptions): AlpacaData {
  const snapshots = new Map<string, string>();
  const refused = new Set<string>();
  const asked: number[] = [];
  const faults = faultScript();
  const answer = (status: number, body: string) => ({
    status,
    body,
    headers: { 'content-type': 'application/json' },
  });
  const venue: Venue = async ({ method, path, query, headers }) => {
    const isKnown =
      headers['apca-api-key-id'] === keyId && headers['apca-api-secret-key'] === secretKey;
    if (!isKnown) return answer(403, '{"message":"forbidden."}');
    if (method !== 'GET' || path !== '/v2/stocks/snapshots') return answer(404, '{}');
    const symbols = (query.get('symbols') ?? '').split(',');
    asked.push(symbols.length);
    const invalid = symbols.find((symbol) => refused.has(symbol));
    if (invalid !== undefined)
      return answer(
        400,
        JSON.stringify({ message: `code=400, message=invalid symbol: ${invalid}` }),
      );
    const known = symbols.filter((symbol) => snapshots.has(symbol));
    const members = known.map(
      (symbol) => `${JSON.stringify(symbol)}:${snapshots.get(symbol) ?? ''}`,
    );
    return answer(200, `{${members.join(',')}}`);
  };
  return {
    venue: faults.around(venue),
    faults,
    asked,
    // Prices are JSON numbers, written digit by digit.
    quote: (symbol, { bid, ask, last = bid }, at = now()) => {
      const t = new Date(at).toISOString();
      snapshots.set(
        symbol,
        `{"latestTrade":{"t":"${t}","x":"V","p":${last},"s":10},"latestQuote":{"t":"${t}","ax":"V","ap":${ask},"as":1,"bx":"V","bp":${bid},"bs":2},"dailyBar":null}`,
      );
    },
    refuseSymbol: (symbol) => void refused.add(symbol),
  };
}
