import type { Prices } from './public-stream.js';
import { type StreamClient, type StreamServer, streamServer } from './stream.js';

interface Asked {
  readonly action?: string;
  readonly key?: string;
  readonly secret?: string;
  readonly quotes?: readonly string[];
  readonly statuses?: readonly string[];
}

export interface AlpacaStreamOptions {
  readonly now: () => number;
  readonly keyId: string;
  readonly secretKey: string;
}

/** Imitates Alpaca's stream of stocks: its steps, quotes of up to 30 symbols, and trading statuses. */
export interface AlpacaStreamStandIn extends StreamServer {
  quote(symbol: string, prices: Prices, at?: number): void;
  /** Tells a trading status, such as `H` (halt) and `T` (resumption). */
  status(symbol: string, code: string, message: string): void;
  /** Closes connections that did not authenticate within 10 s. */
  heartbeat(): void;
  /** How many symbols one connection may subscribe. */
  limit(symbols: number): void;
  /** Another connection of the key is open: others are refused. */
  occupy(isOccupied: boolean): void;
  /** Authentication is not answered in time. */
  hangLogin(hangs: boolean): void;
  /** The key has no statuses. */
  denyStatuses(): void;
  /** The symbols that the connections are subscribed to. */
  subscribed(): readonly string[];
}

const LOGIN_LASTS = 10_000;

export function alpacaStreamStandIn(options: AlpacaStreamOptions): AlpacaStreamStandIn {
  const { now, keyId, secretKey } = options;
  const openedAt = new Map<StreamClient, number>();
  const known = new Set<StreamClient>();
  let most = 30;
  let isOccupied = false;
  let hangs = false;
  let hasStatuses = true;

  const symbolsOf = (client: StreamClient): ReadonlySet<string> =>
    client.channels.get('quotes') ?? new Set();
  const fail = (client: StreamClient, code: number, msg: string): void =>
    client.tell({ T: 'error', code, msg });
  const tellSubscription = (client: StreamClient): void =>
    client.tell({
      T: 'subscription',
      trades: [],
      quotes: [...symbolsOf(client)],
      bars: [],
      statuses: [...(client.channels.get('statuses') ?? [])],
      lulds: [],
    });

  const login = (client: StreamClient, { key, secret }: Asked): void => {
    if (hangs) return;
    if (isOccupied) return fail(client, 406, 'connection limit exceeded');
    if (key !== keyId || secret !== secretKey) return fail(client, 402, 'auth failed');
    known.add(client);
    client.tell({ T: 'success', msg: 'authenticated' });
  };

  const server = streamServer({
    numbered: (message) => [message],
    opened: (client) => {
      openedAt.set(client, now());
      client.tell({ T: 'success', msg: 'connected' });
    },
    asked: (client, request) => {
      const asked = request as Asked;
      if (asked.action === 'auth') return login(client, asked);
      if (!known.has(client)) return fail(client, 401, 'not authenticated');
      const { quotes = [], statuses = [] } = asked;
      if (statuses.length > 0 && !hasStatuses)
        return fail(client, 410, 'invalid subscribe action for this feed');
      const isMore = asked.action === 'subscribe';
      const left = [...symbolsOf(client)].filter((symbol) => isMore || !quotes.includes(symbol));
      const next = new Set([...left, ...(isMore ? quotes : [])]);
      if (next.size > most) return fail(client, 405, 'symbol limit exceeded');
      client.channels.set('quotes', next);
      if (isMore && statuses.length > 0) client.channels.set('statuses', new Set(statuses));
      tellSubscription(client);
    },
  });

  return {
    ...server,
    quote: (symbol, { bid, ask }, at = now()) => {
      for (const client of server.clients())
        if (symbolsOf(client).has(symbol))
          client.tell({
            T: 'q',
            S: symbol,
            ax: 'V',
            ap: Number(ask),
            as: 1,
            bx: 'V',
            bp: Number(bid),
            bs: 2,
            c: ['R'],
            t: new Date(at).toISOString(),
            z: 'C',
          });
    },
    status: (symbol, sc, sm) => {
      for (const client of server.clients())
        if (client.channels.has('statuses'))
          client.tell({
            T: 's',
            S: symbol,
            sc,
            sm,
            rc: 'LUDP',
            rm: 'Volatility Trading Pause',
            t: new Date(now()).toISOString(),
            z: 'C',
          });
    },
    heartbeat: () => {
      for (const client of server.clients()) {
        const since = openedAt.get(client);
        if (known.has(client) || since === undefined || now() - since < LOGIN_LASTS) continue;
        fail(client, 404, 'auth timeout');
        openedAt.delete(client);
      }
    },
    limit: (symbols) => void (most = symbols),
    occupy: (occupied) => void (isOccupied = occupied),
    hangLogin: (doesHang) => void (hangs = doesHang),
    denyStatuses: () => void (hasStatuses = false),
    subscribed: () => server.clients().flatMap((client) => [...symbolsOf(client)]),
  };
}
