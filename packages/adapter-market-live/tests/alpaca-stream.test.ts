import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { instruments } from '@slipstream/adapter-market';
import { type Quote, type StockId, decimal } from '@slipstream/domain';
import { alpacaData, alpacaStreamStandIn, fetchFrom } from '@slipstream/stand-ins';
import { alpacaSnapshots, liveMarket } from '../src/index.js';
import { steps } from './scene.js';

const KEY = { keyId: 'PKDATA', secret: 'canary-secret-of-data' };
const stocks = instruments().filter(({ security }) => security === 'stock');
const quiet = () => undefined;
const idOf = (symbol: string): StockId => {
  const found = stocks.find((stock) => stock.symbol === symbol);
  if (!found) throw new Error(`no ${symbol}`);
  return found.id;
};

/** AAPL and MSFT by snapshots and by the stream; AAPL is preferred. */
async function scene({ random = (): number => 0.5, secret = KEY.secret } = {}) {
  const { clock, timers, pass } = steps(Date.UTC(2026, 2, 4, 15), async () => {
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  });
  const data = alpacaData({ now: clock.now, keyId: KEY.keyId, secretKey: KEY.secret });
  const stream = alpacaStreamStandIn({ now: clock.now, keyId: KEY.keyId, secretKey: KEY.secret });
  timers.every(1_000, () => stream.heartbeat());
  const quote = (bid: string, symbol = 'AAPL') => {
    const prices = { bid, ask: `${Number(bid) + 0.1}` };
    data.quote(symbol, prices);
    stream.quote(symbol, prices);
  };
  data.quote('AAPL', { bid: '200', ask: '200.1' });
  data.quote('MSFT', { bid: '400', ask: '400.1' });
  const logged: string[] = [];
  const warn = (fields: object, text: string) =>
    void logged.push(`${JSON.stringify(fields)} ${text}`);
  const source = alpacaSnapshots({
    keyId: KEY.keyId,
    secret,
    feed: 'iex',
    stream: { connect: stream.connect },
    fetch: fetchFrom({ 'data.alpaca.markets': data.venue }),
    random,
    log: { info: quiet, error: quiet, warn },
    maxSpread: { stock: decimal('0.02'), cryptocurrency: decimal('0.03') },
    freshFor: 60_000,
  });
  const feed = liveMarket({ sources: [source], clock, timers, notice: null });
  const quotes: Quote[] = [];
  const lost: StockId[] = [];
  const told: string[] = [];
  await feed.start(stocks, [], {
    quotes: (some) => quotes.push(...some),
    lost: (some) => lost.push(...some),
    status: (stockId, status, reason) =>
      told.push(`${stocks.find(({ id }) => id === stockId)?.symbol ?? ''} ${status}: ${reason}`),
  });
  feed.prefer?.([idOf('AAPL')]);
  await pass(1_000);
  const bids = (symbol = 'AAPL') =>
    quotes.filter(({ stockId }) => stockId === idOf(symbol)).map(({ bid }) => bid.toFixed());
  const prefer = (...symbols: readonly string[]) => feed.prefer?.(symbols.map(idOf));
  return { bids, clock, data, feed, logged, lost, pass, prefer, quote, stream, told };
}

describe("Alpaca's stream beside its snapshots", () => {
  it('tells a preferred stock within a beat, the others by the next snapshot', async () => {
    const { quote, pass, bids, stream } = await scene();
    expect(stream.subscribed()).toEqual(['AAPL']);
    quote('201');
    quote('401', 'MSFT');
    await pass(200);
    expect([bids(), bids('MSFT')]).toEqual([['200', '201'], ['400']]);
    await pass(5_000);
    expect([bids(), bids('MSFT')]).toEqual([
      ['200', '201', '201'],
      ['400', '401'],
    ]);
  });

  it('subscribes at most the 30 that matter most, and changes them', async () => {
    const { prefer, pass, stream } = await scene();
    const symbols = stocks.map(({ symbol }) => symbol).slice(0, 45);
    prefer(...symbols);
    await pass(1_000);
    expect(stream.subscribed().toSorted()).toEqual(symbols.slice(0, 30).toSorted());
    prefer(...symbols.slice(10));
    await pass(1_000);
    expect(stream.subscribed().toSorted()).toEqual(symbols.slice(10, 40).toSorted());
    prefer('MSFT');
    await pass(1_000);
    expect(stream.subscribed()).toEqual(['MSFT']);
    expect(stream.connected()).toBe(1);
  });

  it('asks for fewer when the limit is lower: one too many, and none is subscribed', async () => {
    const { prefer, pass, stream, logged } = await scene();
    stream.limit(10);
    prefer(...stocks.slice(0, 30).map(({ symbol }) => symbol));
    await pass(1_000);
    expect(stream.subscribed()).toHaveLength(7);
    expect(logged.join()).toContain('takes fewer symbols');
  });

  it.each<[string, (made: Awaited<ReturnType<typeof scene>>, on: boolean) => void]>([
    ['killed', ({ stream }, on) => on && stream.kill()],
    ['refused', ({ stream }, on) => (stream.refuse(on), on && stream.kill())],
    ['silent', ({ stream }, on) => stream.silence(on)],
    [
      'a login that is not answered',
      ({ stream }, on) => (stream.hangLogin(on), on && stream.kill()),
    ],
    ['another connection', ({ stream }, on) => (stream.occupy(on), on && stream.kill())],
    [
      'slow',
      ({ stream }, on) => on && stream.say('[{"T":"error","code":407,"msg":"slow client"}]'),
    ],
  ])('%s: snapshots go on, and the stream is back within 35 s of the end', async (_, set) => {
    for (const chance of [0, 0.5, 0.999]) {
      const made = await scene({ random: () => chance });
      const { pass, quote, bids, stream, lost, feed } = made;
      set(made, true);
      for (const bid of ['201', '202', '203', '204']) {
        quote(bid);
        await pass(15_000);
      }
      expect(bids().at(-1)).toBe('204');
      set(made, false);
      await pass(35_000);
      expect(stream.subscribed()).toContain('AAPL');
      quote('205');
      await pass(200);
      expect(bids().at(-1)).toBe('205');
      expect(lost).not.toContain(idOf('AAPL'));
      await feed.stop();
    }
  });

  it('has a line of its own in the health of the sources: healthy while it tells halts', async () => {
    const { feed, stream, pass } = await scene();
    const health = () => feed.health().map(({ name, healthy }) => `${name} ${healthy}`);
    // Its quotes are those of the snapshots sooner: a line more makes no other feed.
    expect(feed.health().filter(({ isBeside }) => !isBeside)).toMatchObject([{ name: 'alpaca' }]);
    expect(health()).toEqual(['alpaca true', 'alpaca-stream true']);
    stream.silence(true);
    await pass(20_000);
    expect(health()).toEqual(['alpaca true', 'alpaca-stream false']);
    stream.silence(false);
    await pass(35_000);
    expect(health()).toEqual(['alpaca true', 'alpaca-stream true']);
    expect(feed.health()[1]?.reconnects).toBeGreaterThan(0);
    stream.denyStatuses();
    stream.kill();
    await pass(35_000);
    expect(health()).toEqual(['alpaca true', 'alpaca-stream false']);
  });

  it('nothing stands 11 s into an outage of both, and quotes are back within 35 s of its end', async () => {
    const { data, stream, pass, quote, bids, lost } = await scene();
    data.faults.add({ kind: 'silent_after', times: Infinity });
    stream.silence(true);
    await pass(16_000);
    expect(lost).toContain(idOf('AAPL'));
    const { length } = bids();
    await pass(120_000);
    expect(bids()).toHaveLength(length);
    data.faults.clear();
    stream.silence(false);
    quote('205');
    await pass(35_000);
    expect(bids().at(-1)).toBe('205');
  });

  it('out of order and duplicated: the newest quote stands', async () => {
    const { quote, pass, bids, stream, clock, feed } = await scene();
    quote('201');
    stream.repeat();
    stream.quote('AAPL', { bid: '190', ask: '190.1' }, clock.now() - 1_000);
    await pass(6_000);
    expect(new Set(bids())).toEqual(new Set(['200', '201']));
    expect(feed.health()[0]?.drops).toEqual({ disordered: 1 });
  });

  it.each([
    '',
    '<html>',
    '{"T":"q"}',
    '[{"T":"q","S":"AAPL"}]',
    '[{"T":"s","S":"AAPL","sc":"H","t":"x"}]',
    '[1]',
    '[null]',
  ])('garbage %j is counted and changes nothing', async (text) => {
    const { stream, pass, feed, bids, told } = await scene();
    stream.say(text);
    await pass(300);
    expect(feed.health()[0]?.drops).toEqual({ unreadable: 1 });
    expect([bids(), told]).toEqual([['200'], []]);
  });

  it('a quote of a symbol that is not subscribed is counted; other channels are not', async () => {
    const { stream, pass, feed } = await scene();
    stream.say('[{"T":"q","S":"MSFT","bp":1,"ap":2,"t":"2026-03-04T15:00:00Z"},{"T":"b","S":"X"}]');
    await pass(300);
    expect(feed.health()[0]?.drops).toEqual({ not_subscribed: 1 });
  });

  it('a wrong key: snapshots and stream are asked again without end; the log does not show it', async () => {
    const { pass, logged, stream } = await scene({ secret: 'canary-wrong-secret' });
    await pass(120_000);
    expect(stream.connected()).toBeGreaterThan(3);
    expect(logged.join()).toContain('402 auth failed');
    expect(logged.join()).not.toContain('canary');
  });

  it('goes on without statuses when the key has none', async () => {
    const { stream, pass, quote, bids, logged } = await scene();
    stream.denyStatuses();
    stream.kill();
    await pass(5_000);
    quote('201');
    await pass(200);
    expect(bids().at(-1)).toBe('201');
    expect(logged.join()).toContain('no halts');
  });
});

describe('a halt that the stream tells', () => {
  it.each([
    ['H', 'T'],
    ['P', 'T'],
    ['2', '3'],
  ])(
    '%s halts the stock, also one that is not preferred, while its snapshots go on; %s ends it',
    async (halt, end) => {
      const { stream, pass, quote, bids, told, lost } = await scene();
      stream.status('MSFT', halt, 'Halted');
      await pass(200);
      expect(told).toEqual(['MSFT halted: Halted: Volatility Trading Pause']);
      expect(lost).toEqual([idOf('MSFT')]);
      for (const bid of ['401', '402', '403']) {
        quote(bid, 'MSFT');
        await pass(5_000);
      }
      stream.status('MSFT', 'Q', 'Quotation resumption');
      await pass(10_000);
      expect([bids('MSFT'), told.length]).toEqual([['400'], 1]);
      stream.status('MSFT', end, 'Resumed');
      await pass(5_500);
      expect(told[1]).toContain('MSFT active');
      expect(bids('MSFT')).toEqual(['400', '403']);
    },
  );

  it('told again out of order changes nothing', async () => {
    const { stream, pass, told, feed } = await scene();
    stream.status('AAPL', 'H', 'Halted');
    await pass(1_000);
    stream.status('AAPL', 'T', 'Resumed');
    stream.repeat(1);
    await pass(200);
    expect(told.map((text) => text.split(':')[0])).toEqual(['AAPL halted', 'AAPL active']);
    expect(feed.health()[0]?.drops).toEqual({ disordered: 1 });
  });

  it('that is dated in the future ends by the next resumption', async () => {
    const { stream, pass, told, clock } = await scene();
    const t = new Date(clock.now() + 86_400_000).toISOString();
    stream.say(JSON.stringify([{ T: 's', S: 'AAPL', sc: 'H', sm: 'Halted', t, z: 'C' }]));
    await pass(1_000);
    stream.status('AAPL', 'T', 'Resumed');
    await pass(200);
    expect(told.map((text) => text.split(':')[0])).toEqual(['AAPL halted', 'AAPL active']);
  });

  it('ends with the name of its stock, and stands when only the exchange changes', async () => {
    const { stream, pass, told, feed } = await scene();
    for (const symbol of ['AAPL', 'MSFT']) stream.status(symbol, 'H', 'Halted');
    await pass(200);
    const changed = (symbol: string, changes: object) =>
      stocks.filter((stock) => stock.symbol === symbol).map((stock) => ({ ...stock, ...changes }));
    feed.add?.(changed('AAPL', { symbol: 'APPL', stock: 'APPL' }));
    feed.add?.(changed('MSFT', { exchange: 'NYSE' }));
    await pass(10_000);
    expect(told.slice(2)).toEqual(['AAPL active: it is quoted by another name now']);
    stream.status('MSFT', 'T', 'Resumed');
    await pass(200);
    expect(told[3]).toContain('MSFT active');
  });

  it('stands over an interruption, until a trade a minute after it proves its end', async () => {
    const { stream, pass, quote, told, clock, data } = await scene();
    stream.status('AAPL', 'H', 'Halted');
    await pass(200);
    const haltedAt = clock.now();
    stream.kill();
    await pass(20_000);
    quote('201');
    await pass(70_000);
    expect(told).toHaveLength(1);
    data.quote('AAPL', { bid: '202', ask: '202.1' }, haltedAt + 50_000);
    await pass(5_500);
    expect(told).toHaveLength(1);
    quote('203');
    await pass(5_500);
    expect(told.at(-1)).toBe('AAPL active: it traded since');
  });

  it('is not ended by a late trade while the stream was never interrupted', async () => {
    const { stream, pass, quote, told } = await scene();
    stream.status('AAPL', 'H', 'Halted');
    await pass(120_000);
    quote('201');
    await pass(10_000);
    expect(told).toEqual(['AAPL halted: Halted: Volatility Trading Pause']);
  });
});
