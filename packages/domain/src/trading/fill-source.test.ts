import { describe, expect, it } from '@jest/globals';
import { id } from '../ids.js';
import { decimal } from '../numbers/decimal.js';
import type { QuoteSource } from '../market/source.js';
import type { StockAction } from '../market/stock-action.js';
import { settleDelisted } from '../market/stock-action.js';
import { tradeBody } from '../performance/track-bodies.js';
import { START, aBook, aMarket, aStock, anOpenOrder, counting } from '../../tests/builders.js';
import { execute } from './execute.js';

const market = aMarket({ quotes: { AAA: ['99', '101'] }, now: START + 5 });
const live: QuoteSource = { market: 'live', provider: 'kraken' };

const tradeIn = (world: typeof market) => {
  const book = aBook({ openOrders: [anOpenOrder()] });
  const { changes } = execute(book, world, counting('n'));
  const filled = changes.find(({ kind }) => kind === 'filled');
  if (filled?.kind !== 'filled') throw new Error('the order did not fill');
  return filled.trade;
};

describe('the source of a fill (contract 8)', () => {
  it('is the kind of market, its provider and the quote that the order filled at', () => {
    const trade = tradeIn({ ...market, source: () => live });
    const quote = market.quote(id('AAA'));
    expect(trade).toMatchObject({
      market: 'live',
      provider: 'kraken',
      quoteBid: quote?.bid,
      quoteAsk: quote?.ask,
      quoteAt: quote?.at,
    });
  });

  it('is unknown when the host does not name its market', () => {
    expect(tradeIn(market)).toMatchObject({ market: 'unknown', provider: null });
  });

  it('has no quote when a delisting is settled', () => {
    const book = aBook({ positions: { AAA: '0.005' } });
    const action = { figure: decimal('7') } as StockAction;
    const world = { ...market, source: () => live };
    const { changes } = settleDelisted(book, action, aStock('AAA'), world, counting('n'));
    const filled = changes.find(({ kind }) => kind === 'filled');
    expect(filled).toMatchObject({
      trade: { market: 'live', provider: null, quoteBid: null, quoteAsk: null, quoteAt: null },
    });
  });

  it('is hashed: it stands in the body of the entry', () => {
    const trade = tradeIn({ ...market, source: () => live });
    expect(JSON.parse(tradeBody(trade))).toMatchObject({
      format: 2,
      market: 'live',
      provider: 'kraken',
      quote_bid: '99',
      quote_ask: '101',
      quote_at: market.quote(id('AAA'))?.at,
    });
  });
});
