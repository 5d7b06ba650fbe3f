import { describe, expect, it } from '@jest/globals';
import { instruments } from '@slipstream/adapter-market';
import { type Stock, decimal, id } from '@slipstream/domain';
import { coinbaseStream, krakenStream } from '@slipstream/stand-ins';
import { coinbase, kraken, liveMarket, streamSource } from '../src/index.js';
import { FRESH, steps } from './scene.js';

const quiet = () => undefined;

/** A coin of Coinbase, whose venues both trade it: Coinbase at 100, Kraken at 90. */
async function scene() {
  const { clock, timers, pass } = steps();
  const streams = {
    coinbase: coinbaseStream({ now: clock.now }),
    kraken: krakenStream({ now: clock.now }),
  };
  streams.coinbase.list('BTC-USD');
  streams.coinbase.quote('BTC-USD', { bid: '100', ask: '101' });
  streams.kraken.list('BTC/USD');
  streams.kraken.quote('BTC/USD', { bid: '90', ask: '91' });
  timers.every(1_000, () => {
    streams.coinbase.heartbeat();
    streams.kraken.heartbeat();
  });
  const parts = {
    random: () => 0.5,
    log: { info: quiet, error: quiet, warn: quiet },
    maxSpread: { stock: decimal('0.02'), cryptocurrency: decimal('0.03') },
    freshFor: FRESH,
  };
  const sources = [
    streamSource(coinbase(), { ...parts, connect: streams.coinbase.connect }),
    streamSource(kraken(), { ...parts, connect: streams.kraken.connect }),
  ];
  const feed = liveMarket({ sources, clock, timers, notice: null });
  const found = instruments().find(({ symbol }) => symbol === 'BTCUSD');
  if (!found) throw new Error('no bitcoin');
  const coin: Stock = { ...found, exchange: 'COINBASE' };
  const said: string[] = [];
  const told: string[] = [];
  const lost: string[] = [];
  await feed.start([coin], [], {
    quotes: (some) => said.push(...some.map(({ bid }) => bid.toFixed())),
    lost: (some) => lost.push(...some),
    status: (_, status, reason) => told.push(`${status}: ${reason}`),
  });
  await pass(500);
  return { streams, feed, coin, said, told, lost, pass };
}

describe('a coin that moves to another venue', () => {
  it('is quoted by that venue alone', async () => {
    const { streams, feed, coin, said, lost, pass } = await scene();
    expect(said).toEqual(['100']);
    feed.add?.([{ ...coin, exchange: 'KRAKEN' }]);
    await pass(200);
    expect(lost).toEqual([coin.id]);
    streams.coinbase.quote('BTC-USD', { bid: '102', ask: '103' });
    await pass(35_000);
    streams.coinbase.quote('BTC-USD', { bid: '103', ask: '104' });
    await pass(35_000);
    expect(new Set(said.slice(1))).toEqual(new Set(['90']));
  });

  it('is halted no longer by a halt of the venue before', async () => {
    const { streams, feed, coin, told, pass } = await scene();
    streams.coinbase.state('BTC-USD', 'cancel_only');
    await pass(200);
    feed.add?.([{ ...coin, exchange: 'KRAKEN' }]);
    await pass(35_000);
    expect(told).toEqual(['halted: cancel_only', 'active: it is quoted by another name now']);
  });
});

describe('a coin that the venue halts and the operator gives another name', () => {
  it('trades by its new name', async () => {
    const { streams, feed, coin, told, said, pass } = await scene();
    streams.coinbase.list('NEW-USD');
    streams.coinbase.quote('NEW-USD', { bid: '50', ask: '51' });
    streams.coinbase.state('BTC-USD', 'delisted');
    await pass(200);
    feed.add?.([{ ...coin, stock: 'NEW', symbol: 'NEWUSD' }]);
    await pass(35_000);
    expect(told.at(-1)).toBe('active: it is quoted by another name now');
    expect(said.at(-1)).toBe('50');
  });

  it('stays halted when the venue knows it by the same name', async () => {
    const { streams, feed, coin, told, pass } = await scene();
    streams.coinbase.state('BTC-USD', 'cancel_only');
    await pass(200);
    feed.add?.([{ ...coin, symbol: 'BITCOIN' }]);
    await pass(35_000);
    expect(told).toEqual(['halted: cancel_only']);
  });
});

describe('two coins of one venue that are the same there', () => {
  it('are quoted and halted both, whether the second one was there at the start or came later', async () => {
    const { streams, feed, coin, said, told, pass } = await scene();
    feed.add?.([{ ...coin, id: id<'stock'>('xbt'), symbol: 'XBTUSD' }]);
    await pass(35_000);
    streams.coinbase.quote('BTC-USD', { bid: '102', ask: '103' });
    await pass(200);
    expect(said.slice(-2)).toEqual(['102', '102']);
    streams.coinbase.state('BTC-USD', 'cancel_only');
    await pass(200);
    expect(told).toEqual(['halted: cancel_only', 'halted: cancel_only']);
    feed.add?.([{ ...coin, id: id<'stock'>('btc'), symbol: 'BITCOIN' }]);
    expect(told).toHaveLength(3);
    feed.add?.([{ ...coin, exchange: 'KRAKEN' }]);
    streams.coinbase.state('BTC-USD', 'online');
    await pass(35_000);
    expect(told.slice(3)).toEqual([
      'active: it is quoted by another name now',
      'active: online',
      'active: online',
    ]);
  });
});
