import { DAY, HOUR } from '@slipstream/domain';
import { composedServer, type ComposedServer } from '../../server/tests/helpers/composed-server.js';
import { openBrowser } from '../src/browser.js';
import { AAPL, MSFT, type Scene } from './scene.js';

const JPM = 'JPM:NYSE';
const NVDA = 'NVDA:NASDAQ';
const BTC = 'BTC:COINBASE';
const STOCKS = [AAPL, MSFT, JPM, NVDA, BTC] as const;
const FIRST = { [AAPL]: 180, [MSFT]: 370, [JPM]: 150, [NVDA]: 60, [BTC]: 42_000 };

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Prices that walk at random, by the seed alone; `size` is that of a step, 1 for a day. */
function walk(random: () => number): (size: number) => Record<string, number> {
  const now: Record<string, number> = { ...FIRST };
  return (size) => {
    const market = (random() - 0.47) * 0.016 * size;
    for (const stock of STOCKS) {
      const own = (random() - 0.49) * (stock === BTC ? 0.05 : 0.02) * size;
      now[stock] = Math.round((now[stock] ?? 1) * (1 + market + own) * 100) / 100;
    }
    return { ...now };
  };
}

type Weights = Readonly<Partial<Record<(typeof STOCKS)[number], string>>>;

// oxfmt-ignore
const STRATEGIES: readonly (readonly [name: string, type: 'stock' | 'cryptocurrency', price: number, weights: Weights, about: string])[] = [
  ['Three large companies', 'stock', 15, { [AAPL]: '0.4', [MSFT]: '0.3', [JPM]: '0.2' }, 'Large companies, held while their trend rises.'],
  ['Quiet value', 'stock', 0, { [JPM]: '0.5' }, 'One bank, half in cash.'],
  ['Chips and clouds', 'stock', 29, { [NVDA]: '0.8', [MSFT]: '0.6' }, 'Growth with some leverage.'],
  ['Index and cash', 'stock', 0, { [AAPL]: '0.2', [MSFT]: '0.2' }, 'Mostly cash.'],
  ['Short the bank', 'stock', 99, { [JPM]: '-0.6', [AAPL]: '0.5' }, 'Long one, short the other.'],
  ['Coin trend', 'cryptocurrency', 49, { [BTC]: '0.7' }, 'One coin, by its trend.'],
];

/** Where the records begin. */
const BEGIN = Date.parse('2025-01-06T15:00:00.000Z');
const DAYS = 420;

const halfOf = (weights: Weights): Weights =>
  Object.fromEntries(
    Object.entries(weights).map(([stock, share]) => [stock, String(Number(share) / 2)]),
  );

async function openStrategies(server: ComposedServer, owner: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const [name, type, price, weights, description] of STRATEGIES) {
    const { strategy_id } = await server.ask(
      'newStrategy',
      {
        type,
        name,
        price,
        description,
        private: false,
        categories: [type === 'stock' ? 'trend' : 'coins'],
      },
      owner,
    );
    await trade(server, owner, strategy_id, weights);
    ids.push(strategy_id);
  }
  return ids;
}

async function trade(server: ComposedServer, owner: string, strategy_id: string, weights: Weights) {
  const allocations = Object.entries(weights).map(([stock_id, percent]) => ({ stock_id, percent }));
  await server.ask('newOrderAllocations', { strategy_id, allocations }, owner);
}

const ADDRESS = {
  name: 'Follower',
  line_one: '1 Way',
  postal: '10001',
  city: 'New York',
  country: 'US',
};

/** The follower's card and subscription, with amounts of their own. */
async function followPaid(
  { ask, application: { background } }: ComposedServer,
  follower: string,
  strategy_id: string,
): Promise<void> {
  const details = { line_two: '', district: '', ...ADDRESS };
  await ask('newPaymentSource', { token: 'test_card_paid', direction: 'in', ...details }, follower);
  const subscription = { strategy_id, price: 15, input_value: '4000' };
  await ask('newStrategySubscription', subscription, follower);
  await background.runBilling();
}

/** A scene with records of more than a year on seeded prices: six strategies, a follower, and what pages show of them. */
export async function openRecordScene(seed = 7): Promise<Scene & { readonly follower: string }> {
  const [server, browser] = await Promise.all([
    composedServer({ environment: { TRADING_HOURS: 'always' } }),
    openBrowser(),
  ]);
  const { clock } = server;
  clock.set(BEGIN);
  const next = walk(seeded(seed));
  const quote = async (by: number): Promise<void> => {
    clock.advance(by);
    await server.quotes(next(Math.sqrt(by / DAY)));
    await server.application.background.tick();
  };
  await quote(0);
  const [owner, follower] = [await server.user('ada'), await server.user('follower')];
  await server.ask('updateUserInfo', { name: 'Ada' }, owner);
  const ids = await openStrategies(server, owner);
  for (let day = 1; day < DAYS; day += 1) {
    await quote(DAY);
    if (day % 45 !== 0) continue;
    const turn = (day / 45) % ids.length;
    const [, , , weights] = STRATEGIES[turn] as (typeof STRATEGIES)[number];
    await trade(server, owner, ids[turn] ?? '', day % 90 === 0 ? weights : halfOf(weights));
    await quote(0);
  }
  const [strategyId = ''] = ids;
  await followPaid(server, follower, strategyId);
  for (let hour = 0; hour < 30; hour += 1) await quote(HOUR);
  await server.application.background.rankStrategies();
  return {
    server,
    browser,
    owner,
    follower,
    strategyId,
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}
