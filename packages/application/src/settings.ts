import {
  DEFAULT_MAX_SPREAD,
  type Decimal,
  type FillMarket,
  type Security,
} from '@slipstream/domain';
import { type Caps, DEFAULT_CAPS } from './caps.js';
import { DEFAULT_GUESS_LIMITS, type GuessLimits } from './accounts/guesses.js';

/** The operator's settings of the core. */
export interface Settings {
  /** The kind of market that the feed brings; the records of strategies name it (contract 8). */
  readonly market: FillMarket;
  /** Whether strategies on supplied prices (`push`) rank with those on live ones. */
  readonly pushTrusted: boolean;
  /** The age in milliseconds up to which a quote trades; an older quote only values and sizes (contract 3, "Value"). */
  readonly quoteFreshFor: number;
  /** Who may create users: anybody, or only the operator. */
  readonly signup: 'open' | 'closed';
  /** Whether operations that affect money or other users need a confirmed address (contract 16). */
  readonly confirmEmail: 'required' | 'off';
  /** The limits of a user's stored things. */
  readonly caps: Caps;
  /** Bots send no order in a stock whose spread is wider, as a fraction (contract 10). */
  readonly maxSpread: Readonly<Record<Security, Decimal>>;
  /** The limits of wrong passwords and codes, and of mails that strangers cause. */
  readonly guesses: GuessLimits;
  /** The version that getServiceInfo shows. */
  readonly version: string;
  /** The operator's own text after the sentence about the figures. */
  readonly disclosure?: string | undefined;
  /** The server's address from outside, without a slash at the end; links in mails start with it. */
  readonly publicUrl?: string;
}

/** The settings of an embedded core. */
export const DEFAULT_SETTINGS: Settings = {
  market: 'unknown',
  pushTrusted: false,
  version: 'unversioned',
  quoteFreshFor: 60_000,
  signup: 'open',
  confirmEmail: 'off',
  caps: DEFAULT_CAPS,
  maxSpread: DEFAULT_MAX_SPREAD,
  guesses: DEFAULT_GUESS_LIMITS,
};

const LOCAL = 'http://127.0.0.1:3000';

/** The address of a page of this service, by its path. */
export const servicePage = (
  { settings }: { readonly settings: Pick<Settings, 'publicUrl'> },
  path: string,
): string => `${settings.publicUrl ?? LOCAL}${path}`;
