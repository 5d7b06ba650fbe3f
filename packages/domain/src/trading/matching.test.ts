import { describe, expect, it } from '@jest/globals';
import {
  type Prices,
  START,
  aBook,
  aMarket,
  aQuote,
  aStock,
  amount,
  anOpenOrder,
  counting,
  holdings,
  ids,
  limit,
  oco,
  stopLimit,
  stopMarket,
  summarize,
  total,
} from '../../tests/builders.js';
import type { Book } from './book.js';
import { decimal } from '../numbers/decimal.js';
import { id } from '../ids.js';
import type { Market } from '../market/market.js';
import type { OpenOrder, Pricing } from './order.js';
import { execute } from './execute.js';
import { waitingReason } from './matching.js';

const order = (name: string, dependsOn: string[] = []) =>
  anOpenOrder({ id: id(name), dependsOn: ids(...dependsOn) });
const run = (book: Book, market: Market) => execute(book, market, counting('t'));
const waiting = (changes: Partial<OpenOrder> = {}, book = aBook()): Book => ({
  ...book,
  openOrders: [anOpenOrder(changes)],
});
const at100 = { quotes: { AAA: '100' } };

describe('an accepted order executes when nothing keeps it waiting', () => {
  it('fills as a whole, at once', () => {
    const { book, changes } = run(waiting(), aMarket(at100));
    expect(summarize(changes)).toEqual(['filled o1']);
    expect(holdings(book)).toEqual({ AAA: '0.001' });
    expect(book.openOrders).toEqual([]);
  });

  it('fills at a quote of the instant of the opening', () => {
    const { changes } = run(waiting(), aMarket({ ...at100, opensAt: START }));
    expect(summarize(changes)).toEqual(['filled o1']);
  });

  it('keeps the moment in which its stop was touched, also when it fills then', () => {
    const { changes } = run(waiting({ pricing: stopMarket('100') }), aMarket(at100));
    expect(changes.map(({ kind, order: { triggeredAt } }) => [kind, triggeredAt])).toEqual([
      ['filled', START],
    ]);
  });

  const halted = aStock('AAA', { status: 'halted' });
  const delisted = aStock('AAA', { status: 'delisted' });
  const aMarketJustOpened: Market = {
    ...aMarket({ ...at100, opensAt: START }),
    freshQuote: () => aQuote('AAA', '100', START - 1),
  };
  const aMarketSetBack: Market = {
    ...aMarket(at100),
    session: () => ({ opensAt: START - 1000, closesAt: START + 1 }),
    freshQuote: () => aQuote('AAA', '100', START + 1),
  };
  it.each<[string, Partial<OpenOrder>, Market, string]>([
    ['a prerequisite is open', { dependsOn: ids('x') }, aMarket(at100), 'dependency'],
    ['the exchange is closed', {}, aMarket({ ...at100, opensAt: null }), 'market_closed'],
    ['the stock is halted', {}, aMarket({ ...at100, stocks: [halted] }), 'market_closed'],
    ['the stock is delisted', {}, aMarket({ ...at100, stocks: [delisted] }), 'market_closed'],
    ['no quote came yet', {}, aMarket({}), 'quote'],
    ['the quote is stale', {}, aMarket({ ...at100, stale: ['AAA'] }), 'quote'],
    ['the quote is from before the opening', {}, aMarketJustOpened, 'quote'],
    [
      'the quote is from the closing, before which the clock was set back',
      {},
      aMarketSetBack,
      'quote',
    ],
    ['its stop is not touched', { pricing: stopMarket('101') }, aMarket(at100), 'price'],
    [
      'a prerequisite is open, before all else',
      { dependsOn: ids('x') },
      aMarket({ opensAt: null }),
      'dependency',
    ],
    ['the exchange is closed, before the quote', {}, aMarket({ opensAt: null }), 'market_closed'],
    ['there is no quote, before the price', { pricing: limit('1') }, aMarket({}), 'quote'],
  ])('waits while %s', (_, changes, market, reason) => {
    const before = waiting(changes);
    const { book, changes: done } = run(before, market);
    expect(done).toEqual([]);
    expect(book).toBe(before);
    expect(waitingReason(before.openOrders[0]!, market, before)).toBe(reason);
  });

  it.each<[string, Partial<OpenOrder>, string, Partial<OpenOrder>]>([
    ['a limit order rests', { pricing: limit('99') }, 'rested o1', { restingSince: START }],
    [
      'an OCO rests by its limit leg',
      { pricing: oco('110', '99') },
      'rested o1',
      { restingSince: START },
    ],
    [
      'a stop-limit keeps its trigger',
      { pricing: stopLimit('100', '99') },
      'triggered o1',
      { triggeredAt: START, restingSince: START },
    ],
  ])('%s: kept, and it waits for its price', (_, changes, line, kept) => {
    const { book, changes: done } = run(waiting(changes), aMarket(at100));
    expect(summarize(done)).toEqual([line]);
    expect(book.openOrders).toEqual([anOpenOrder({ ...changes, ...kept })]);
    expect(waitingReason(book.openOrders[0]!, aMarket(at100), book)).toBe('price');
  });

  it('changes nothing when a resting order goes on resting', () => {
    const resting = waiting({ pricing: limit('99'), restingSince: START - 1 });
    expect(run(resting, aMarket(at100))).toEqual({ book: resting, changes: [] });
  });
});

describe('the oldest that can execute goes first', () => {
  it.each<[string, OpenOrder[], string[]]>([
    ['in the order of acceptance', [order('a'), order('b')], ['filled a', 'filled b']],
    [
      'a released one before younger ones',
      [order('a'), order('b', ['a']), order('c')],
      ['filled a', 'released b', 'filled b', 'filled c'],
    ],
    [
      'a chain',
      [order('a'), order('b', ['a']), order('c', ['b'])],
      ['filled a', 'released b', 'filled b', 'released c', 'filled c'],
    ],
    [
      'one that waits for two',
      [order('a'), order('b'), order('c', ['a', 'b'])],
      ['filled a', 'released c', 'filled b', 'released c', 'filled c'],
    ],
    ['one whose prerequisite is not in this book', [order('a', ['x'])], []],
  ])('%s', (_, openOrders, lines) => {
    expect(summarize(run(aBook({ openOrders }), aMarket(at100)).changes)).toEqual(lines);
  });

  it('only of those that are due, and of what they release', () => {
    const book = aBook({ openOrders: [order('a'), order('b'), order('c', ['b'])] });
    const { changes } = execute(book, aMarket(at100), counting('t'), new Set(ids('b')));
    expect(summarize(changes)).toEqual(['filled b', 'released c', 'filled c']);
  });

  it('a rejected or cancelled prerequisite releases as a filled one does', () => {
    const tooLarge = anOpenOrder({ id: id('a'), size: amount('1') });
    const nothingToReduce = anOpenOrder({ id: id('b'), action: 'sell', reduceOnly: true });
    const book = aBook({ openOrders: [tooLarge, nothingToReduce, order('c', ['a', 'b'])] });
    expect(summarize(run(book, aMarket(at100)).changes)).toEqual([
      'cancelled b',
      'released c',
      'rejected a',
      'released c',
      'filled c',
    ]);
  });
});

describe('reduce_only', () => {
  const sell = { action: 'sell', size: amount('0.002'), reduceOnly: true } as const;
  it('is cut to the holding', () => {
    const { book, changes } = run(
      waiting(sell, aBook({ positions: { AAA: '0.001' } })),
      aMarket(at100),
    );
    expect(book.positions.size).toBe(0);
    expect(changes[0]?.order).toMatchObject({ filledAmount: decimal('0.001') });
  });
  it.each<[string, Record<string, string>]>([
    ['flat', {}],
    ['on the other side', { AAA: '-0.001' }],
  ])('is cancelled when %s', (_, positions) => {
    const { book, changes } = run(waiting(sell, aBook({ positions })), aMarket(at100));
    expect(summarize(changes)).toEqual(['cancelled o1']);
    expect(book.openOrders).toEqual([]);
  });
  it('needs no quote, no session and no price to be cancelled', () => {
    const resting = waiting({ ...sell, pricing: limit('101'), restingSince: START });
    const { changes } = run(resting, aMarket({ opensAt: null }));
    expect(changes[0]?.order).toMatchObject({ status: 'cancelled', reason: 'nothing_to_reduce' });
  });
  it('waits while its prerequisite may still open the holding', () => {
    const entry = anOpenOrder({ id: id('a'), pricing: limit('50') });
    const book = aBook({ openOrders: [entry, anOpenOrder({ ...sell, dependsOn: ids('a') })] });
    expect(summarize(run(book, aMarket(at100)).changes)).toEqual(['rested a']);
  });

  it('ends at its release when there is nothing to reduce, before other released orders trade', () => {
    const openOrders = [
      order('entry'),
      anOpenOrder({
        id: id('turn'),
        action: 'sell',
        size: amount('0.003'),
        dependsOn: ids('entry'),
      }),
      anOpenOrder({ ...sell, id: id('cover'), action: 'buy', dependsOn: ids('entry') }),
    ];
    expect(summarize(run(aBook({ openOrders }), aMarket(at100)).changes)).toEqual([
      'filled entry',
      'released turn',
      'released cover',
      'cancelled cover',
      'filled turn',
    ]);
  });

  describe('ends when the holding closes, before anything else is met', () => {
    const exit = (name: string, pricing: Pricing, changes: Partial<OpenOrder> = {}) =>
      anOpenOrder({ ...sell, id: id(name), pricing, ...changes });
    const long = { AAA: '0.001' };
    it('the other leg of a bracket, and its dependents are released', () => {
      const openOrders = [
        exit('stop', stopMarket('90')),
        order('after', ['stop']),
        exit('target', limit('100')),
      ];
      const { book, changes } = run(aBook({ positions: long, openOrders }), aMarket(at100));
      expect(summarize(changes)).toEqual([
        'filled target',
        'cancelled stop',
        'released after',
        'filled after',
      ]);
      expect(book.openOrders).toEqual([]);
    });
    it('not one of another stock, one that may go short, or one with a prerequisite', () => {
      const openOrders = [
        exit('other', stopMarket('90'), { stockId: id('BBB') }),
        exit('short', stopMarket('90'), { reduceOnly: false }),
        exit('later', stopMarket('90'), { dependsOn: ids('short') }),
        exit('close', limit('100')),
      ];
      const { changes } = run(
        aBook({ positions: { ...long, BBB: '1' }, openOrders }),
        aMarket(at100),
      );
      expect(summarize(changes)).toEqual(['filled close']);
    });
    it('one that crosses zero ends them too; one that leaves some does not', () => {
      const openOrders = [
        exit('stop', stopMarket('90')),
        anOpenOrder({ id: id('cross'), action: 'sell', size: amount('0.003') }),
      ];
      const book = aBook({ positions: long, openOrders });
      expect(summarize(run(book, aMarket(at100)).changes)).toEqual([
        'filled cross',
        'cancelled stop',
      ]);
      const larger = { ...book, positions: aBook({ positions: { AAA: '0.005' } }).positions };
      expect(summarize(run(larger, aMarket(at100)).changes)).toEqual(['filled cross']);
    });
    it('an older order that this releases is matched next', () => {
      const openOrders = [
        exit('stop', stopMarket('90')),
        order('released', ['stop']),
        exit('close', limit('100')),
        order('younger'),
      ];
      const { changes } = run(aBook({ positions: long, openOrders }), aMarket(at100));
      expect(summarize(changes).filter((line) => line.startsWith('filled'))).toEqual([
        'filled close',
        'filled released',
        'filled younger',
      ]);
    });
  });

  describe('ends when it is released with nothing to reduce, whatever an older order would open', () => {
    const short = anOpenOrder({ id: id('short'), action: 'sell', size: amount('0.002') });
    const cover = (...dependsOn: string[]) =>
      anOpenOrder({ ...sell, id: id('cover'), action: 'buy', dependsOn: ids(...dependsOn) });
    it('by a fill of the same quote', () => {
      const first = anOpenOrder({ id: id('first'), action: 'sell', size: amount('0.001') });
      const long = aBook({
        positions: { AAA: '0.002' },
        openOrders: [first, short, cover('first')],
      });
      const { book, changes } = run(long, aMarket(at100));
      expect(summarize(changes)).toEqual([
        'filled first',
        'released cover',
        'cancelled cover',
        'filled short',
      ]);
      expect(holdings(book)).toEqual({ AAA: '-0.001' });
    });
    it('together with the older one, and its dependents are released', () => {
      const openOrders = [short, cover(), order('after', ['cover'])];
      const { changes } = run(aBook({ openOrders }), aMarket(at100));
      expect(summarize(changes)).toEqual([
        'cancelled cover',
        'released after',
        'filled short',
        'filled after',
      ]);
    });
  });
});

describe('a total too small for one unit of the last place', () => {
  it('is rejected, because nothing can be traded', () => {
    const { changes } = run(
      waiting({ size: total('0.000000000000000001') }),
      aMarket({ quotes: { AAA: '3' } }),
    );
    expect(summarize(changes)).toEqual(['rejected o1']);
  });
});

const stocks = [aStock('AAA'), aStock('BBB')];

describe('the exposure limit at the fill: gross after it, against the value just before it', () => {
  const outcome = (changes: Partial<OpenOrder>, book: Book, market: Market) =>
    summarize(run(waiting(changes, book), market).changes);
  const fills = ['filled o1'];
  const rejected = ['rejected o1'];

  describe('2x for newOrder, 2.2x for planned orders', () => {
    it.each<[OpenOrder['origin'], OpenOrder['action'], string, string[]]>([
      ['order', 'buy', '0.02', fills],
      ['order', 'buy', '0.020000000000000001', rejected],
      ['order', 'sell', '0.02', fills],
      ['order', 'sell', '0.020000000000000001', rejected],
      ['plan', 'buy', '0.022', fills],
      ['plan', 'sell', '0.022', fills],
    ])('%s %s %s of a stock at 100, value 1', (origin, action, size, lines) => {
      expect(outcome({ origin, action, size: amount(size) }, aBook(), aMarket(at100))).toEqual(
        lines,
      );
    });
  });

  it.each<[string, OpenOrder['action'], string, string[]]>([
    ['a long counts at bid', 'buy', '0.025', fills],
    ['a long counts at bid', 'buy', '0.025000000000000001', rejected],
    ['a short counts at ask', 'sell', '0.02', fills],
    ['a short counts at ask', 'sell', '0.020000000000000001', rejected],
  ])('%s: %s %s', (_, action, size, lines) => {
    const market = aMarket({ quotes: { AAA: ['80', '100'] } });
    expect(outcome({ action, size: amount(size) }, aBook(), market)).toEqual(lines);
  });

  it.each<[string, string, string[]]>([
    ['fits beside them', '0.005', fills],
    ['does not', '0.005000000000000001', rejected],
  ])('the other holdings count: %s', (_, size, lines) => {
    const book = aBook({ cash: '2.5', positions: { BBB: '-1.5' } });
    const market = aMarket({ stocks, quotes: { AAA: '100', BBB: '1' } });
    expect(outcome({ size: amount(size) }, book, market)).toEqual(lines);
  });

  it('never cuts an order by newOrder; the reason has the figures', () => {
    const { book, changes } = run(waiting({ size: amount('1') }), aMarket(at100));
    expect(changes[0]?.order).toMatchObject({
      status: 'rejected',
      reason:
        'insufficient_buying_power: 1 would bring gross exposure to 100, more than 2; the largest that fits is 0.02',
    });
    expect(book.positions.size).toBe(0);
  });

  describe('a planned order above 2.2x is cut to 2x, and says so', () => {
    const planned = (
      action: OpenOrder['action'],
      size: string,
      book: Book,
      quotes: Record<string, Prices> = at100.quotes,
    ) => {
      const order = { origin: 'plan', action, size: amount(size) } as const;
      const { book: after, changes } = run(
        waiting(order, book),
        aMarket({ stocks, quotes: { BBB: '1', ...quotes } }),
      );
      return {
        held: holdings(after)['AAA'] ?? '0',
        lines: summarize(changes),
        order: changes[0]?.order,
      };
    };
    it.each<[string, OpenOrder['action'], string, Book, string]>([
      ['a long', 'buy', '0.022000000000000001', aBook(), '0.02'],
      ['a short', 'sell', '0.03', aBook(), '-0.02'],
      ['an increase', 'buy', '0.02', aBook({ cash: '0.5', positions: { AAA: '0.005' } }), '0.02'],
      ['a reversal', 'buy', '0.04', aBook({ cash: '2', positions: { AAA: '-0.01' } }), '0.02'],
      ['beside another holding', 'buy', '0.04', aBook({ positions: { BBB: '1' } }), '0.03'],
      [
        'a reversal beside too much closes',
        'buy',
        '0.04',
        aBook({ cash: '-2.5', positions: { AAA: '-0.01', BBB: '4.5' } }),
        '0',
      ],
      [
        'a reversal at a value of zero closes',
        'buy',
        '0.04',
        aBook({ cash: '1', positions: { AAA: '-0.01' } }),
        '0',
      ],
    ])('%s', (_, action, size, book, held) => {
      const outcome = planned(action, size, book);
      expect(outcome).toMatchObject({ held, lines: fills, order: { status: 'filled' } });
      expect(outcome.order).toMatchObject({ reason: expect.stringMatching(/^cut to 0\.\d+: /) });
    });
    it('at the price that values it: a long at bid', () => {
      expect(planned('buy', '0.03', aBook(), { AAA: ['80', '100'] }).held).toBe('0.025');
    });
    it.each<[string, Book]>([
      ['nothing of it fits', aBook({ cash: '-2', positions: { BBB: '3' } })],
      [
        'less than 0.0001 of the value fits',
        aBook({ cash: '-0.99995', positions: { BBB: '1.99995' } }),
      ],
      ['the value is not positive', aBook({ cash: '-1', positions: { BBB: '1' } })],
    ])('it is cancelled when %s', (_, book) => {
      expect(planned('buy', '0.04', book)).toMatchObject({
        held: '0',
        lines: ['cancelled o1'],
        order: { reason: expect.stringContaining('insufficient_buying_power: 0.04 would bring') },
      });
    });
  });

  describe('an order that reduces |amount| always fills', () => {
    const ruined = aBook({ cash: '-5', positions: { AAA: '0.03' } });
    it.each<[string, Partial<OpenOrder>, Book, string[]]>([
      [
        'far over the limit',
        { action: 'sell' },
        aBook({ cash: '-3', positions: { AAA: '0.05' } }),
        fills,
      ],
      ['with a negative value', { action: 'sell' }, ruined, fills],
      ['closing', { action: 'sell', size: amount('0.03') }, ruined, fills],
      ['across zero to a smaller size', { action: 'sell', size: amount('0.05') }, ruined, fills],
      [
        'not across zero to the same size',
        { action: 'sell', size: amount('0.06') },
        ruined,
        rejected,
      ],
      ['not when it adds', { action: 'buy' }, ruined, rejected],
      ['not in another stock', { action: 'sell', stockId: id('BBB') }, ruined, rejected],
    ])('%s', (_, changes, book, lines) => {
      const market = aMarket({ stocks, quotes: { AAA: '100', BBB: '100' } });
      expect(outcome(changes, book, market)).toEqual(lines);
    });

    it('without the quote of another holding', () => {
      const book = aBook({ positions: { AAA: '0.01', BBB: '1' } });
      expect(outcome({ action: 'sell' }, book, aMarket({ stocks, ...at100 }))).toEqual(fills);
    });
  });

  describe('a value of exactly zero can only close', () => {
    const broke = aBook({ cash: '-1', positions: { AAA: '0.01' } });
    it.each<[OpenOrder['action'], string[]]>([
      ['buy', rejected],
      ['sell', fills],
    ])('%s', (action, lines) => {
      expect(outcome({ action }, broke, aMarket(at100))).toEqual(lines);
    });
  });

  describe('while the value is unavailable, an increase waits', () => {
    const book = aBook({ positions: { BBB: '1' } });
    const unvalued = aMarket({ stocks, ...at100 });
    const valued = aMarket({ stocks, quotes: { AAA: '90', BBB: '1' } });

    it('with nothing lost', () => {
      const before = waiting({}, book);
      expect(run(before, unvalued).changes).toEqual([]);
      expect(waitingReason(before.openOrders[0]!, unvalued, before)).toBe('quote');
    });

    it.each([
      ['stop-market', stopMarket('100')],
      ['OCO', oco('100', '50')],
    ])('a %s order that fired meanwhile stays fired', (_, pricing) => {
      const fired = run(waiting({ pricing }, book), unvalued);
      expect(summarize(fired.changes)).toEqual(['triggered o1']);
      expect(waitingReason(fired.book.openOrders[0]!, unvalued, fired.book)).toBe('quote');
      expect(summarize(run(fired.book, valued).changes)).toEqual(['filled o1']);
    });
  });
});
