import { describe, expect, it } from '@jest/globals';
import { type Quote, type StockId, decimal, decimalText, isUsable } from '@slipstream/domain';
import { cryptoLots, demoMarket, instruments } from '../src/index.js';
import { floatOf } from '../src/demo/price-grid.js';
import { handTimers } from '@slipstream/port-contracts';
import { hearing } from './hearing.js';

const stocks = instruments();
const text = ({ stockId, bid, ask, last, at }: Quote): string =>
  [stockId, ...[bid, ask, last].map(decimalText), at].join(' ');

async function started(seed: string, resume: readonly Quote[] = [], chosen = stocks) {
  const timers = handTimers();
  const feed = demoMarket({ seed, clock: timers.clock, timers });
  const batches: (readonly Quote[])[] = [];
  await feed.start(
    chosen,
    resume,
    hearing((quotes) => batches.push(quotes)),
  );
  return { timers, feed, batches, latest: () => latestOf(batches.flat()) };
}

const latestOf = (quotes: readonly Quote[]): Map<StockId, Quote> =>
  new Map(quotes.map((quote) => [quote.stockId, quote]));

describe('the demo market', () => {
  it('reports that it is simulated and accepts no quotes', async () => {
    const { feed } = await started('a');
    expect(feed.notice).toMatch(/simulated/);
    expect(feed.acceptsQuotes).toBe(false);
  });

  it('quotes every instrument at once, and again at least every 10 seconds', async () => {
    const { batches, timers, latest } = await started('a');
    expect(latestOf(batches[0] ?? []).size).toBe(542);
    for (let tenSeconds = 1; tenSeconds <= 6; tenSeconds += 1) {
      timers.pass(10_000);
      const oldest = Math.min(...[...latest().values()].map((quote) => quote.at));
      expect(timers.clock.now() - oldest).toBeLessThanOrEqual(10_000);
    }
  });

  it('quotes the liquid ones on every beat', async () => {
    const { batches, timers } = await started('a');
    timers.pass(5_000);
    const beats = (stockId: string) =>
      batches.filter((batch) => batch.some((quote) => String(quote.stockId) === stockId)).length;
    expect(beats('spy.nysearca')).toBe(11);
    expect(beats('btcusd.coinbase')).toBe(11);
    expect(beats('mmm.nyse')).toBeLessThanOrEqual(3);
  });

  it('quotes usable prices on the grid: bid < ask, last between', async () => {
    const { batches, timers } = await started('a');
    timers.pass(60_000);
    const places = new Map(
      stocks.map((stock) => [
        stock.id,
        decimalText(cryptoLots.get(stock.symbol)?.priceStep ?? decimal('0.01')).length - 2,
      ]),
    );
    const wrong = batches
      .flat()
      .filter(
        (quote) =>
          !isUsable(quote) ||
          !quote.bid.lt(quote.ask) ||
          quote.last.lt(quote.bid) ||
          quote.last.gt(quote.ask) ||
          [quote.bid, quote.ask, quote.last].some(
            (price) => !price.round(places.get(quote.stockId) ?? 0).eq(price),
          ),
      );
    expect(wrong.map(text)).toEqual([]);
  });

  it('is the same with the same seed, and differs with another', async () => {
    const runs = await Promise.all(['a', 'a', 'b'].map((seed) => started(seed)));
    const [first, same, other] = runs.map(({ timers, batches }) => {
      timers.pass(20_000);
      return batches.flat().map(text);
    });
    expect(same).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('continues from stored quotes without a jump', async () => {
    const before = await started('a');
    before.timers.pass(600_000);
    const resume = [...before.latest().values()].map((quote) => ({
      ...quote,
      bid: quote.bid.times(decimal('3')),
      ask: quote.ask.times(decimal('3')),
      last: quote.last.times(decimal('3')),
    }));
    const { batches } = await started('b', resume);
    const first = latestOf(batches[0] ?? []);
    for (const { stockId, bid, ask } of resume) {
      const mid = (quote: { bid: Quote['bid']; ask: Quote['ask'] }) =>
        (floatOf(quote.bid) + floatOf(quote.ask)) / 2;
      const now = first.get(stockId);
      if (!now) throw new Error(`no quote of ${stockId}`);
      const half = (floatOf(now.ask) - floatOf(now.bid)) / 2;
      expect(Math.abs(mid(now) - mid({ bid, ask }))).toBeLessThanOrEqual(half + 1e-9);
    }
  });

  it.each([
    ['AAPL', 0.0145],
    ['BTCUSD', 0.0412],
  ])('moves %s by its recorded volatility of %d in a day of beats', async (symbol, volatility) => {
    const chosen = stocks.filter((stock) => stock.symbol === symbol);
    const timers = handTimers();
    const feed = demoMarket({ seed: 'a', clock: timers.clock, timers, interval: 60_000 });
    const logs: number[] = [];
    const heard = hearing((quotes) => {
      for (const { bid, ask } of quotes) logs.push(Math.log((floatOf(bid) + floatOf(ask)) / 2));
    });
    await feed.start(chosen, [], heard);
    const [days, beatsADay] = [5, 1_440];
    timers.pass(days * 86_400_000);
    const squares = logs.slice(1).map((log, index) => (log - (logs[index] ?? log)) ** 2);
    const daily = Math.sqrt(squares.reduce((total, square) => total + square, 0) / days);
    expect(logs).toHaveLength(days * beatsADay + 1);
    expect(Math.abs(daily / volatility - 1)).toBeLessThan(0.05);
  });

  it('does not depend on the other instruments', async () => {
    const [apple] = stocks.filter(({ symbol }) => symbol === 'AAPL');
    if (!apple) throw new Error('no AAPL');
    const alone = await started('a', [], [apple]);
    const among = await started('a');
    for (const { timers } of [alone, among]) timers.pass(5_000);
    const ofApple = among.batches.flat().filter((quote) => quote.stockId === apple.id);
    expect(alone.batches.flat().map(text)).toEqual(ofApple.map(text));
  });

  it('continues after a long pause of the host as after a short one', async () => {
    const { timers, batches } = await started('a');
    const [first] = batches;
    const beat = timers.clock.now();
    timers.sleep(30 * 86_400_000);
    const spy = (quotes: readonly Quote[] | undefined) =>
      quotes?.find((quote) => String(quote.stockId) === 'spy.nysearca');
    const [before, after] = [spy(first), spy(batches[1])];
    if (!before || !after) throw new Error('no quote of SPY');
    expect(after.at).toBe(beat + 30 * 86_400_000);
    expect(Math.abs(floatOf(after.bid) / floatOf(before.bid) - 1)).toBeLessThan(0.002);
  });

  it('sends nothing after it has stopped, and can be stopped twice', async () => {
    const { timers, feed, batches } = await started('a');
    await feed.stop();
    await feed.stop();
    const count = batches.length;
    timers.pass(60_000);
    expect(batches).toHaveLength(count);
  });

  it('quotes an unknown instrument', async () => {
    const [template] = stocks;
    if (!template) throw new Error('no instruments');
    const unknown = { ...template, id: 'x' as StockId, symbol: 'ZZZZ', sector: 'Shipping' };
    const { latest } = await started('a', [], [unknown]);
    expect([...latest().values()].every(isUsable)).toBe(true);
    expect(latest().size).toBe(1);
  });
});
