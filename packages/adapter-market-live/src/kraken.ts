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

const answered = z.object({
  method: z.literal('subscribe'),
  success: z.boolean(),
  error: z.string().default('no reason given'),
  symbol: z.string().optional(),
  result: z.object({ channel: z.string(), symbol: z.string().optional() }).optional(),
});
const told = z.object({ channel: z.string(), data: z.unknown().optional() });
const instruments = z.object({ pairs: z.array(z.unknown()) });
const pair = z.object({ symbol: z.string(), status: z.string() });
/** It comes at the start of a connection, and when the state of the matching engine changes. */
const engine = z.tuple([z.object({ system: z.string() })]).rest(z.unknown());
const tickers = z.array(z.unknown());
const ticker = z.object({
  symbol: z.string(),
  bid: venuePrice,
  ask: venuePrice,
  last: venuePrice,
  timestamp: venueTime,
});

function answerOf({ success, error, symbol, result }: z.infer<typeof answered>): VenueMessage[] {
  const named = result?.symbol ?? symbol;
  if (named === undefined) return [success ? { kind: 'alive' } : { kind: 'ended', reason: error }];
  if (!success) return [{ kind: 'refused', symbol: named, reason: error }];
  return [
    result?.channel === 'ticker' ? { kind: 'accepted', symbols: [named] } : { kind: 'alive' },
  ];
}

function meaningOf({ channel, data }: z.infer<typeof told>): VenueMessage[] {
  switch (channel) {
    case 'instrument':
      return readRows(instruments.parse(data).pairs, pair, listedOf);
    case 'status':
      return [{ kind: 'state', state: engine.parse(data)[0].system }];
    case 'ticker':
      return readRows(tickers.parse(data), ticker, (rows) =>
        rows.map(({ timestamp: venueAt, ...prices }) => ({ kind: 'quote', ...prices, venueAt })),
      );
    default:
      return [{ kind: 'alive' }];
  }
}

const reader = (): ReadMessage => (message) => {
  const answer = answered.safeParse(message);
  if (answer.success) return answerOf(answer.data);
  const read = told.safeParse(message);
  if (!read.success) return 'unreadable';
  try {
    return meaningOf(read.data);
  } catch (error) {
    if (error instanceof z.ZodError) return 'unreadable';
    throw error;
  }
};

const asked = (params: object): string => JSON.stringify({ method: 'subscribe', params });

/** The public stream of Kraken (version 2), without a key. */
export const kraken = (url = 'wss://ws.kraken.com/v2'): Venue => ({
  name: 'kraken',
  url,
  tellsAt: 'changes',
  symbolOf: ({ exchange, security, stock, peg }: Stock) =>
    security === 'cryptocurrency' && exchange === 'KRAKEN' ? `${stock}/${peg}` : undefined,
  greeting: [asked({ channel: 'instrument' })],
  subscribe: (symbols) => [asked({ channel: 'ticker', symbol: symbols, event_trigger: 'bbo' })],
  reader,
});
