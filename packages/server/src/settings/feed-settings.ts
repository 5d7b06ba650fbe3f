import { z } from 'zod';
import { standInUrl } from './stand-in-url.js';

/** The sources of `MARKET=live`. */
export const FEEDS = ['coinbase', 'kraken', 'alpaca'] as const;
export type FeedName = (typeof FEEDS)[number];

const NAMED = `must be names out of ${FEEDS.join(', ')}, separated by commas`;

const streamOnThisMachine = z
  .string()
  .refine(
    (text) => standInUrl(text, 'ws:') !== undefined,
    'must be like ws://127.0.0.1:12113, on this machine',
  )
  .optional();

/** A key is sent in a header. One that does not fit would be shown whole by the error that says so. */
const headerText = z
  .string()
  .trim()
  .regex(/^[ -~]+$/, 'must be of the printable characters of ASCII')
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
  ALPACA_STREAM_URL: streamOnThisMachine,
  ALPACA_DATA_KEY_ID: headerText,
  ALPACA_DATA_SECRET: headerText,
  ALPACA_DATA_FEED: z.enum(['iex', 'sip'], 'must be iex or sip').optional(),
  ALPACA_DATA_URL: z
    .string()
    .refine(
      (text) => standInUrl(text) !== undefined,
      'must be like http://127.0.0.1:12114, on this machine',
    )
    .optional(),
};

interface FeedSettings {
  readonly MARKET: string;
  readonly FEEDS?: readonly FeedName[] | undefined;
  readonly COINBASE_STREAM_URL?: string | undefined;
  readonly KRAKEN_STREAM_URL?: string | undefined;
  readonly ALPACA_STREAM_URL?: string | undefined;
  readonly ALPACA_DATA_KEY_ID?: string | undefined;
  readonly ALPACA_DATA_SECRET?: string | undefined;
  readonly ALPACA_DATA_FEED?: string | undefined;
  readonly ALPACA_DATA_URL?: string | undefined;
}

/** The sources of real markets: those that are named, else all that need no key and those whose keys are set. */
export function feedsOf({ MARKET, FEEDS: named, ALPACA_DATA_KEY_ID }: FeedSettings): FeedName[] {
  if (MARKET !== 'live') return [];
  return [
    ...(named ?? FEEDS.filter((name) => name !== 'alpaca' || ALPACA_DATA_KEY_ID !== undefined)),
  ];
}

/** Each setting of one source, and the source. */
const SOURCE_OF = {
  COINBASE_STREAM_URL: 'coinbase',
  KRAKEN_STREAM_URL: 'kraken',
  ALPACA_STREAM_URL: 'alpaca',
  ALPACA_DATA_KEY_ID: 'alpaca',
  ALPACA_DATA_SECRET: 'alpaca',
  ALPACA_DATA_FEED: 'alpaca',
  ALPACA_DATA_URL: 'alpaca',
} as const;

/** The problem with their combination; undefined if there is none. */
export function feedProblem(settings: FeedSettings): string | undefined {
  const { MARKET, FEEDS: named, ALPACA_DATA_KEY_ID: key, ALPACA_DATA_SECRET: secret } = settings;
  if (named !== undefined && MARKET !== 'live') return 'FEEDS needs MARKET=live';
  if ((key === undefined) !== (secret === undefined))
    return 'ALPACA_DATA_KEY_ID and ALPACA_DATA_SECRET must be given together';
  const feeds = feedsOf(settings);
  if (feeds.includes('alpaca') && key === undefined)
    return 'FEEDS names alpaca, which needs ALPACA_DATA_KEY_ID and ALPACA_DATA_SECRET';
  const names = Object.keys(SOURCE_OF) as (keyof typeof SOURCE_OF)[];
  const unused = names.find(
    (name) => settings[name] !== undefined && !feeds.includes(SOURCE_OF[name]),
  );
  return unused && `${unused} needs MARKET=live and ${SOURCE_OF[unused]} in FEEDS`;
}
