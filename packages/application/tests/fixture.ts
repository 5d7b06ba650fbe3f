import { type MemoryPorts, memoryPorts } from '@slipstream/adapter-memory/testing';
import { type Decimal, type StrategyId, decimal, id } from '@slipstream/domain';
import type { Event } from '@slipstream/ports';
import { aStock } from '@slipstream/port-contracts';
import { type Caller, type Settings } from '../src/index.js';
import { type App, createApp } from './app.js';

/** Two stocks and a coin: `AAPL`, `MSFT` (no fee, no slippage) and `BTC` (fee 0.0025). */
export const STOCKS = [
  aStock({
    id: id('aapl'),
    symbol: 'AAPL',
    stock: 'AAPL',
    exchange: 'NASDAQ',
    fee: decimal('0'),
    slippage: decimal('0'),
  }),
  aStock({
    id: id('msft'),
    symbol: 'MSFT',
    stock: 'MSFT',
    exchange: 'NASDAQ',
    fee: decimal('0'),
    slippage: decimal('0'),
  }),
  aStock({
    id: id('btc'),
    symbol: 'BTCUSD',
    stock: 'BTC',
    exchange: 'COINBASE',
    security: 'cryptocurrency',
    fee: decimal('0.0025'),
    slippage: decimal('0.001'),
  }),
];

export interface Fixture {
  readonly ports: MemoryPorts;
  readonly app: App;
  readonly events: Event[];
  /** A new user with a token of every scope. */
  user(name: string): Promise<Caller>;
  strategy(
    owner: Caller,
    changes?: { private?: boolean; type?: 'stock' | 'cryptocurrency' },
  ): Promise<StrategyId>;
  /** bid and ask (the same when only one is given) of a stock, now. */
  quote(stock: string, bid: string, ask?: string): Promise<void>;
  /** A second application over the same ports: what a restart finds. */
  restart(): Promise<App>;
}

/** The core on memory ports, started, with `STOCKS` and no quotes. */
export async function fixture(
  overrides: Partial<MemoryPorts> = {},
  settings?: Settings,
): Promise<Fixture> {
  const ports = memoryPorts(overrides);
  const events: Event[] = [];
  ports.events.subscribe((event) => events.push(event));
  const app = createApp(ports, settings);
  await app.importStocks(STOCKS);
  await app.start();
  const anonymous: Caller = { kind: 'anonymous' };
  return {
    ports,
    app,
    events,
    async user(name) {
      const email = `${name}@example.com`;
      await app.newUser(anonymous, { email, password: 'a long password' });
      const session = await app.newSession(anonymous, { email, password: 'a long password' });
      const caller = await app.authenticate(session.token);
      const { text } = await app.newToken(caller, { name: 'all', scope: ['*'] });
      return app.authenticate(text);
    },
    async strategy(owner, changes = {}) {
      const made = await app.newStrategy(owner, { type: 'stock', name: 'A strategy', ...changes });
      return made.strategy.id;
    },
    async quote(stock, bid, ask = bid) {
      await app.newQuotes(
        { kind: 'operator' },
        { quotes: [{ stock, bid: decimal(bid), ask: decimal(ask), last: decimal(bid) }] },
      );
    },
    async restart() {
      const again = createApp(ports, settings);
      await again.start();
      return again;
    },
  };
}

export const text = (value: Decimal | null | undefined): string | null => value?.toFixed() ?? null;
