import { setImmediate as hostPause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { decimal, id } from '@slipstream/domain';
import { aStock } from '@slipstream/port-contracts';
import fc from 'fast-check';
import { type Caller, DEFAULT_SETTINGS, LiveState } from '../../src/index.js';
import { createApp } from '../app.js';
import { QUOTES_AT_ONCE } from '../../src/market/quotes/quote-line.js';
import { text } from '../fixture.js';

const operator: Caller = { kind: 'operator' };
const anonymous: Caller = { kind: 'anonymous' };
const NAMES = ['aapl', 'msft', 'ibm'];
const STOCKS = NAMES.map((name) =>
  aStock({
    ...{ id: id<'stock'>(name), symbol: name.toUpperCase(), stock: name.toUpperCase() },
    ...{ exchange: 'NASDAQ', fee: decimal('0'), slippage: decimal('0') },
  }),
);

interface Tick {
  readonly stock: string;
  readonly price: string;
  /** Below the bid. */
  readonly ask?: string;
  readonly at?: number;
}

const quotesOf = (ticks: readonly Tick[]) => ({
  quotes: ticks.map(({ stock, price, ask = price, at }) => ({
    ...{ stock, bid: decimal(price), ask: decimal(ask), last: decimal(price), at },
  })),
});

/** A strategy with orders on both sides of 100, at 100; `meanwhile` happens at each pause, which truly lets others go first. */
async function scene(meanwhile: () => void = () => undefined) {
  const runs: number[] = [];
  let seen = 0;
  let isCounting = false;
  const ports = memoryPorts({
    pause: async () => {
      if (isCounting) rest();
      meanwhile();
      await hostPause();
    },
  });
  const settings = DEFAULT_SETTINGS;
  const live = new LiveState(ports.tradingHours, settings.quoteFreshFor);
  const rest = (): void => {
    runs.push(live.quotes.lastPlace - seen);
    seen = live.quotes.lastPlace;
  };
  const app = createApp(ports, settings, live);
  await app.importStocks(STOCKS);
  await app.start();
  const signIn = { email: 'owner@example.com', password: 'a long password' };
  await app.newUser(anonymous, signIn);
  const owner = await app.authenticate((await app.newSession(anonymous, signIn)).token);
  const { strategy } = await app.newStrategy(owner, { type: 'stock', name: 'A strategy' });
  const strategyId = strategy.id;
  await app.newQuotes(operator, quotesOf(NAMES.map((stock) => ({ stock, price: '100' }))));
  for (const [action, price] of [
    ...(['95', '90', '85'] as const).map((each) => ['buy', each] as const),
    ...(['105', '110', '115'] as const).map((each) => ['sell', each] as const),
  ])
    for (const stock of ['aapl', 'msft'])
      await app.newOrder(owner, {
        ...{ strategyId, stock, action, pricing: { type: 'limit', price: decimal(price) } },
        size: { by: 'amount', amount: decimal('0.001') },
      });
  const outcome = async () => ({
    trades: (await app.getTrades(owner, { strategyId })).map(
      ({ stockId, action, price, strategyValue }) =>
        [stockId, action, text(price), text(strategyValue)].join(' '),
    ),
    prices: (await app.getStocks(operator, { stocks: NAMES })).map(({ quote }) => text(quote?.bid)),
  });
  /** How many quotes were taken from one pause to the next while it was done. */
  const runsOf = async (work: () => Promise<unknown>): Promise<readonly number[]> => {
    [isCounting, seen] = [true, live.quotes.lastPlace];
    runs.length = 0;
    await work();
    rest();
    return runs;
  };
  return { app, ports, owner, strategyId, outcome, runsOf };
}

const START = memoryPorts().clock.now();
const aTick = fc.record(
  {
    stock: fc.constantFrom('aapl', 'msft', 'ibm', 'nobody'),
    price: fc.constantFrom('84', '90', '94', '100', '106', '112', '120'),
    ask: fc.constantFrom('1', '130'),
    at: fc.constantFrom(START - 5_000, START, START + 60_000),
  },
  { requiredKeys: ['stock', 'price'] },
);
/** Longer than what is taken at once: some ticks, again and again. */
const aLongList = fc
  .tuple(fc.array(aTick, { minLength: 1, maxLength: 12 }), fc.integer({ min: 201, max: 700 }))
  .map(([ticks, length]) =>
    Array.from({ length }, (_, index) => ticks[index % ticks.length] as Tick),
  );

describe('a long list of quotes', () => {
  it('lets other tasks run between its parts', async () => {
    const { app, runsOf } = await scene();
    const list = (length: number) =>
      quotesOf(
        Array.from({ length }, (_, index) => ({ stock: NAMES[index % 3] as string, price: '101' })),
      );
    const runs = await runsOf(() =>
      Promise.all([
        ...[1_000, 450, 30, 200].map((length) => app.newQuotes(operator, list(length))),
      ]),
    );
    expect(runs.reduce((sum, run) => sum + run, 0)).toBe(1_680);
    expect(Math.max(...runs)).toBe(QUOTES_AT_ONCE);
  });

  it('has the same answers and trades as its quotes one by one', async () => {
    await fc.assert(
      fc.asyncProperty(aLongList, async (ticks) => {
        const whole = await scene();
        const { rejected } = await whole.app.newQuotes(operator, quotesOf(ticks));
        const alone = await scene();
        const each: (typeof rejected)[number][] = [];
        for (const [index, tick] of ticks.entries()) {
          const answer = await alone.app.newQuotes(operator, quotesOf([tick]));
          for (const { reason } of answer.rejected) each.push({ index, reason });
        }
        expect(rejected).toEqual(each);
        expect(await whole.outcome()).toEqual(await alone.outcome());
      }),
      { numRuns: 12 },
    );
  });

  it('comes before a list that is received meanwhile', async () => {
    let later: Promise<unknown> | undefined;
    const { app, ports, outcome } = await scene(() => {
      ports.clock.advance(10);
      later ??= app.newQuotes(operator, quotesOf([{ stock: 'aapl', price: '84' }]));
    });
    const long = Array.from({ length: 500 }, () => ({ stock: 'aapl', price: '106' }));
    expect(await app.newQuotes(operator, quotesOf(long))).toEqual({ accepted: 500, rejected: [] });
    expect(await later).toEqual({ accepted: 1, rejected: [] });
    const { trades, prices } = await outcome();
    expect(prices[0]).toBe('84');
    expect(trades.at(-1)).toMatch(/^aapl sell 105 /u);
  });

  it('brings no price in old shares after a split of the stock that comes in between', async () => {
    let split: Promise<unknown> | undefined;
    const { app, outcome } = await scene(() => {
      const ratio = { newShares: decimal('2'), oldShares: decimal('1') };
      split ??= app.newStockAction(operator, { stock: 'aapl', kind: 'split', ratio });
    });
    const long = Array.from({ length: 500 }, () => ({ stock: 'aapl', price: '104' }));
    const { accepted, rejected } = await app.newQuotes(operator, quotesOf(long));
    await split;
    expect(accepted).toBe(QUOTES_AT_ONCE);
    expect(rejected[0]?.index).toBe(QUOTES_AT_ONCE);
    expect((await outcome()).prices[0]).toBe('52');
  });
});

describe('many stocks whose halts end at once', () => {
  it('let other tasks run before all their books are matched', async () => {
    const halted = Array.from({ length: 450 }, (_, index) =>
      aStock({
        id: id<'stock'>(`s${index}`),
        symbol: `S${index}`,
        stock: `S${index}`,
        status: 'halted',
      }),
    );
    let pauses = 0;
    const { app } = await scene(() => {
      pauses += 1;
    });
    await app.importStocks(halted);
    pauses = 0;
    const stocks = halted.map(({ id: stockId }) => ({ stockId, stockStatus: 'active' as const }));
    await app.updateStocks(operator, { stocks });
    expect(pauses).toBeGreaterThanOrEqual(4);
  });
});
