import type { Stock } from '@slipstream/domain';
import { z } from 'zod';
import {
  type ReadMessage,
  type Venue,
  type VenueMessage,
  listedOf,
  readRows,
  venuePrice,
  venueTime,
} from './venue.js';

const envelope = z.object({
  channel: z.string(),
  timestamp: venueTime,
  sequence_num: z.string().regex(/^\d+$/),
  events: z.array(z.unknown()),
});
const failed = z.object({ type: z.literal('error'), message: z.string() });
const statusEvent = z.object({ products: z.array(z.unknown()) });
const product = z
  .object({ id: z.string(), status: z.string() })
  .transform(({ id, status }) => ({ symbol: id, status }));
const subscriptionEvent = z.object({
  subscriptions: z.object({ ticker: z.array(z.string()).default([]) }),
});
const tickerEvent = z.object({ tickers: z.array(z.unknown()) });
const ticker = z.object({
  product_id: z.string(),
  price: venuePrice,
  best_bid: venuePrice,
  best_ask: venuePrice,
});

function meaningOf({
  channel,
  timestamp: venueAt,
  events,
}: z.infer<typeof envelope>): VenueMessage[] {
  switch (channel) {
    case 'status':
      return events.flatMap((event) =>
        readRows(statusEvent.parse(event).products, product, listedOf),
      );
    case 'subscriptions':
      return events.map((event) => ({
        kind: 'accepted',
        symbols: subscriptionEvent.parse(event).subscriptions.ticker,
      }));
    case 'ticker':
      return events.flatMap((event) =>
        readRows(tickerEvent.parse(event).tickers, ticker, (rows) =>
          rows.map(({ product_id: symbol, best_bid: bid, best_ask: ask, price: last }) => ({
            ...{ kind: 'quote', symbol, bid, ask, last, venueAt },
          })),
        ),
      );
    default:
      return [{ kind: 'alive' }];
  }
}

/** Every message has a number, one more than the last; an error has none, and may count or not. */
function reader(): ReadMessage {
  let last = -1;
  let failures = 0;
  return (message) => {
    const failure = failed.safeParse(message);
    if (failure.success) {
      failures += 1;
      return [{ kind: 'failed', reason: failure.data.message }];
    }
    const read = envelope.safeParse(message);
    if (!read.success) return 'unreadable';
    const place = Number(read.data.sequence_num);
    if (place <= last) return 'disordered';
    if (last !== -1 && place > last + 1 + failures) return [{ kind: 'gap' }];
    last = place;
    failures = 0;
    try {
      return meaningOf(read.data);
    } catch (error) {
      if (error instanceof z.ZodError) return 'unreadable';
      throw error;
    }
  };
}

const asked = (channel: string, symbols?: readonly string[]): string =>
  JSON.stringify({ type: 'subscribe', channel, ...(symbols && { product_ids: symbols }) });

/** The public stream of Coinbase (Advanced Trade), without a key. */
export const coinbase = (url = 'wss://advanced-trade-ws.coinbase.com'): Venue => ({
  name: 'coinbase',
  url,
  tellsAt: 'trades',
  symbolOf: ({ exchange, security, stock, peg }: Stock) =>
    security === 'cryptocurrency' && exchange === 'COINBASE' ? `${stock}-${peg}` : undefined,
  greeting: [asked('heartbeats')],
  // It tells the states of the products that are named, as every other channel does.
  list: (symbols) => [asked('status', symbols)],
  subscribe: (symbols) => [asked('ticker', symbols)],
  reader,
});
