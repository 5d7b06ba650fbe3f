import { fixedClock } from '@slipstream/adapter-memory/testing';
import { DAY, HOUR } from '@slipstream/domain';
import type { OperationName } from '@slipstream/wire';
import fc from 'fast-check';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import type { Happening } from './ledger.js';

/** A Tuesday, 11:00 in New York; Memorial Day, Juneteenth and Independence Day lie in the months after it. */
const BEGIN = Date.parse('2026-05-05T15:00:00.000Z');
/** The instruments of a story: stocks, then coins. */
const NAMES = [
  'AAPL:NASDAQ',
  'IBM:NYSE',
  'KO:NYSE',
  'MSFT:NASDAQ',
  'BTCUSD:COINBASE',
  'ETHUSD:COINBASE',
] as const;
const FIRST_PRICES = [200, 100, 60, 400, 50_000, 3000];
const STOCK_COUNT = 4;
const COSTS = [
  { fee: '0' },
  { fee: '0.001' },
  { fee: '0.0004', slippage: '0.003' },
  { fee: '0', slippage: '0' },
  { fee: '0.0025' },
  { fee: '0.004', slippage: '0.002' },
] as const;
const SPLITS = [
  [3, 2],
  [1, 3],
  [1, 10],
  [7, 3],
  [21, 20],
] as const;

/** What each bot's account begins with. */
const BALANCE = '100000';

interface Command {
  readonly kind:
    | 'amount'
    | 'total'
    | 'limit'
    | 'stop'
    | 'stopLimit'
    | 'oco'
    | 'bracket'
    | 'target'
    | 'alert'
    | 'flat';
  readonly place: number;
  readonly isBuy: boolean;
  /** Hundredths of the value. */
  readonly size: number;
}

/** What an operator or an issuer does to a stock. */
type Action =
  | { readonly kind: 'split'; readonly ratio: number }
  | { readonly kind: 'dividend'; readonly part: number }
  | { readonly kind: 'delisting'; readonly part: number }
  | { readonly kind: 'halt' }
  | { readonly kind: 'rename' };

/** A part of a rare story. */
export interface RareStep {
  /** Thousandths. */
  readonly moves: readonly number[];
  readonly commands: readonly (Command | null)[];
  readonly action: (Action & { readonly place: number }) | null;
  /** How long until the next step, in hours. */
  readonly hours: number;
}

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom(
    ...(['amount', 'total', 'limit', 'stop', 'stopLimit', 'oco', 'bracket'] as const),
    ...(['target', 'target', 'alert', 'flat'] as const),
  ),
  place: fc.nat(STOCK_COUNT - 1),
  isBuy: fc.boolean(),
  size: fc.integer({ min: 2, max: 45 }),
});
const move = fc.integer({ min: -50, max: 50 });
const place = fc.nat(STOCK_COUNT - 1);
const action = fc.oneof(
  fc.record({
    kind: fc.constant('split' as const),
    ratio: fc.nat(SPLITS.length - 1),
    place,
  }),
  fc.record({ kind: fc.constant('dividend' as const), part: fc.constantFrom(1, 30), place }),
  fc.record({ kind: fc.constant('delisting' as const), part: fc.constantFrom(0, 50, 100), place }),
  fc.record({ kind: fc.constant('halt' as const), place }),
  fc.record({ kind: fc.constant('rename' as const), place }),
);

/** Stories of months: with closed days, every kind of order and corporate action, and coins beside stocks. */
export const rareStories = (least: number, most: number): fc.Arbitrary<readonly RareStep[]> =>
  fc.array(
    fc.record({
      moves: fc.array(move, { minLength: NAMES.length, maxLength: NAMES.length }),
      commands: fc.array(fc.option(command, { freq: 2 }), { minLength: 2, maxLength: 2 }),
      action: fc.option(action, { freq: 2 }),
      hours: fc.constantFrom(2, 7, 48, 96, 144),
    }),
    { minLength: least, maxLength: most },
  );

/** A story that was played. */
export interface RarePlayed {
  readonly server: ComposedServer;
  readonly owner: string;
  readonly follower: string;
  /** One of stocks, one of coins. */
  readonly strategyIds: readonly [string, string];
  /** A bot of each. */
  readonly botIds: readonly [string, string];
  /** What each account began with. */
  readonly balance: string;
  /** A stock and a coin. */
  readonly benchmarks: readonly [string, string];
  readonly happenings: readonly Happening[];
  readonly begin: number;
}

const cents = (price: number): number => Math.max(0.01, Math.round(price * 100) / 100);

/** Plays a rare story on a server of its own, which the caller closes. */
export async function playRareStory(steps: readonly RareStep[]): Promise<RarePlayed> {
  const server = await composedServer({ clock: fixedClock(BEGIN) });
  const { ask, attempt, clock } = server;
  const { background } = server.application;
  const happenings: Happening[] = [];
  const prices = [...FIRST_PRICES];
  const gone = new Set<number>();
  let [halted, renames] = [-1, 0];

  const listed = await ask(
    'updateStocks',
    { stocks: COSTS.map((cost, at) => ({ stock_id: NAMES[at], ...cost })) },
    OPERATOR_TOKEN,
  );
  const stockIds = listed.map(({ stock_id }) => stock_id);
  const idOf = (at: number): string => stockIds[at] ?? '';

  const quote = async (at: number): Promise<void> => {
    if (gone.has(at)) return;
    const bid = cents(prices[at] ?? 0);
    const asked = cents(bid * 1.0005 + 0.01);
    await server.quotes({ [idOf(at)]: [bid, asked] });
    happenings.push({
      ...{ at: clock.now(), kind: 'quote', stockId: idOf(at) },
      ...{ bid: String(bid), ask: String(asked) },
    });
  };
  const quoteAll = async (): Promise<void> => {
    for (const at of NAMES.keys()) {
      clock.advance(1);
      await quote(at);
    }
  };
  const rest = async (): Promise<void> => {
    for (let round = 0; round < 3; round += 1) {
      clock.advance(1);
      await background.tick();
      happenings.push({ at: clock.now(), kind: 'sample' });
      await background.runBots();
    }
  };

  const trade = async (strategy_id: string, given: Command, ofCoins: boolean, token: string) => {
    const at = ofCoins ? STOCK_COUNT + (given.place % 2) : given.place;
    const other = ofCoins ? STOCK_COUNT + ((given.place + 1) % 2) : (at + 1) % STOCK_COUNT;
    const price = cents(prices[at] ?? 0);
    const size = given.size / 100;
    const [action, side] = given.isBuy ? (['buy', 1] as const) : (['sell', -1] as const);
    const amount = (size / price).toFixed(12);
    const near = (by: number): number => cents(price * (1 + by * side));
    const order = { strategy_id, stock_id: idOf(at), action };
    const send = async (name: OperationName, fields: object): Promise<string | undefined> => {
      clock.advance(1);
      const { body } = await attempt(name, { ...fields }, token);
      return (body?.response as { readonly order_id?: string } | undefined)?.order_id;
    };
    switch (given.kind) {
      case 'amount':
        return void (await send('newOrder', { ...order, amount }));
      case 'total':
        return void (await send('newOrder', { ...order, total: `${size}` }));
      case 'limit':
        return void (await send('newOrder', {
          ...order,
          type: 'limit',
          amount,
          price: near(-0.01),
        }));
      case 'stop':
        return void (await send('newOrder', {
          ...{ ...order, type: 'stop_market', amount, stop_price: near(0.01) },
        }));
      case 'stopLimit':
        return void (await send('newOrder', {
          ...{ ...order, type: 'stop_limit', total: `${size}` },
          ...{ stop_price: near(0.01), price: near(0.02) },
        }));
      case 'oco':
        return void (await send('newOrder', {
          ...{ ...order, type: 'oco', amount, price: near(-0.02), stop_price: near(0.02) },
        }));
      case 'bracket': {
        const entry = await send('newOrder', { ...order, amount });
        if (entry === undefined) return;
        await send('newOrder', {
          ...{ ...order, action: given.isBuy ? 'sell' : 'buy', type: 'oco', amount },
          ...{ price: near(0.03), stop_price: near(-0.03), order_dependencies: [entry] },
        });
        return;
      }
      case 'target':
        return void (await send('newOrderAllocations', {
          strategy_id,
          allocations: [
            { stock_id: idOf(at), percent: size * side },
            { stock_id: idOf(other), percent: size / 2 },
          ],
        }));
      case 'alert':
        return void (await send('newOrderWebhook', { ...order, leverage: size, pyramiding: 2 }));
      case 'flat':
        return void (await send('newOrderAllocations', { strategy_id, allocations: [] }));
    }
  };

  const act = async (given: Action & { readonly place: number }): Promise<void> => {
    const { place: at } = given;
    const stock_id = idOf(at);
    if (gone.has(at)) return;
    clock.advance(1);
    const update = (fields: object) =>
      ask('updateStocks', { stocks: [{ stock_id, ...fields }] }, OPERATOR_TOKEN);
    if (given.kind === 'split') {
      const [more, less] = SPLITS[given.ratio] ?? [1, 1];
      const shares = { new_shares: more, old_shares: less };
      const [newShares, oldShares] = [String(more), String(less)];
      await ask('newStockAction', { stock_id, kind: 'split', ...shares }, OPERATOR_TOKEN);
      const figures = { stockId: stock_id, newShares, oldShares };
      happenings.push({ at: clock.now(), kind: 'split', ...figures });
      prices[at] = ((prices[at] ?? 0) * less) / more;
      await quote(at);
    } else if (given.kind === 'dividend') {
      const amount = String(cents(((prices[at] ?? 0) * given.part) / 100));
      await ask('newStockAction', { stock_id, kind: 'cash_dividend', amount }, OPERATOR_TOKEN);
      happenings.push({ at: clock.now(), kind: 'dividend', stockId: stock_id, amount });
      // Not by all of it, so that the value changes and is a sample.
      prices[at] = (prices[at] ?? 0) - 0.9 * Number(amount);
      await quote(at);
    } else if (given.kind === 'delisting') {
      if (gone.size > 1) return;
      gone.add(at);
      const settle_price = String(cents(prices[at] ?? 0) * (given.part / 100));
      await update({ stock_status: 'delisted', settle_price });
      happenings.push({
        at: clock.now(),
        kind: 'delisting',
        stockId: stock_id,
        price: settle_price,
      });
    } else if (given.kind === 'halt') {
      if (halted >= 0 && !gone.has(halted))
        await ask(
          'updateStocks',
          { stocks: [{ stock_id: idOf(halted), stock_status: 'active' }] },
          OPERATOR_TOKEN,
        );
      halted = halted >= 0 ? -1 : at;
      if (halted >= 0) await update({ stock_status: 'halted' });
    } else {
      renames += 1;
      await update({ symbol: `NEW${renames}`, stock: `NEW${renames}` });
    }
  };

  await quoteAll();
  const [owner, follower] = [await server.user('owner'), await server.user('follower')];
  const made = async (type: 'stock' | 'cryptocurrency'): Promise<string> => {
    const { strategy_id } = await ask('newStrategy', { type, name: type }, owner);
    await ask('newStrategySubscription', { strategy_id, input_value: 4000 }, follower);
    return strategy_id;
  };
  const botOf = async (type: string, strategy_id: string): Promise<string> => {
    const account = { account_id: type, credentials: { starting_balance: BALANCE } };
    const limits = { max_drawdown: '0.95' };
    const allocations = [{ strategy_id, percent: '1' }];
    const given = { type, broker: 'simulated', name: type, ...account, limits, allocations };
    const { bot_id } = await ask('newBot', given, follower);
    await ask('startBot', { bot_id }, follower);
    return bot_id;
  };
  const strategyIds = [await made('stock'), await made('cryptocurrency')] as const;
  const [stocks, coins] = strategyIds;
  let botIds = ['', ''] as readonly [string, string];
  await rest();

  for (const [number, step] of steps.entries()) {
    // Bots begin when there is something to buy.
    if (number === Math.floor(steps.length / 4))
      botIds = [await botOf('stock', stocks), await botOf('cryptocurrency', coins)];
    for (const [at, thousandths] of step.moves.entries())
      prices[at] = (prices[at] ?? 0) * (1 + thousandths / 1000);
    await quoteAll();
    for (const [at, given] of step.commands.entries())
      if (given) await trade(strategyIds[at] ?? '', given, at === 1, owner);
    await rest();
    if (step.action) await act(step.action);
    clock.advance(HOUR / 10);
    await quoteAll();
    await rest();
    const hours = step.hours * HOUR;
    const next = clock.now() + hours;
    clock.advance(step.hours < 24 ? hours : next - (next % DAY) + (BEGIN % DAY) - clock.now());
  }
  await quoteAll();
  await rest();
  const benchmarks = [idOf(STOCK_COUNT - 1), idOf(STOCK_COUNT)] as const;
  return {
    ...{ server, owner, follower, strategyIds, botIds },
    ...{ balance: BALANCE, benchmarks, happenings, begin: BEGIN },
  };
}
