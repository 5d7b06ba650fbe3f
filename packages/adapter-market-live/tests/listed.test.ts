import { describe, expect, it } from '@jest/globals';
import { instruments } from '@slipstream/adapter-market';
import { type StockId, decimal } from '@slipstream/domain';
import { coinbaseStream } from '@slipstream/stand-ins';
import { coinbase, streamSource } from '../src/index.js';
import { steps } from './scene.js';

const coins = instruments().filter(({ exchange }) => exchange === 'COINBASE');
const SYMBOLS = coins.map(({ stock }) => `${stock}-USD`);

/** Coinbase with these products of all that are asked for. */
async function quoted(listed: readonly string[], refusesUnknown: boolean) {
  const { clock, timers, pass } = steps();
  const stream = coinbaseStream({ now: clock.now, refusesUnknown });
  for (const symbol of listed) {
    stream.list(symbol);
    stream.quote(symbol, { bid: '100', ask: '101' });
  }
  timers.every(1_000, () => stream.heartbeat());
  const told: string[] = [];
  const quotes = new Set<StockId>();
  const source = streamSource(coinbase(), {
    connect: stream.connect,
    random: () => 0.5,
    log: {
      info: () => undefined,
      error: () => undefined,
      warn: (fields: object, text: string) => {
        const { symbols = [] } = fields as { symbols?: readonly string[] };
        told.push(text, ...symbols);
      },
    },
    maxSpread: { stock: decimal('0.02'), cryptocurrency: decimal('0.03') },
    freshFor: 60_000,
  });
  const listener = {
    quotes: (some: readonly { stockId: StockId }[]) => {
      for (const { stockId } of some) quotes.add(stockId);
    },
    lost: () => undefined,
    status: () => undefined,
  };
  source.start(coins, listener, clock.now);
  timers.every(100, () => source.beat());
  await pass(30_000);
  const names = coins.filter(({ id }) => quotes.has(id)).map(({ stock }) => `${stock}-USD`);
  return { names: names.toSorted(), told, connected: stream.connected(), stream };
}

const MISSING = 'the market does not list these: no quotes';

/** Coinbase tells the states of the products that are named; what it does of one that it does not know is not documented. */
describe.each([
  ['leaves out what it does not know', false],
  ['refuses a request with what it does not know', true],
])('Coinbase %s', (_, refusesUnknown) => {
  it.each([
    ['none', []],
    ['one', ['EOS-USD']],
    ['some', ['EOS-USD', 'MKR-USD', 'MATIC-USD', 'BTC-USD', 'ZEC-USD']],
    ['half of them', SYMBOLS.filter((__, index) => index % 2 === 0)],
  ])('and quotes all others of its coins: unknown are %s', async (__, unknown) => {
    const known = SYMBOLS.filter((symbol) => !unknown.includes(symbol));
    const { names, told, connected } = await quoted(known, refusesUnknown);
    expect([names, connected]).toEqual([known.toSorted(), 1]);
    const missing = unknown.length > 0 ? [MISSING, ...unknown] : [];
    expect(told.toSorted()).toEqual(missing.toSorted());
  });
});

it('Coinbase answers for no product that is not named', async () => {
  const { stream } = await quoted(SYMBOLS, true);
  const heard: string[] = [];
  const connection = stream.connect('', {
    opened: () => connection.send(JSON.stringify({ type: 'subscribe', channel: 'status' })),
    message: (text) => void heard.push(text),
    closed: () => undefined,
  });
  await new Promise(setImmediate);
  expect(heard[0]).toContain('"products":[]');
});
