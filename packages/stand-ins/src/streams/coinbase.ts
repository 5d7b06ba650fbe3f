import type { Prices, PublicStream } from './public-stream.js';
import { type StreamClient, streamServer } from './stream.js';

interface Asked {
  readonly type?: string;
  readonly channel?: string;
  readonly product_ids?: readonly string[];
}

const tickerOf = (symbol: string, { bid, ask, last = bid }: Prices) => ({
  type: 'ticker',
  product_id: symbol,
  price: last,
  volume_24_h: '16038.28770938',
  best_bid: bid,
  best_bid_quantity: '0.5',
  best_ask: ask,
  best_ask_quantity: '1.25',
});

export interface CoinbaseStreamOptions {
  readonly now: () => number;
  /** Refuses a request for the states of products if one of them is not known; else it is left out of the answer. */
  readonly refusesUnknown?: boolean;
  /** How it tells the states that it is asked for: all in one message, each in its own, or those of earlier requests first, once more. */
  readonly tellsStates?: 'together' | 'apart' | 'again';
}

/**
 * Imitates the public stream of Coinbase (Advanced Trade): `status`, of the products that are named, `ticker` and `heartbeats`; each
 * message has its number.
 */
export function coinbaseStream({
  now,
  refusesUnknown = false,
  tellsStates = 'together',
}: CoinbaseStreamOptions): PublicStream {
  const states = new Map<string, string>();
  const quotes = new Map<string, ReturnType<typeof tickerOf>>();
  const refused = new Set<string>();
  let beats = 0;

  const timeOf = (at: number): string => new Date(at).toISOString();
  const productsOf = (symbols: Iterable<readonly [string, string]>) =>
    [...symbols].map(([id, status]) => {
      const [base_currency, quote_currency] = id.split('-');
      return { product_type: 'SPOT', id, base_currency, quote_currency, display_name: id, status };
    });
  const message = (channel: string, events: readonly unknown[], at = now()) => ({
    channel,
    client_id: '',
    timestamp: timeOf(at),
    events,
  });

  const subscribe = (
    client: StreamClient,
    { channel = '', product_ids: symbols = [] }: Asked,
  ): void => {
    const isOfStates = channel === 'status';
    const isKnown = (symbol: string): boolean =>
      isOfStates ? !refusesUnknown || states.has(symbol) : states.has(symbol);
    if (symbols.some((symbol) => !isKnown(symbol) || (!isOfStates && refused.has(symbol))))
      return client.tell({ type: 'error', message: 'failed to subscribe' });
    const earlier = client.channels.get(channel) ?? new Set<string>();
    client.channels.set(channel, new Set([...earlier, ...symbols]));
    const subscriptions = Object.fromEntries(
      [...client.channels].map(([name, names]) => [name, names.size > 0 ? [...names] : [name]]),
    );
    if (isOfStates) {
      const found = [...states].filter(([symbol]) => symbols.includes(symbol));
      const before = [...states].filter(([symbol]) => earlier.has(symbol));
      const parts = {
        together: [found],
        apart: found.map((one) => [one]),
        again: before.length > 0 ? [before, found] : [found],
      };
      for (const part of parts[tellsStates])
        client.tell(message('status', [{ type: 'snapshot', products: productsOf(part) }]));
    }
    const tickers = symbols.flatMap((symbol) => quotes.get(symbol) ?? []);
    if (channel === 'ticker' && tickers.length > 0)
      client.tell(message('ticker', [{ type: 'snapshot', tickers }]));
    client.tell(message('subscriptions', [{ subscriptions }]));
  };

  const server = streamServer({
    numbered: (given, place) => ('channel' in given ? { ...given, sequence_num: place } : given),
    asked: (client, request) => {
      const asked = request as Asked;
      if (asked.type === 'subscribe') subscribe(client, asked);
    },
  });

  const tellTo = (
    channel: string,
    given: Readonly<Record<string, unknown>>,
    symbol?: string,
  ): void => {
    for (const client of server.clients()) {
      const symbols = client.channels.get(channel);
      if (symbols && (symbol === undefined || symbols.has(symbol))) client.tell(given);
    }
  };

  return {
    ...server,
    list: (symbol, state = 'online') => void states.set(symbol, state),
    state: (symbol, state) => {
      states.set(symbol, state);
      const products = productsOf([[symbol, state]]);
      tellTo('status', message('status', [{ type: 'update', products }]), symbol);
    },
    quote: (symbol, prices, at = now()) => {
      const ticker = tickerOf(symbol, prices);
      quotes.set(symbol, ticker);
      tellTo('ticker', message('ticker', [{ type: 'update', tickers: [ticker] }], at), symbol);
    },
    heartbeat: () => {
      beats += 1;
      tellTo(
        'heartbeats',
        message('heartbeats', [{ current_time: timeOf(now()), heartbeat_counter: beats }]),
      );
    },
    refuseSymbol: (symbol, refuses) =>
      void (refuses ? refused.add(symbol) : refused.delete(symbol)),
  };
}
