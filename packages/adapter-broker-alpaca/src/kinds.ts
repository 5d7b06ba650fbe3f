import { BrokerRefused } from '@slipstream/ports';
import type { Credentials } from './credentials.js';

/** Paper and live accounts: their keys, hosts and numbers never stand for each other. */
export interface Kind {
  readonly name: string;
  readonly live: boolean;
  readonly url: string;
  readonly keyPrefix: string;
  readonly words: string;
}

/** Accounts with play money. */
export const PAPER: Kind = {
  name: 'alpaca_paper',
  live: false,
  url: 'https://paper-api.alpaca.markets',
  keyPrefix: 'PK',
  words: 'paper',
};

/** Accounts with real money. */
export const LIVE: Kind = {
  name: 'alpaca',
  live: true,
  url: 'https://api.alpaca.markets',
  keyPrefix: 'AK',
  words: 'live',
};

const PAPER_NUMBER = /^PA/;

/**
 * Before any request: a key of the other kind must not reach this host. A token may open an account of each kind: the host decides,
 * and the account's number must agree.
 */
export function requireKey({ keyPrefix, words }: Kind, credentials: Credentials): void {
  if (credentials.kind === 'token' || credentials.keyId.startsWith(keyPrefix)) return;
  throw new BrokerRefused(`key_id must begin with ${keyPrefix}, as those of ${words} accounts do`);
}

export function requireNumber({ live, words }: Kind, number: string): void {
  if (PAPER_NUMBER.test(number) !== live) return;
  throw new BrokerRefused(`account ${number} is not a ${words} account`);
}
