import { generateKeyPairSync } from 'node:crypto';
import type { FixedClock } from '@slipstream/adapter-memory/testing';
import type { Log } from '@slipstream/ports';
import {
  type CoinAccount,
  type CoinExchange,
  type CoinOptions,
  coinbaseStandIn,
  krakenStandIn,
  listen,
} from '@slipstream/stand-ins';
import { type ComposedServer, composedServer } from './composed-server.js';

const base64 = (text: string): string =>
  Buffer.from(text.repeat(64).slice(0, 64)).toString('base64');
const pem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    .privateKey.export({ type: 'sec1', format: 'pem' })
    .toString();

const EXCHANGES = {
  kraken: {
    standInOf: krakenStandIn,
    number: 'AA88N84GWOAKNMOI',
    credentials: { api_key: base64('key').slice(0, 56), private_key: base64('canary') },
  },
  coinbase: {
    standInOf: coinbaseStandIn,
    number: '8bfc20d7-f7c6-4422-bf07-8243ca4169fe',
    credentials: { key_name: 'organizations/1a2b/apiKeys/3c4d', private_key: pem() },
  },
} as const;

export type ExchangeName = keyof typeof EXCHANGES;
export const EXCHANGE_NAMES = ['kraken', 'coinbase'] as const satisfies readonly ExchangeName[];

/** An exchange with an account of 10,000 USD, that listens on this machine, and servers whose bots have it. */
export interface CoinScene {
  readonly standIn: CoinExchange;
  readonly account: CoinAccount;
  readonly credentials: Readonly<Record<string, string>>;
  /** A server that offers the exchange as a broker. */
  open(options?: {
    readonly folder?: string;
    readonly storage?: 'memory' | 'sqlite';
    readonly log?: Log;
  }): Promise<ComposedServer>;
  close(): Promise<void>;
}

export async function coinScene(
  name: ExchangeName,
  clock: FixedClock,
  options: Partial<CoinOptions> = {},
): Promise<CoinScene> {
  const { standInOf, number, credentials } = EXCHANGES[name];
  const standIn = standInOf({ now: clock.now, ...options });
  const [apiKey, secret] = Object.values(credentials) as [string, string];
  const account = standIn.addAccount({ id: number, apiKey, secret, cash: '10000' });
  const listening = await listen(standIn.venue);
  return {
    standIn,
    account,
    credentials,
    open: (given = {}) =>
      composedServer({
        clock,
        ...given,
        environment: {
          BROKERS: `simulated,${name}`,
          LIVE_TRADING: 'on',
          [`CCXT_URL_${name}`]: listening.url,
        },
      }),
    close: () => listening.close(),
  };
}
