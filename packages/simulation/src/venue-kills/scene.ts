import { join } from 'node:path';
import { type Client, createClient } from '@slipstream/client';
import { type Decimal, ZERO, decimal } from '@slipstream/domain';
import {
  type AlpacaAccount,
  type AlpacaStandIn,
  type FaultKind,
  type Venue,
  alpacaStandIn,
  listen,
} from '@slipstream/stand-ins';
import { OPERATOR, type Place, type Server, placeIn } from '../torture/program.js';

const ACCOUNTS = 6;
const keyOf = (index: number) => ({
  key_id: `PKVENUEKILLS0000000${index}`,
  secret_key: `canary-secret-of-the-kills-${index}`,
});

/** What the strategy trades, and what only the owner of the account trades. */
export const [TRADED, OWNERS] = [['AAPL', 'MSFT'], 'KO'] as const;
export const stockIdOf = (symbol: string): string => `${symbol.toLowerCase()}.${EXCHANGES[symbol]}`;
const EXCHANGES: Readonly<Record<string, string>> = { AAPL: 'nasdaq', MSFT: 'nasdaq', KO: 'nyse' };
const PRICES: Readonly<Record<string, number>> = { AAPL: 200, MSFT: 400, KO: 60 };

/** No increase is sent beyond it. */
export const MAX_ORDER = decimal('2500');

const FAULTS: readonly FaultKind[] = [
  'drop_before',
  'drop_after',
  'truncate',
  'garbage',
  'empty',
  { status: 500, body: { code: 50010000, message: 'internal server error' } },
  { status: 503 },
  { status: 429 },
  { delay: 300 },
];
const PATHS = ['/v2/orders', '/v2/orders', '/v2/orders', '/v2/account', '/v2/positions', '/'];

/** An account at the venue, and what its owner did by hand. */
export interface Owned {
  readonly account: AlpacaAccount;
  /** Bought less sold by hand, by symbol. */
  readonly byHand: Map<string, Decimal>;
}

/** The venue, which no kill of the server touches. */
interface Prepared {
  readonly place: Place;
  readonly standIn: AlpacaStandIn;
  readonly random: () => number;
  readonly accounts: readonly Owned[];
  close(): Promise<void>;
}

export interface Scene extends Prepared {
  readonly token: string;
  readonly strategyId: string;
}

/** Accounts with shares of their owner, at a venue that takes its time. */
export async function newVenue(
  folder: string,
  random: () => number,
  bug: (venue: Venue) => Venue,
): Promise<Prepared> {
  const standIn = alpacaStandIn({ now: Date.now, filling: 150, cancelling: 100 });
  for (const [symbol, price] of Object.entries(PRICES)) {
    const exchange = EXCHANGES[symbol]?.toUpperCase() ?? '';
    const [bid, ask] = [String(price - 0.1), String(price + 0.1)];
    standIn.addAsset({ symbol, exchange, bid, ask });
  }
  const listening = await listen(bug(standIn.venue));
  const place = placeIn(folder, join(folder, 'slipstream.db'));
  const environment = {
    ...place.environment,
    BROKERS: 'alpaca_paper',
    ALPACA_PAPER_URL: listening.url,
  };
  const accounts = Array.from({ length: ACCOUNTS }, (_, index): Owned => {
    const { key_id: keyId, secret_key: secretKey } = keyOf(index);
    const names = { number: `PA3KILLS000${index}`, keyId, secretKey };
    const owned = {
      account: standIn.addAccount({ ...names, cash: '20000' }),
      byHand: new Map<string, Decimal>(),
    };
    trade(standIn, owned, 'MSFT', 'buy', '3');
    trade(standIn, owned, OWNERS, 'buy', '20');
    return owned;
  });
  return {
    place: { ...place, environment },
    ...{ standIn, accounts, random },
    close: () => listening.close(),
  };
}

function trade(
  standIn: AlpacaStandIn,
  { account, byHand }: Owned,
  symbol: string,
  side: 'buy' | 'sell',
  amount: string,
): void {
  standIn.tradeByHand(account, symbol, side, decimal(amount));
  const signed = side === 'buy' ? decimal(amount) : decimal(`-${amount}`);
  byHand.set(symbol, (byHand.get(symbol) ?? ZERO).plus(signed));
}

const clientOf = ({ url }: Server, token: string): Client =>
  createClient({ url, token, attempts: 1 });

export const ownerOf = ({ token }: Scene, server: Server): Client => clientOf(server, token);

export async function sendQuotes(server: Server): Promise<void> {
  const quotes = Object.entries(PRICES).map(([symbol, price]) => ({
    ...{ stock_id: stockIdOf(symbol), last: price, bid: price - 0.1, ask: price + 0.1 },
  }));
  await clientOf(server, OPERATOR).newQuotes({ quotes });
}

/** A user whose bots mirror a strategy, each into an account, made over HTTP. */
export async function startBots(prepared: Prepared, server: Server): Promise<Scene> {
  const anyone = createClient({ url: server.url });
  const user = { email: 'ada@example.com', password: 'a long password' };
  await anyone.newUser(user);
  const session = await anyone.newSession(user);
  const issued = await clientOf(server, session.token).newToken({ name: 'kills', scope: ['*'] });
  const client = clientOf(server, issued.token);
  const { strategy_id } = await client.newStrategy({ type: 'stock', name: 'Mirrored' });
  await sendQuotes(server);
  for (const index of prepared.accounts.keys()) {
    const { bot_id } = await client.newBot({
      type: 'stock',
      broker: 'alpaca_paper',
      allocations: [{ strategy_id, percent: 1 }],
      credentials: keyOf(index),
      limits: { max_order: MAX_ORDER.toFixed() },
    });
    await client.startBot({ bot_id });
  }
  return { ...prepared, token: issued.token, strategyId: strategy_id };
}

function pick<Item>(random: () => number, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** What happens before a kill: trouble at the venue, trades of the owner and of the strategy. */
export async function trouble(scene: Scene, server: Server): Promise<void> {
  const { standIn, random } = scene;
  standIn.faults.clear();
  standIn.appearAfter(random() < 0.2 ? 400 : 0);
  for (let count = Math.floor(random() * 9); count > 0; count -= 1)
    standIn.faults.add({ path: pick(random, PATHS), kind: pick(random, FAULTS) });
  if (random() < 0.1) standIn.fillNextInPart();
  for (const owned of scene.accounts)
    if (random() < 0.3) trade(standIn, owned, OWNERS, random() < 0.6 ? 'buy' : 'sell', '1');
  const client = ownerOf(scene, server);
  try {
    await sendQuotes(server);
    await client.newOrderAllocations({
      strategy_id: scene.strategyId,
      allocations: TRADED.map((symbol) => ({
        stock_id: stockIdOf(symbol),
        percent: Math.floor(random() * 5) / 10,
      })),
    });
  } catch {
    // The server was killed before it answered.
  }
}

/** The venue is well from now on. */
export function calm({ standIn }: Scene): void {
  standIn.faults.clear();
  standIn.appearAfter(0);
}
