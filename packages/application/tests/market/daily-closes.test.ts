import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, dayOf, decimal, id } from '@slipstream/domain';
import { StorageUnavailable } from '@slipstream/ports';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { createApp } from '../app.js';
import { STOCKS, fixture } from '../fixture.js';

const operator = { kind: 'operator' } as const;
const aapl = id<'stock'>('aapl');

/** A strategy that is all AAPL from its first quote on: its returns are those of the stock, whatever the splits. */
async function world() {
  const made = await fixture();
  const owner = await made.user('owner');
  const strategyId = await made.strategy(owner);
  await made.quote('aapl', '100');
  await made.app.newOrderAllocations(owner, {
    strategyId,
    allocations: [{ stock: 'aapl', percent: decimal('1') }],
    slippage: decimal('0'),
  });
  let { app } = made;
  const quote = async (price: string) => {
    const figures = { bid: decimal(price), ask: decimal(price), last: decimal(price) };
    await app.newQuotes(operator, { quotes: [{ stock: 'aapl', ...figures }] });
  };
  return {
    ...made,
    quote,
    tick: () => app.tick(),
    split: (newShares: number, oldShares: number) =>
      app.newStockAction(operator, {
        stock: 'aapl',
        kind: 'split',
        ratio: { newShares: decimal(String(newShares)), oldShares: decimal(String(oldShares)) },
      }),
    /** Everything that is not stored is lost. */
    crash: async () => {
      app = await made.restart();
    },
    stored: () =>
      made.ports.unitOfWork.read(({ dailyCloses }) => dailyCloses.listAfter(aapl, -1, 100)),
    compared: () =>
      app.getStrategyStatistics(owner, { strategyId, benchmark: 'AAPL:NASDAQ', minN: 2 }),
  };
}

describe('daily closes', () => {
  it('are the last prices of days that are over', async () => {
    const { quote, tick, ports, stored } = await world();
    const first = dayOf(ports.clock.now());
    await quote('101');
    await tick();
    expect(await stored()).toEqual([]);
    ports.clock.advance(3 * DAY);
    await quote('103');
    await quote('104');
    await tick();
    const at = ports.clock.now() - 3 * DAY;
    expect(await stored()).toEqual([{ stockId: aapl, day: first, at, last: decimal('101') }]);
  });

  it('are stored with the quotes that replace them, also after storage was unavailable', async () => {
    const ports = memoryPorts();
    let isDown = false;
    const { unitOfWork } = ports;
    const app = createApp({
      ...ports,
      unitOfWork: {
        ...unitOfWork,
        read: (work) => unitOfWork.read(work),
        run: (work, options) =>
          isDown ? Promise.reject(new StorageUnavailable('full')) : unitOfWork.run(work, options),
      },
    });
    await app.importStocks(STOCKS);
    await app.start();
    const quote = (price: string) => {
      const figures = { bid: decimal(price), ask: decimal(price), last: decimal(price) };
      return app.newQuotes(operator, { quotes: [{ stock: 'aapl', ...figures }] });
    };
    await quote('101');
    ports.clock.advance(DAY);
    await quote('102');
    isDown = true;
    await expect(app.tick()).rejects.toThrow('full');
    isDown = false;
    await app.tick();
    const closes = await unitOfWork.read(({ dailyCloses }) => dailyCloses.listAfter(aapl, -1, 9));
    expect(closes.map(({ last }) => last.toFixed())).toEqual(['101']);
    expect(await unitOfWork.read(({ quotes }) => quotes.all())).toMatchObject([
      { last: decimal('102') },
    ]);
  });

  it('make a benchmark that returns what its only holder returns, over splits, silent days and crashes', async () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ price: fc.integer({ min: 95, max: 105 }) }) },
      { weight: 5, arbitrary: fc.record({ hours: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 1, arbitrary: fc.record({ split: fc.constantFrom([2, 1], [1, 3], [3, 2]) }) },
      { weight: 1, arbitrary: fc.constant({ crash: true }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { quote, tick, split, crash, compared, ports } = await world();
        let price = 100;
        const quoted = new Set([dayOf(ports.clock.now())]);
        await tick();
        for (const one of steps) {
          if ('price' in one) {
            price = Number(((price * one.price) / 100).toFixed(6));
            await quote(String(price));
            quoted.add(dayOf(ports.clock.now()));
          } else if ('hours' in one) ports.clock.advance(one.hours * HOUR);
          else if ('crash' in one) await crash();
          else {
            const [newShares = 1, oldShares = 1] = one.split;
            await split(newShares, oldShares);
            ports.clock.advance(1);
            price = Number(((price * oldShares) / newShares).toFixed(6));
            await quote(String(price));
            quoted.add(dayOf(ports.clock.now()));
          }
          // Values are sampled once a minute.
          ports.clock.advance(MINUTE);
          await tick();
        }
        ports.clock.advance(DAY);
        await tick();
        const { tracking, beta } = await compared();
        expect(tracking.n).toBe(quoted.size - 1);
        if (quoted.size > 2) expect(Math.abs(Number(tracking.value))).toBeLessThan(1e-5);
        if (beta.value !== null) expect(Number(beta.value)).toBeCloseTo(1, 4);
      }),
      { numRuns: 25 },
    );
  });

  it('of a day that ended with a split are in old shares, and the converted quote is none', async () => {
    const { split, quote, tick, crash, ports, stored, compared } = await world();
    await tick();
    ports.clock.advance(DAY);
    await quote('110');
    await tick();
    ports.clock.advance(HOUR);
    await split(2, 1);
    await crash();
    ports.clock.advance(DAY);
    await quote('66');
    await tick();
    expect((await stored()).map(({ last }) => last.toFixed())).toEqual(['100', '110']);
    ports.clock.advance(DAY);
    const { tracking, correlation } = await compared();
    expect(tracking).toMatchObject({ n: 2, value: '0' });
    expect(correlation.value).toBe('1');
  });

  it('that no quote follows count too', async () => {
    const { quote, tick, ports, compared } = await world();
    for (const price of ['110', '99', '120']) {
      ports.clock.advance(DAY);
      await quote(price);
      await tick();
    }
    ports.clock.advance(5 * DAY);
    const found = await compared();
    expect(found).toMatchObject({ benchmark: aapl, beta: { value: '1', n: 3 } });
  });
});
