import { describe, expect, it } from '@jest/globals';
import { instruments } from '@slipstream/adapter-market';
import { type StockId, decimal } from '@slipstream/domain';
import { type CoinbaseStreamOptions, coinbaseStream } from '@slipstream/stand-ins';
import { type Connect, coinbase, streamSource } from '../src/index.js';
import { steps } from './scene.js';

const coins = instruments().filter(({ exchange }) => exchange === 'COINBASE');
const SYMBOLS = coins.map(({ stock }) => `${stock}-USD`);

/** Coinbase with these products of all that are asked for; it hears the requests that `hears`. */
async function quoted(
  listed: readonly string[],
  options: Omit<CoinbaseStreamOptions, 'now'>,
  hears: (request: string) => boolean = () => true,
) {
  const { clock, timers, pass } = steps();
  const stream = coinbaseStream({ now: clock.now, ...options });
  const connect: Connect = (url, events) => {
    const made = stream.connect(url, events);
    return { ...made, send: (text) => (hears(text) ? made.send(text) : undefined) };
  };
  for (const symbol of listed) {
    stream.list(symbol);
    stream.quote(symbol, { bid: '100', ask: '101' });
  }
  timers.every(1_000, () => stream.heartbeat());
  const told: string[] = [];
  const quotes = new Set<StockId>();
  const source = streamSource(coinbase(), {
    connect,
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
  ['leaves out what it does not know', {}],
  ['refuses a request with what it does not know', { refusesUnknown: true }],
  ['tells each state in a message of its own', { tellsStates: 'apart' }],
  ['does so, and refuses what it does not know', { refusesUnknown: true, tellsStates: 'apart' }],
  ['tells earlier states again amid the list', { refusesUnknown: true, tellsStates: 'again' }],
] as const)('Coinbase %s', (_, options) => {
  it.each([
    ['none', []],
    ['one', ['EOS-USD']],
    ['some', ['EOS-USD', 'MKR-USD', 'MATIC-USD', 'BTC-USD', 'ZEC-USD']],
    ['half of them', SYMBOLS.filter((__, index) => index % 2 === 0)],
  ])('and quotes all others of its coins: unknown are %s', async (__, unknown) => {
    const known = SYMBOLS.filter((symbol) => !unknown.includes(symbol));
    const { names, told, connected } = await quoted(known, options);
    expect([names, connected]).toEqual([known.toSorted(), 1]);
    const missing = unknown.length > 0 ? [MISSING, ...unknown] : [];
    expect(told.toSorted()).toEqual(missing.toSorted());
  });
});

it('Coinbase does not answer for a part of the list: what the other parts have is quoted', async () => {
  const unknown = 'EOS-USD';
  const isUnheard = (request: string) =>
    request.includes('"status"') && request.includes(unknown) && !request.includes('BTC-USD');
  const known = SYMBOLS.filter((symbol) => symbol !== unknown);
  const { names, connected } = await quoted(known, { refusesUnknown: true }, (request) => {
    return !isUnheard(request);
  });
  expect(connected).toBe(1);
  expect(names).toContain('BTC-USD');
  expect(names.length).toBeGreaterThan(SYMBOLS.length / 4);
});

it('Coinbase answers for no product that is not named', async () => {
  const { stream } = await quoted(SYMBOLS, { refusesUnknown: true });
  const heard: string[] = [];
  const connection = stream.connect('', {
    opened: () => connection.send(JSON.stringify({ type: 'subscribe', channel: 'status' })),
    message: (text) => void heard.push(text),
    closed: () => undefined,
  });
  await new Promise(setImmediate);
  expect(heard[0]).toContain('"products":[]');
});
