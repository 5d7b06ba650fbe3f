import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import type { App } from '../app.js';
import { fixture, text } from '../fixture.js';

const operator: Caller = { kind: 'operator' };
const NEW = { symbol: 'NEW', exchange: 'NASDAQ', security: 'stock', name: 'New' } as const;

type Change = Parameters<App['updateStocks']>[1]['stocks'][number];

/** Two changes of one stock, and what both make of it: its status and its fee. */
const PAIRS: readonly (readonly [Change, Change, readonly [status: string, fee: string]])[] = [
  [
    { stockId: 'aapl', stockStatus: 'halted' },
    { stockId: 'aapl', fee: decimal('0.01') },
    ['halted', '0.01'],
  ],
  [
    { stockId: 'aapl', stockStatus: 'delisted', settlePrice: decimal('1') },
    { stockId: 'aapl', fee: decimal('0.01') },
    ['delisted', '0.01'],
  ],
  [{ ...NEW, stockStatus: 'halted' }, { ...NEW, fee: decimal('0.01') }, ['halted', '0.01']],
];

const named = async (app: App, { stockId, symbol, exchange }: Change) => {
  const stocks = [stockId ?? `${symbol}:${exchange}`];
  const found = await app.getStocks(operator, { stocks });
  return found.map(({ stock }) => [stock.status, text(stock.fee)]);
};

describe('two changes of a stock that are sent at once', () => {
  it.each(
    PAIRS.flatMap(([one, other, both]) => [
      [one, other, both] as const,
      [other, one, both] as const,
    ]),
  )('both last, now and after a restart: %j, %j', async (first, second, both) => {
    const { app, restart } = await fixture();
    await Promise.all([first, second].map((one) => app.updateStocks(operator, { stocks: [one] })));
    expect(await named(app, first)).toEqual([both]);
    expect(await named(await restart(), first)).toEqual([both]);
  });

  it('the second is done although the first is refused', async () => {
    const { app } = await fixture();
    const [refused, halted] = await Promise.allSettled([
      app.updateStocks(operator, { stocks: [{ stockId: 'aapl', symbol: 'MSFT' }] }),
      app.updateStocks(operator, { stocks: [{ stockId: 'aapl', stockStatus: 'halted' }] }),
    ]);
    expect([refused.status, halted.status]).toEqual(['rejected', 'fulfilled']);
    expect(await named(app, { stockId: 'aapl' })).toEqual([['halted', '0']]);
  });
});
