import { describe, expect, it } from '@jest/globals';
import { type FillMarket, decimal, id } from '@slipstream/domain';
import { silentFeed } from '@slipstream/adapter-memory/testing';
import { DEFAULT_SETTINGS } from '../../src/index.js';
import { fixture } from '../fixture.js';

const tradeOn = async (market: FillMarket, sourceOf?: () => string) => {
  const marketFeed = { ...silentFeed(), ...(sourceOf && { sourceOf }) };
  const { app, ports, quote, strategy, user } = await fixture(
    { marketFeed },
    { ...DEFAULT_SETTINGS, market },
  );
  const owner = await user('owner');
  const strategyId = await strategy(owner);
  await quote('aapl', '99', '101');
  const quotedAt = ports.clock.now();
  ports.clock.advance(5_000);
  await app.newOrder(owner, {
    strategyId,
    stock: 'aapl',
    action: 'buy',
    pricing: { type: 'market' },
    size: { by: 'amount', amount: decimal('0.001') },
  });
  const [trade] = await app.getTrades(owner, { strategyId });
  const { entries } = await app.getTrackRecord(owner, { strategyId });
  return { trade, entries, quotedAt };
};

describe('every fill names its source (contract 8)', () => {
  it.each<FillMarket>(['demo', 'replay', 'push', 'live', 'unknown'])(
    'on a market of kind %s',
    async (market) => {
      const { trade, quotedAt } = await tradeOn(market);
      expect(trade).toMatchObject({
        market,
        quoteBid: decimal('99'),
        quoteAsk: decimal('101'),
        quoteAt: quotedAt,
      });
    },
  );

  it('with the feed that quotes the stock as its provider', async () => {
    const { trade } = await tradeOn('live', () => 'kraken');
    expect(trade).toMatchObject({ stockId: id('aapl'), provider: 'kraken' });
  });

  it('in the hashed body of its entry in the track record', async () => {
    const { entries, quotedAt } = await tradeOn('live', () => 'kraken');
    const [body] = entries.flatMap(({ kind, body }) => (kind === 'trade' ? [body] : []));
    expect(JSON.parse(body ?? '{}')).toMatchObject({
      format: 2,
      market: 'live',
      provider: 'kraken',
      quote_bid: '99',
      quote_ask: '101',
      quote_at: quotedAt,
    });
  });
});
