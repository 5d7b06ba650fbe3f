import { describe, expect, it } from '../testing.js';
import { type Stock, decimal, id } from '@slipstream/domain';
import { NOON, aQuote, aStock } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach } from '../storage/storage.js';

const everyField: Stock = {
  id: id('stock-1'),
  figiComposite: 'BBG000000001',
  symbol: 'BTCUSD',
  stock: 'BTC',
  name: 'Bitcoin',
  sector: '',
  security: 'cryptocurrency',
  exchange: 'KRAKEN',
  peg: 'USD',
  provider: 'demo',
  slippage: decimal('0.001'),
  fee: decimal('0.0025'),
  links: { website: 'https://bitcoin.example' },
  status: 'halted',
};

export const stocksContract = (open: OpenStorage): void => {
  describe('stocks', () => {
    const unitOfWork = emptyBeforeEach(open);

    it('gives back every field', async () => {
      await unitOfWork.run(({ stocks }) => stocks.save([everyField]));
      expect(await unitOfWork.read(({ stocks }) => stocks.all())).toEqual([everyField]);
    });

    it('adds or replaces by id, and answers all by id', async () => {
      await unitOfWork.run(({ stocks }) =>
        stocks.save([aStock({ id: id('b') }), aStock({ id: id('a') })]),
      );
      await unitOfWork.run(({ stocks }) => stocks.save([aStock({ id: id('b'), name: 'B' })]));
      expect(await unitOfWork.read(({ stocks }) => stocks.all())).toEqual([
        aStock({ id: id('a') }),
        aStock({ id: id('b'), name: 'B' }),
      ]);
    });
  });

  describe('quotes', () => {
    const unitOfWork = emptyBeforeEach(open);

    it('keeps the last one of each stock', async () => {
      const later = aQuote({
        stockId: id('b'),
        bid: decimal('0.000000000000000001'),
        ask: decimal('100000000000000000.25'),
        last: decimal('99.9'),
        at: NOON + 1,
      });
      await unitOfWork.run(({ quotes }) =>
        quotes.save([aQuote({ stockId: id('b') }), aQuote({ stockId: id('a') })]),
      );
      await unitOfWork.run(({ quotes }) => quotes.save([later]));
      await unitOfWork.run(({ quotes }) => quotes.save([]));
      expect(await unitOfWork.read(({ quotes }) => quotes.all())).toEqual([
        aQuote({ stockId: id('a') }),
        later,
      ]);
    });
  });
};
