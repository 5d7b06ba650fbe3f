import { type Caps, DEFAULT_CAPS } from './caps.js';
import { DEFAULT_GUESS_LIMITS, type GuessLimits } from './accounts/guesses.js';

/** What the operator decides about the core. */
export interface Settings {
  /** Milliseconds that a quote trades for; after that it values and sizes only (contract 3, "Value"). */
  readonly quoteFreshFor: number;
  /** Who may make a user: anyone, or the operator alone. */
  readonly signup: 'open' | 'closed';
  /** Whether what touches money or others needs a confirmed address (contract 16). */
  readonly confirmEmail: 'required' | 'off';
  /** How much a user may make and keep. */
  readonly caps: Caps;
  /** How often a password or a code may be wrong, and strangers may ask for mails. */
  readonly guesses: GuessLimits;
  /** Where this server is reached from outside, without a slash at the end: links in mails begin with it. */
  readonly publicUrl?: string;
}

/** The settings of an embedded core. */
export const DEFAULT_SETTINGS: Settings = {
  quoteFreshFor: 60_000,
  signup: 'open',
  confirmEmail: 'off',
  caps: DEFAULT_CAPS,
  guesses: DEFAULT_GUESS_LIMITS,
};
