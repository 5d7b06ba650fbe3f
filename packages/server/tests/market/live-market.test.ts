import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FixedClock, fixedClock } from '@slipstream/adapter-memory/testing';
import {
  type AlpacaData,
  type AlpacaStreamStandIn,
  type PublicStream,
  alpacaData,
  alpacaStreamStandIn,
  coinbaseStream,
  krakenStream,
  listen,
  listenForStreams,
} from '@slipstream/stand-ins';
import { type ComposedServer, IN_SESSION, composedServer } from '../helpers/composed-server.js';

/** Time of the server that moves by hand; sockets are heard meanwhile. */
function steps(clock: FixedClock) {
  const timers: { readonly interval: number; readonly run: () => void; due: number }[] = [];
  const every = (interval: number, run: () => void) => {
    const timer = { interval, run, due: clock.now() + interval };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer), 1);
  };
  const step = async (): Promise<void> => {
    clock.advance(100);
    for (const timer of [...timers]) {
      if (timer.due > clock.now()) continue;
      timer.due += timer.interval;
      timer.run();
    }
    // What the sockets of this machine carry takes real time.
    await new Promise((heard) => setTimeout(heard, 2));
  };
  const pass = async (milliseconds: number): Promise<void> => {
    for (const end = clock.now() + milliseconds; clock.now() < end;) await step();
  };
  /** Lets time pass until it is so, at most so long; answers how long it took. */
  const until = async (isSo: () => Promise<boolean>, most: number): Promise<number> => {
    const start = clock.now();
    while (!(await isSo())) {
      if (clock.now() - start > most) throw new Error(`not within ${most} ms`);
      await pass(500);
    }
    return clock.now() - start;
  };
  return { timers: { every }, pass, until };
}

describe('MARKET=live', () => {
  const clock = fixedClock(IN_SESSION);
  const { timers, pass, until } = steps(clock);
  let streams: Record<'coinbase' | 'kraken', PublicStream>;
  let stocks: AlpacaStreamStandIn;
  let snapshots: AlpacaData;
  let listening: readonly { readonly url: string; close(): Promise<void> }[];
  let server: ComposedServer;
  beforeEach(async () => {
    streams = { coinbase: coinbaseStream(clock), kraken: krakenStream(clock) };
    streams.coinbase.list('BTC-USD');
    streams.coinbase.quote('BTC-USD', { bid: '50000.01', ask: '50010' });
    streams.kraken.list('XMR/USD');
    streams.kraken.quote('XMR/USD', { bid: '100', ask: '101' });
    for (const stream of Object.values(streams)) timers.every(1_000, () => stream.heartbeat());
    listening = await Promise.all(Object.values(streams).map(listenForStreams));
    const [coinbase, kraken] = listening.map(({ url }) => url);
    const key = { now: clock.now, keyId: 'PKDATA', secretKey: 'secret of data' };
    snapshots = alpacaData(key);
    snapshots.quote('AAPL', { bid: '200', ask: '200.1' });
    const data = await listen(snapshots.venue);
    stocks = alpacaStreamStandIn(key);
    const stream = await listenForStreams(stocks);
    listening = [...listening, data, stream];
    server = await composedServer({
      clock,
      adapters: { timers },
      environment: {
        MARKET: 'live',
        COINBASE_STREAM_URL: coinbase ?? '',
        KRAKEN_STREAM_URL: kraken ?? '',
        ALPACA_DATA_KEY_ID: 'PKDATA',
        ALPACA_DATA_SECRET: 'secret of data',
        ALPACA_DATA_URL: data.url,
        ALPACA_STREAM_URL: stream.url,
      },
    });
  });
  afterEach(async () => {
    await server.close();
    for (const { close } of listening) await close();
  });

  const stockOf = async (name: string) => {
    const [stock] = await server.ask(
      'getStocks',
      { stock_id: [name] },
      await server.user('reader'),
    );
    return stock;
  };

  it('quotes coins of their exchanges, fills at them, and at none of a lost connection', async () => {
    await until(async () => (await stockOf('XMRUSD:KRAKEN'))?.bid === '100', 35_000);
    await until(async () => (await stockOf('BTCUSD:COINBASE'))?.bid === '50000.01', 35_000);
    expect((await stockOf('XMRUSD:KRAKEN'))?.provider).toBe('kraken');
    expect((await stockOf('BTCUSD:COINBASE'))?.provider).toBe('coinbase');
    await until(async () => (await stockOf('AAPL:NASDAQ'))?.bid === '200', 35_000);
    expect((await stockOf('AAPL:NASDAQ'))?.provider).toBe('alpaca');
    expect(await stockOf('IOTAUSD:BITFINEX')).toMatchObject({ bid: null, provider: 'slipstream' });

    const owner = await server.user('owner');
    const { strategy_id } = await server.ask(
      'newStrategy',
      { type: 'cryptocurrency', name: 'Coins' },
      owner,
    );
    const buy = () =>
      server.ask(
        'newOrder',
        {
          strategy_id,
          stock_id: 'XMRUSD:KRAKEN',
          action: 'buy',
          type: 'market',
          amount: '0.001',
        },
        owner,
      );
    const prices = async () =>
      (await server.ask('getTrades', { strategy_id }, owner)).map(({ price }) => price);
    await buy();
    expect(await prices()).toHaveLength(1);

    streams.kraken.refuse(true);
    streams.kraken.kill();
    await pass(11_000);
    streams.kraken.quote('XMR/USD', { bid: '110', ask: '111' });
    await buy();
    expect(await prices()).toHaveLength(1);
    expect((await server.call('GET', '/readyz')).text).toContain('quotes of kraken: not healthy');

    streams.kraken.refuse(false);
    expect(await until(async () => (await prices()).length === 2, 35_000)).toBeLessThanOrEqual(
      35_000,
    );
    expect(Number((await prices())[0])).toBeGreaterThan(110);
    expect((await server.call('GET', '/readyz')).text).toContain('quotes of kraken: healthy');
    const { text } = await server.call('GET', '/metrics');
    expect(text).toMatch(/slipstream_feed_reconnects_total\{source="kraken"\} [1-9]/);
    expect(text).toContain('slipstream_feed_healthy{source="coinbase"} 1');
  });

  it("takes over the halts of Alpaca's stream, and its quotes of a stock with an open order", async () => {
    await until(async () => (await stockOf('AAPL:NASDAQ'))?.bid === '200', 35_000);
    const owner = await server.user('owner');
    const { strategy_id } = await server.ask(
      'newStrategy',
      { type: 'stock', name: 'Stocks' },
      owner,
    );
    const limit = { action: 'buy', type: 'limit', price: '150', amount: '0.001' };
    await server.ask('newOrder', { strategy_id, stock_id: 'AAPL:NASDAQ', ...limit }, owner);
    await until(async () => stocks.subscribed().includes('AAPL'), 20_000);
    stocks.quote('AAPL', { bid: '201.5', ask: '201.6' });
    await until(async () => (await stockOf('AAPL:NASDAQ'))?.bid === '201.5', 4_000);
    stocks.status('AAPL', 'H', 'Trading Halt');
    await until(async () => (await stockOf('AAPL:NASDAQ'))?.stock_status === 'halted', 1_000);
    stocks.status('AAPL', 'T', 'Trading Resumption');
    await until(async () => (await stockOf('AAPL:NASDAQ'))?.stock_status === 'active', 1_000);
  });

  it('books an announced split at 04:00 New York, and streams nothing but the adjusted book', async () => {
    await until(async () => (await stockOf('AAPL:NASDAQ'))?.bid === '200', 35_000);
    const owner = await server.user('owner');
    const { strategy_id } = await server.ask(
      'newStrategy',
      { type: 'stock', name: 'Stocks' },
      owner,
    );
    const order = { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy', amount: '0.001' };
    await server.ask('newOrder', { ...order, type: 'market' }, owner);
    await server.ask('newOrder', { ...order, type: 'limit', price: '150' }, owner);
    const stream = await server.stream(owner);
    const [value] = await stream.subscribe(
      `wsStrategyValue:${strategy_id}`,
      `wsOrders:${strategy_id}`,
    );
    const before = await server.ask('getPositions', { strategy_id }, owner);
    const day = { ex_date: '2026-03-05', process_date: '2026-03-05' };
    const rates = { new_rate: 4, old_rate: 1 };
    snapshots.announce('forward_splits', { id: 'split-1', symbol: 'AAPL', ...rates, ...day });
    await pass(500);
    clock.advance(Date.parse('2026-03-05T08:59:00Z') - clock.now());
    await pass(5_000);
    const book = () => server.ask('getPositions', { strategy_id }, owner);
    expect((await book()).positions[0]?.amount).toBe('0.001');
    // While books are converted one by one no quote fits all of them, and none has a value.
    const isBooked = async () => {
      const { positions, strategy_value: worth } = await book();
      return positions[0]?.amount === '0.004' && worth !== null;
    };
    const waited = await until(isBooked, 62_000);
    expect(waited).toBeLessThanOrEqual(57_000);
    const after = await book();
    expect(after.strategy_value).toBe(before.strategy_value);
    const [open] = await server.ask('getOrders', { strategy_id }, owner);
    expect([open?.price, open?.amount]).toEqual(['37.5', '0.004']);
    const events = (await stream.settled()).filter(({ event }) => event !== 'snapshot' && event);
    expect(value?.data).toMatchObject({ strategy_value: before.strategy_value });
    expect(events.map(({ event }) => event)).toEqual(['adjusted']);
  });
});
