import type { Prices, PublicStream } from './public-stream.js';
import { type StreamClient, streamServer } from './stream.js';

interface Asked {
  readonly method?: string;
  readonly params?: { readonly channel?: string; readonly symbol?: readonly string[] };
}

/** Prices are JSON numbers at Kraken. JSON has no way to write their texts, so they stand as numbers from the start. */
const tickerOf = (symbol: string, { bid, ask, last = bid }: Prices, at: number) => ({
  symbol,
  bid: Number(bid),
  bid_qty: 1.5,
  ask: Number(ask),
  ask_qty: 0.25,
  last: Number(last),
  volume: 2_000.5,
  timestamp: new Date(at).toISOString(),
});

/** Imitates the public stream of Kraken, version 2: `instrument`, `ticker` and heartbeats. */
export function krakenStream({ now }: { readonly now: () => number }): PublicStream {
  const states = new Map<string, string>();
  const quotes = new Map<string, ReturnType<typeof tickerOf>>();
  const refused = new Set<string>();

  const pairsOf = (symbols: Iterable<readonly [string, string]>) =>
    [...symbols].map(([symbol, status]) => {
      const [base, quote] = symbol.split('/');
      return { symbol, base, quote, status, marginable: true, price_increment: 0.01 };
    });

  const subscribe = (client: StreamClient, symbols: readonly string[]): void => {
    const times = {
      time_in: new Date(now()).toISOString(),
      time_out: new Date(now()).toISOString(),
    };
    for (const symbol of symbols) {
      if (refused.has(symbol) || !states.has(symbol)) {
        const error = `Currency pair not supported ${symbol}`;
        client.tell({ method: 'subscribe', success: false, error, symbol, ...times });
        continue;
      }
      client.channels.set('ticker', new Set([...(client.channels.get('ticker') ?? []), symbol]));
      const result = { channel: 'ticker', event_trigger: 'bbo', snapshot: true, symbol };
      client.tell({ method: 'subscribe', success: true, result, ...times });
      const quote = quotes.get(symbol);
      if (quote) client.tell({ channel: 'ticker', type: 'snapshot', data: [quote] });
    }
  };

  const server = streamServer({
    numbered: (message) => message,
    asked: (client, request) => {
      const { params } = request as Asked;
      if (params?.channel === 'ticker') return subscribe(client, params.symbol ?? []);
      if (params?.channel !== 'instrument') return;
      client.channels.set('instrument', new Set());
      client.tell({
        method: 'subscribe',
        success: true,
        result: { channel: 'instrument', snapshot: true },
      });
      client.tell({
        channel: 'instrument',
        type: 'snapshot',
        data: { assets: [], pairs: pairsOf(states) },
      });
    },
  });

  const tellTo = (
    channel: string,
    message: Readonly<Record<string, unknown>>,
    symbol?: string,
  ): void => {
    for (const client of server.clients()) {
      const symbols = client.channels.get(channel);
      if (symbols && (symbol === undefined || symbols.has(symbol))) client.tell(message);
    }
  };

  return {
    ...server,
    list: (symbol, state = 'online') => void states.set(symbol, state),
    state: (symbol, state) => {
      states.set(symbol, state);
      const data = { assets: [], pairs: pairsOf([[symbol, state]]) };
      tellTo('instrument', { channel: 'instrument', type: 'update', data });
    },
    quote: (symbol, prices, at = now()) => {
      const quote = tickerOf(symbol, prices, at);
      quotes.set(symbol, quote);
      tellTo('ticker', { channel: 'ticker', type: 'update', data: [quote] }, symbol);
    },
    heartbeat: () => tellTo('instrument', { channel: 'heartbeat' }),
    refuseSymbol: (symbol, refuses) =>
      void (refuses ? refused.add(symbol) : refused.delete(symbol)),
  };
}
