import { setImmediate } from 'node:timers/promises';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { DAY, HOUR, MINUTE, decimal, decimalText, divide } from '@slipstream/domain';
import type { OperationName } from '@slipstream/wire';
import fc from 'fast-check';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import type { Happening } from './ledger.js';

/** A Tuesday, 11:00 in New York. */
const BEGIN = Date.parse('2026-04-07T15:00:00.000Z');
/** What an order costs besides the spread, by stock: one has a fee, one a large slippage. */
const COSTS = [{ fee: '0' }, { fee: '0.001' }, { fee: '0', slippage: '0.002' }] as const;
/** The stocks of a story, by number. */
export const STOCKS = ['AAPL:NASDAQ', 'IBM:NYSE', 'MSFT:NASDAQ'] as const;
const FIRST_PRICES = [200, 100, 400];
const SPREAD = 0.02;

interface Command {
  readonly kind: 'amount' | 'total' | 'limit' | 'stop' | 'target' | 'alert' | 'flat';
  readonly stock: number;
  readonly isBuy: boolean;
  /** Hundredths of the value. */
  readonly size: number;
}

/** A part of a story: prices move, one of two strategies trades, and time goes by. */
export interface Step {
  /** Thousandths. */
  readonly moves: readonly number[];
  readonly commands: readonly (Command | null)[];
  readonly action: 'split' | 'dividend' | null;
  readonly isDay: boolean;
}

const command: fc.Arbitrary<Command> = fc.record({
  kind: fc.constantFrom('amount', 'total', 'limit', 'stop', 'target', 'target', 'alert', 'flat'),
  stock: fc.nat(STOCKS.length - 1),
  isBuy: fc.boolean(),
  size: fc.integer({ min: 2, max: 45 }),
});
const move = fc.integer({ min: -40, max: 40 });

/** Stories of two strategies, of so many steps. */
export const storiesOf = (least: number, most: number): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      moves: fc.tuple(move, move, move),
      commands: fc.array(fc.option(command), { minLength: 2, maxLength: 2 }),
      action: fc.oneof(
        { weight: 8, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom('split', 'dividend') },
      ),
      isDay: fc.boolean(),
    }),
    { minLength: least, maxLength: most },
  );

/** Stories of a week or two: long enough for every figure. */
export const stories = storiesOf(10, 14).map((steps) =>
  steps.map((step, at) => (at % 3 === 0 ? { ...step, isDay: true } : step)),
);

/** What is otherwise in a story, and changes no figure of its strategies. */
export interface Variation {
  /** All prices are multiplied by it, and all amounts of orders divided. */
  readonly scale?: string;
  readonly weeks?: number;
  /** The stocks in another order: each has the prices and costs of its place. */
  readonly stocks?: readonly string[];
  /** Somebody came before, and trades and is quoted beside. */
  readonly hasOthers?: boolean;
  /** The follower reads everything at each step, and has a stream. */
  readonly isWatched?: boolean;
  readonly isQuotedTwice?: boolean;
  /** Each command is sent again under its Idempotency-Key. */
  readonly isSentTwice?: boolean;
}

/** A story that was played, with everything that the figures follow from. */
export interface Played {
  readonly server: ComposedServer;
  readonly owner: string;
  readonly follower: string;
  readonly strategyIds: readonly string[];
  readonly botIds: readonly string[];
  readonly happenings: readonly Happening[];
  /** By their place. */
  readonly stockIds: readonly string[];
  readonly begin: number;
  readonly scale: string;
  /** Lets the server do all that is due: samples, checks of bots, ranks. */
  readonly rest: () => Promise<void>;
}

const cents = (price: number): number => Math.round(price * 100) / 100;

const SOME_TURNS = 50;
const WEEK = 7 * DAY;
/** A stock that nobody holds who is looked at. */
const BESIDE = 'GOOG:NASDAQ';

/** Plays the story on a server of its own, which the caller closes. Each thing happens at a moment of its own. */
export async function playStory(
  steps: readonly Step[],
  variation: Variation = {},
): Promise<Played> {
  const { scale = '1', stocks: names = STOCKS } = variation;
  const begin = BEGIN + (variation.weeks ?? 0) * WEEK;
  const server = await composedServer({ clock: fixedClock(begin) });
  const { ask, call, clock } = server;
  const { background } = server.application;
  const happenings: Happening[] = [];
  const stockIds: string[] = [];
  const prices = [...FIRST_PRICES];

  const priced = (price: number): string =>
    decimalText(decimal(`${cents(price)}`).times(decimal(scale)));

  const quote = async (stock: number): Promise<void> => {
    clock.advance(1);
    const price = cents(prices[stock] ?? 0);
    const [bid, asked] = [priced(price), priced(price + SPREAD)];
    for (let sent = 0; sent < (variation.isQuotedTwice ? 2 : 1); sent += 1)
      await server.quotes({ [names[stock] ?? '']: [Number(bid), Number(asked)] });
    happenings.push({
      at: clock.now(),
      kind: 'quote',
      stockId: stockIds[stock] ?? '',
      bid,
      ask: asked,
    });
  };
  const quoteAll = async (): Promise<void> => {
    for (const stock of STOCKS.keys()) await quote(stock);
    if (variation.hasOthers) await server.quotes({ [BESIDE]: 100 + (clock.now() % 7) });
  };
  const idle = await server.user('idle');
  /** Until what commits cause beside their answers is stored, as that a bot is due: each write comes after those before it. */
  const settled = async (): Promise<void> => {
    for (const notifications of [['subscription'], ['like']]) {
      for (let turn = 0; turn < SOME_TURNS; turn += 1) await setImmediate();
      await ask('updateUserNotifications', { notifications }, idle);
    }
  };
  const rest = async (): Promise<void> => {
    for (let round = 0; round < 3; round += 1) {
      await settled();
      clock.advance(1);
      await background.tick();
      happenings.push({ at: clock.now(), kind: 'sample' });
      await background.runBots();
    }
    await background.rankStrategies();
  };
  const costs = COSTS.map((cost, stock) => ({ stock_id: names[stock], ...cost }));
  const stocks = await ask('updateStocks', { stocks: costs }, OPERATOR_TOKEN);
  stockIds.push(...stocks.map(({ stock_id }) => stock_id));

  const trade = async (strategy_id: string, given: Command, token: string): Promise<void> => {
    const [bid, asked] = [
      cents(prices[given.stock] ?? 0),
      cents((prices[given.stock] ?? 0) + SPREAD),
    ];
    const stock_id = names[given.stock] ?? '';
    const size = given.size / 100;
    const [action, side] = given.isBuy ? ['buy', 1] : ['sell', -1];
    const amount = decimalText(divide(decimal((size / asked).toFixed(8)), decimal(scale)));
    const near = (by: number): string => priced((given.isBuy ? asked : bid) * (1 + by * side));
    const order = { strategy_id, stock_id, action };
    const asks: Readonly<Record<Command['kind'], readonly [OperationName, object]>> = {
      amount: ['newOrder', { ...order, amount }],
      total: ['newOrder', { ...order, total: `${size}` }],
      limit: ['newOrder', { ...order, type: 'limit', amount, price: near(-0.01) }],
      stop: ['newOrder', { ...order, type: 'stop_market', amount, stop_price: near(0.01) }],
      target: [
        'newOrderAllocations',
        {
          strategy_id,
          allocations: [
            { stock_id, percent: size * side },
            { stock_id: names[(given.stock + 1) % STOCKS.length], percent: size / 2 },
          ],
        },
      ],
      alert: ['newOrderWebhook', { ...order, leverage: size, pyramiding: 2 }],
      flat: ['newOrderAllocations', { strategy_id, allocations: [] }],
    };
    const [name, fields] = asks[given.kind];
    const isAlert = name === 'newOrderWebhook';
    const body = isAlert ? { ...fields, api_token: token } : fields;
    const headers = { 'idempotency-key': `${strategy_id} ${clock.now()}` };
    for (let sent = 0; sent < (variation.isSentTwice ? 2 : 1); sent += 1)
      await call('POST', `/${name}`, { body, headers, ...(!isAlert && { token }) });
  };

  const act = async (action: 'split' | 'dividend'): Promise<void> => {
    const [stock_id, stockId] = [names[0], stockIds[0] ?? ''];
    const amount = priced(0.5);
    clock.advance(1);
    const given =
      action === 'split'
        ? { stock_id, kind: 'split', new_shares: 3, old_shares: 2 }
        : { stock_id, kind: 'cash_dividend', amount };
    await ask('newStockAction', given, OPERATOR_TOKEN);
    if (action === 'split') {
      happenings.push({ at: clock.now(), kind: 'split', stockId, newShares: '3', oldShares: '2' });
      prices[0] = ((prices[0] ?? 0) * 2) / 3;
    } else happenings.push({ at: clock.now(), kind: 'dividend', stockId, amount });
    await quote(0);
  };

  await quoteAll();
  const other = variation.hasOthers ? await server.user('other') : undefined;
  const theirs = other && (await ask('newStrategy', { type: 'stock', name: 'Before' }, other));
  const [owner, follower] = [await server.user('owner'), await server.user('follower')];
  const strategyIds: string[] = [];
  for (const name of ['One', 'Other']) {
    const { strategy_id } = await ask('newStrategy', { type: 'stock', name }, owner);
    strategyIds.push(strategy_id);
    await ask('newStrategySubscription', { strategy_id, input_value: 4000 }, follower);
  }
  const botIds: string[] = [];
  for (const [name, percents] of Object.entries({ whole: ['1'], both: ['0.5', '0.7'] })) {
    const allocations = percents.map((percent, at) => ({ strategy_id: strategyIds[at], percent }));
    const { bot_id } = await ask(
      'newBot',
      {
        ...{ type: 'stock', broker: 'simulated', name, account_id: name, allocations },
        ...{ credentials: { starting_balance: '10000' }, limits: { max_drawdown: '0.9' } },
      },
      follower,
    );
    await ask('startBot', { bot_id }, follower);
    botIds.push(bot_id);
  }
  const stream = variation.isWatched ? await server.stream(follower) : undefined;
  for (const channel of ['wsPositions', 'wsOrders', 'wsStrategyValue'])
    await stream?.subscribe(...strategyIds.map((id) => `${channel}:${id}`));
  const watch = async (strategy_id: string): Promise<void> => {
    for (const name of ['getPositions', 'getStrategyStatistics', 'getStrategyHistory'] as const)
      await ask(name, { strategy_id }, follower);
    await ask('previewOrderAllocations', { strategy_id, allocations: [] }, owner);
    for (const bot_id of botIds) await ask('previewBot', { bot_id }, follower);
  };
  await rest();

  for (const { moves, commands, action, isDay } of steps) {
    for (const [stock, thousandths] of moves.entries())
      prices[stock] = (prices[stock] ?? 0) * (1 + thousandths / 1000);
    await quoteAll();
    for (const [at, given] of commands.entries()) {
      clock.advance(1);
      if (given) await trade(strategyIds[at] ?? '', given, owner);
      if (given && theirs && other) await trade(theirs.strategy_id, given, other);
    }
    if (stream) await watch(strategyIds[0] ?? '');
    await rest();
    if (action) await act(action);
    clock.advance(2 * MINUTE);
    await quoteAll();
    await rest();
    const sinceBegin = clock.now() - begin;
    // Each day begins at the same time, so that the exchanges are in session but for weekends.
    if (isDay || sinceBegin % DAY > 2 * HOUR) clock.advance(DAY - (sinceBegin % DAY));
    else clock.advance(10 * MINUTE);
  }
  await quoteAll();
  await rest();
  return {
    ...{ server, owner, follower, strategyIds, botIds, happenings },
    ...{ stockIds, begin, scale, rest },
  };
}
