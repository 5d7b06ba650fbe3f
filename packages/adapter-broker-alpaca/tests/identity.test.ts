import { describe, expect, it } from '@jest/globals';
import { type Stock, id } from '@slipstream/domain';
import { aStock } from '@slipstream/port-contracts';
import type { Instruments } from '@slipstream/ports';
import { stocksNamed } from '../src/identity.js';

const ACME = aStock({ stock: 'ACME', exchange: 'NASDAQ' });
const OTHER = aStock({ id: id('other'), stock: 'ACME', exchange: 'NYSE' });
const COIN = aStock({
  ...{ id: id('coin'), stock: 'BTC', exchange: 'COINBASE', security: 'cryptocurrency' },
});

/** Instruments that count how often one of them is read. */
function counted(stocks: readonly Stock[]) {
  let reads = 0;
  const list = stocks.map(
    (stock) =>
      new Proxy(stock, {
        get: (target, name) => {
          if (name === 'exchange') reads += 1;
          return Reflect.get(target, name) as unknown;
        },
      }),
  );
  const instruments: Instruments = { find: () => undefined, all: () => list };
  return { instruments, reads: () => reads };
}

const named = (instruments: Instruments, symbol: string, assetClass = 'us_equity') =>
  stocksNamed(instruments, { asset_class: assetClass, symbol }).map((stock) => stock.id);

describe("Alpaca's names", () => {
  it('mean all our stocks that may be meant, a coin with and without its slash', () => {
    const { instruments } = counted([ACME, OTHER, COIN]);
    expect(named(instruments, 'ACME')).toEqual([ACME.id, OTHER.id]);
    expect(named(instruments, 'BTC/USD', 'crypto')).toEqual([COIN.id]);
    expect(named(instruments, 'BTCUSD', 'crypto')).toEqual([COIN.id]);
    expect(named(instruments, 'ACME', 'crypto')).toEqual([]);
  });

  it('mean a stock that was listed meanwhile', () => {
    let list = [ACME];
    const instruments: Instruments = { find: () => undefined, all: () => list };
    expect(named(instruments, 'ACME')).toEqual([ACME.id]);
    list = [ACME, OTHER];
    expect(named(instruments, 'ACME')).toEqual([ACME.id, OTHER.id]);
  });

  it('are looked up without a walk over all instruments: hundreds of accounts ask for theirs at once', () => {
    const many = Array.from({ length: 500 }, (_, number) =>
      aStock({ id: id(`stock-${number}`), stock: `S${number}`, exchange: 'NASDAQ' }),
    );
    const { instruments, reads } = counted(many);
    named(instruments, 'S1');
    const first = reads();
    for (let account = 0; account < 100; account += 1) named(instruments, `S${account}`);
    expect(reads() - first).toBeLessThan(many.length);
  });
});
