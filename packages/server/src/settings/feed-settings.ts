import { z } from 'zod';
import { standInUrl } from './stand-in-url.js';

/** The sources of `MARKET=live`. */
export const FEEDS = ['coinbase', 'kraken'] as const;
export type FeedName = (typeof FEEDS)[number];

const NAMED = `must be names out of ${FEEDS.join(', ')}, separated by commas`;

const streamOnThisMachine = z
  .string()
  .refine(
    (text) => standInUrl(text, 'ws:') !== undefined,
    'must be like ws://127.0.0.1:12113, on this machine',
  )
  .optional();

/** The settings of real markets. */
export const feedSettings = {
  FEEDS: z
    .string()
    .transform((text) => text.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(FEEDS, NAMED)))
    .transform((names) => [...new Set(names)])
    .optional(),
  COINBASE_STREAM_URL: streamOnThisMachine,
  KRAKEN_STREAM_URL: streamOnThisMachine,
};

interface FeedSettings {
  readonly MARKET: string;
  readonly FEEDS?: readonly FeedName[] | undefined;
  readonly COINBASE_STREAM_URL?: string | undefined;
  readonly KRAKEN_STREAM_URL?: string | undefined;
}

/** The problem with their combination; undefined if there is none. */
export function feedProblem(settings: FeedSettings): string | undefined {
  const { MARKET, FEEDS: named, COINBASE_STREAM_URL, KRAKEN_STREAM_URL } = settings;
  if (named !== undefined && MARKET !== 'live') return 'FEEDS needs MARKET=live';
  const feeds: readonly string[] = MARKET === 'live' ? (named ?? FEEDS) : [];
  const urls = { coinbase: COINBASE_STREAM_URL, kraken: KRAKEN_STREAM_URL };
  const [unused] = Object.entries(urls).filter(
    ([name, url]) => url !== undefined && !feeds.includes(name),
  );
  return (
    unused && `${unused[0].toUpperCase()}_STREAM_URL needs MARKET=live and ${unused[0]} in FEEDS`
  );
}
