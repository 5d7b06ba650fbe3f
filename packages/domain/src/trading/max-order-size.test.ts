import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ULP,
  aBook,
  aCoin,
  aMarket,
  aRequest,
  aStock,
  amount,
  anOpenOrder,
  counting,
  ids,
  limit,
  oco,
  stopLimit,
  stopMarket,
  summarize,
  total,
} from '../../tests/builders.js';
import type { Book } from './book.js';
import { DEFAULT_SLIPPAGE } from './buffer.js';
import { submit } from './commands.js';
import type { IdentifiedRequest } from './order.js';
import { decimal, decimalText } from '../numbers/decimal.js';
import { prerequisitesOf } from './dependencies.js';
import { execute } from './execute.js';
import { id } from '../ids.js';
import type { Market } from '../market/market.js';
import { MAX_OPEN_ORDERS, asIfFilled, maxOrderSize, placeable } from './max-order-size.js';
import type { Action, Pricing } from './order.js';

/** How many times more than `npm test` asks for; `npm run verify` says 150. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

const stocks = [aStock('AAA'), aStock('BBB'), aStock('CCC')];
const market = aMarket({ stocks, quotes: { AAA: ['99', '100'], BBB: '10', CCC: '1' } });
const atMarket: Pricing = { type: 'market' };

describe('getMaxOrderSize: C = max(0, FinalBuyingPower - gross exposure in other stocks)', () => {
  const flat = aBook();
  const long = aBook({ cash: '0.01', positions: { AAA: '0.01' } });
  const short = aBook({ cash: '2', positions: { AAA: '-0.01' } });
  const beside = aBook({ cash: '-0.5', positions: { BBB: '0.15' } });
  const over = aBook({ cash: '-2', positions: { BBB: '0.2', AAA: '0.01' } });
  const ruined = aBook({ cash: '-3', positions: { AAA: '0.01' } });

  it.each<[string, Book, Action, Pricing, string, string, string, string]>([
    // slippage -> price, total, amount
    ['flat', flat, 'buy', atMarket, '0', '100', '2', '0.02'],
    ['flat', flat, 'sell', atMarket, '0', '99', '2', '0.02020202020202020202'],
    ['flat, with the reserve', flat, 'buy', atMarket, '0.002', '100', '1.992', '0.01992'],
    ['flat, at its own price', flat, 'buy', limit('50'), '0', '50', '2', '0.04'],
    ['flat, at its stop price', flat, 'buy', stopMarket('200'), '0', '200', '2', '0.01'],
    [
      'flat, a stop-limit at its price',
      flat,
      'buy',
      stopLimit('200', '250'),
      '0',
      '250',
      '2',
      '0.008',
    ],
    ['flat, an OCO at the larger', flat, 'buy', oco('125', '80'), '0', '125', '2', '0.016'],
    ['flat, an OCO sell at the larger', flat, 'sell', oco('80', '125'), '0', '125', '2', '0.016'],
    ['long: buying has what is left', long, 'buy', atMarket, '0', '100', '1', '0.01'],
    [
      'long: selling closes and goes short',
      long,
      'sell',
      atMarket,
      '0',
      '99',
      '2.99',
      '0.03020202020202020202',
    ],
    ['short: buying closes and goes long', short, 'buy', atMarket, '0', '100', '3', '0.03'],
    [
      'short: selling has what is left',
      short,
      'sell',
      atMarket,
      '0',
      '99',
      '1.01',
      '0.0102020202020202020202',
    ],
    ['beside another holding', beside, 'buy', atMarket, '0', '100', '0.5', '0.005'],
    ['beside too much: nothing more', over, 'buy', atMarket, '0', '100', '0', '0'],
    ['beside too much: it still closes', over, 'sell', limit('100'), '0', '100', '1', '0.01'],
    ['value not positive: nothing more', ruined, 'buy', atMarket, '0', '100', '0', '0'],
    ['value not positive: it still closes', ruined, 'sell', limit('100'), '0', '100', '1', '0.01'],
  ])('%s: %#', (_, book, action, pricing, slippage, price, cash, quantity) => {
    const largest = maxOrderSize(
      book,
      { stock: stocks[0]!, action, pricing, slippage: decimal(slippage) },
      market,
    );
    expect([largest.price, largest.total].map(decimalText)).toEqual([price, cash]);
    // amount = total / price, rounded down at 18 places
    expect(decimalText(largest.amount)).toBe(quantity.slice(0, quantity.indexOf('.') + 19));
  });

  it('reserves the fee of the stock', () => {
    const coin = aCoin('BTC');
    const coins = aMarket({ stocks: [coin], quotes: { BTC: '1' } });
    const largest = maxOrderSize(
      aBook(),
      { stock: coin, action: 'buy', pricing: atMarket, slippage: DEFAULT_SLIPPAGE },
      coins,
    );
    expect(decimalText(largest.total)).toBe('1.972');
  });

  it('is unavailable without a value', () => {
    const book = aBook({ positions: { DDD: '1' } });
    const attempt = () =>
      maxOrderSize(
        book,
        { stock: stocks[0]!, action: 'buy', pricing: limit('1'), slippage: decimal('0') },
        market,
      );
    expect(attempt).toThrow(expect.objectContaining({ code: 'value_unavailable' }));
  });
});

describe('the largest size is refused', () => {
  const asked = (of: { pricing?: Pricing; slippage?: string }) => () =>
    maxOrderSize(
      aBook(),
      {
        ...{ stock: stocks[0]!, action: 'buy', pricing: of.pricing ?? atMarket },
        slippage: decimal(of.slippage ?? '0'),
      },
      market,
    );
  it.each([
    ['at a price of nothing', asked({ pricing: limit('0') })],
    ['at a price below it', asked({ pricing: limit('-1') })],
    ['with a slippage below zero', asked({ slippage: '-0.001' })],
    ['with one above the most', asked({ slippage: '0.051' })],
  ])('%s', (_, act) => {
    expect(act).toThrow(expect.objectContaining({ code: 'invalid_field' }));
  });
});

describe('newOrder refuses invalid orders', () => {
  const place = (request: Partial<IdentifiedRequest>, book = aBook(), at: Market = market) => {
    try {
      placeable(book, aRequest(request), { type: 'stock', market: at });
      return 'placeable';
    } catch (refusal) {
      return (refusal as { code: string }).code;
    }
  };
  const tooMuch = 'insufficient_buying_power';

  it.each<[string, Partial<IdentifiedRequest>, string]>([
    ['an unknown stock', { stockId: id('ZZZ') }, 'not_found'],
    ['exactly the largest amount', { size: amount('0.01992') }, 'placeable'],
    ['a larger one', { size: amount('0.019920000000000001') }, tooMuch],
    ['exactly the largest total', { size: total('1.992') }, 'placeable'],
    ['a larger one', { size: total('1.992000000000000001') }, tooMuch],
    ['an OCO buy, limit below stop', { pricing: oco('101', '100') }, 'placeable'],
    ['an OCO buy, limit at stop', { pricing: oco('100', '100') }, 'invalid_field'],
    ['an OCO buy, limit above stop', { pricing: oco('100', '101') }, 'invalid_field'],
    ['an OCO sell, limit above stop', { action: 'sell', pricing: oco('100', '101') }, 'placeable'],
    ['an OCO sell, limit at stop', { action: 'sell', pricing: oco('100', '100') }, 'invalid_field'],
    [
      'an OCO sell, limit below stop',
      { action: 'sell', pricing: oco('101', '100') },
      'invalid_field',
    ],
    ['a prerequisite that is not open', { dependsOn: ids('x') }, 'not_found'],
    // An amount below zero would buy a holding short, and gain what each trade costs.
    ...[amount('0'), amount('-0.001'), total('0'), total('-0.1')].map(
      (size): [string, Partial<IdentifiedRequest>, string] => [
        'a size of nothing or less',
        { size },
        'invalid_field',
      ],
    ),
    ...[
      ...[limit('0'), limit('-1'), stopMarket('0'), stopMarket('-1'), stopLimit('0', '1')],
      ...[stopLimit('1', '-1'), oco('1', '0'), oco('1', '-1')],
    ].map((pricing): [string, Partial<IdentifiedRequest>, string] => [
      `a ${pricing.type} order at a price of nothing or less`,
      { pricing },
      'invalid_field',
    ]),
  ])('%s', (_, request, outcome) => {
    expect(place(request)).toBe(outcome);
  });

  it('a stock of the other type, a delisted one', () => {
    const coins = aMarket({ stocks: [aCoin('AAA')], quotes: { AAA: '1' } });
    expect(place({}, aBook(), coins)).toBe('invalid_field');
    const gone = aMarket({ stocks: [aStock('AAA', { status: 'delisted' })], quotes: { AAA: '1' } });
    expect(place({}, aBook(), gone)).toBe('stock_not_active');
  });

  describe('an order that only reduces needs no value and no quote', () => {
    const blind = aMarket({ stocks, opensAt: null });
    const held = aBook({ cash: '-5', positions: { AAA: '0.01', BBB: '-1' } });
    it.each<[string, Partial<IdentifiedRequest>, string]>([
      ['the whole holding', { action: 'sell', size: amount('0.01') }, 'placeable'],
      [
        'beyond the holding',
        { action: 'sell', size: amount('0.010000000000000001') },
        'value_unavailable',
      ],
      ['buying a short back', { stockId: id('BBB'), size: amount('1') }, 'placeable'],
      [
        'reduce_only of any size',
        { action: 'sell', size: amount('9'), reduceOnly: true },
        'placeable',
      ],
      ['reduce_only by total', { action: 'sell', size: total('9'), reduceOnly: true }, 'placeable'],
      ['a total that may be more', { action: 'sell', size: total('0.001') }, 'value_unavailable'],
      ['adding', { size: amount('0.001') }, 'value_unavailable'],
    ])('%s', (_, request, outcome) => {
      expect(place(request, held, blind)).toBe(outcome);
    });
    it('a market order that opens needs a quote', () => {
      expect(place({}, aBook(), blind)).toBe('quote_unavailable');
    });
  });

  describe('is sized as if its prerequisites had filled', () => {
    const full = aBook({ cash: '-1', positions: { BBB: '0.2' } });
    const selling = anOpenOrder({
      id: id('a'),
      stockId: id('BBB'),
      action: 'sell',
      size: amount('0.1'),
    });
    const buying = anOpenOrder({ id: id('b'), stockId: id('BBB'), size: amount('0.1') });
    it.each<[string, Book, string[], string, string]>([
      ['without them nothing fits', full, [], '0.000001', tooMuch],
      [
        'beside a sale its room fits',
        { ...full, openOrders: [selling] },
        ['a'],
        '0.00992',
        'placeable',
      ],
      [
        'no more than that',
        { ...full, openOrders: [selling] },
        ['a'],
        '0.009920000000000001',
        tooMuch,
      ],
      [
        'a sale named twice counts once',
        { ...full, openOrders: [selling] },
        ['a', 'a'],
        '0.009920000000000001',
        tooMuch,
      ],
      [
        'a purchase takes room',
        { ...aBook(), openOrders: [buying] },
        ['b'],
        '0.00992',
        'placeable',
      ],
      [
        'so that less fits',
        { ...aBook(), openOrders: [buying] },
        ['b'],
        '0.009920000000000001',
        tooMuch,
      ],
    ])('%s', (_, book, dependsOn, quantity, outcome) => {
      expect(place({ dependsOn: ids(...dependsOn), size: amount(quantity) }, book)).toBe(outcome);
    });

    it.each<[string, Pricing, string]>([
      // 0.1 BBB, worth 1, for 0.5 or 0.9: the value is 1.5 or 1.1, and AAA at 100 has 1.992 x value - 1.
      ['a limit at its price', limit('5'), '0.01988'],
      ['a stop-limit at its limit', stopLimit('15', '5'), '0.01988'],
      ['a stop at its price', stopMarket('9'), '0.011912'],
      ['an OCO at the larger', oco('9', '5'), '0.011912'],
    ])('at their own prices, whatever the quote says: %s', (_, pricing, most) => {
      const book = { ...aBook(), openOrders: [{ ...buying, pricing }] };
      const beyond = decimal(most).plus(ULP).toFixed();
      expect(place({ dependsOn: ids('b'), size: amount(most) }, book)).toBe('placeable');
      expect(place({ dependsOn: ids('b'), size: amount(beyond) }, book)).toBe(tooMuch);
    });

    it('including indirect ones: the room that the first one makes counts', () => {
      const second = anOpenOrder({
        id: id('b'),
        stockId: id('CCC'),
        size: amount('0.001'),
        dependsOn: ids('a'),
      });
      const book = { ...full, openOrders: [selling, second] };
      expect(place({ dependsOn: ids('b'), size: amount('0.0099') }, book)).toBe('placeable');
    });

    it('the holding that a prerequisite opens can be reduced', () => {
      const book = { ...aBook(), openOrders: [buying] };
      const request = {
        stockId: id<'stock'>('BBB'),
        action: 'sell',
        size: amount('0.1'),
        dependsOn: ids('b'),
      } as const;
      expect(place(request, book)).toBe('placeable');
    });
  });
});

describe('a chain of prerequisites', () => {
  const chain = (length: number): Book => ({
    ...aBook(),
    openOrders: Array.from({ length }, (_, at) =>
      anOpenOrder({
        id: id(`c${at}`),
        stockId: id('BBB'),
        size: amount('0.0001'),
        dependsOn: at === 0 ? [] : ids(`c${at - 1}`),
      }),
    ),
  });
  it('is walked once, however the orders depend on each other', () => {
    const steps = 2 * 100 + 1;
    // Each waits for all before it: 2^100 ways through.
    const dense = chain(100).openOrders.map((order, at, all) => {
      const before = all.slice(0, at).map((other) => other.id);
      return { ...order, dependsOn: before };
    });
    let asked = 0;
    const counting: Market = { ...market, stock: (name) => ((asked += 1), market.stock(name)) };
    const request = aRequest({ dependsOn: ids('c99') });
    placeable({ ...aBook(), openOrders: dense }, request, { type: 'stock', market: counting });
    expect(asked).toBeLessThan(steps);
  });
});

describe('sizing as if prerequisites had filled equals sizing after they have', () => {
  it('for any orders with any dependencies, each matched at its own price', () => {
    const entry = fc.record({
      stock: fc.constantFrom('AAA', 'BBB', 'CCC'),
      action: fc.constantFrom<Action>('buy', 'sell'),
      by: fc.constantFrom('amount', 'total'),
      worth: fc.integer({ min: 1, max: 300 }),
      type: fc.constantFrom('market', 'limit', 'stop_market', 'stop_limit', 'oco'),
      reduceOnly: fc.boolean(),
      waitsFor: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
    });
    const prices: Record<string, string> = { AAA: '100', BBB: '10', CCC: '1' };
    const flatMarket = aMarket({
      stocks: [stocks[0]!, aCoin('BBB', { slippage: decimal('0') }), stocks[2]!],
      quotes: prices,
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 6 }), (entries) => {
        const orders = entries.map((drawn, at) => {
          const price = prices[drawn.stock] ?? '1';
          const worth = decimal(`${drawn.worth}`).div(decimal('1000'));
          const far = decimal(price).times(decimal(drawn.action === 'buy' ? '1' : '0.5'));
          const pricings: Record<string, Pricing> = {
            market: atMarket,
            limit: limit(price),
            stop_market: stopMarket(price),
            stop_limit: stopLimit(price, price),
            oco:
              drawn.action === 'buy'
                ? oco(price, far.div(decimal('2')).toFixed())
                : oco(far.toFixed(), price),
          };
          return anOpenOrder({
            id: id(`o${at}`),
            stockId: id(drawn.stock),
            action: drawn.action,
            pricing: pricings[drawn.type]!,
            size:
              drawn.by === 'total'
                ? { by: 'total', total: worth }
                : { by: 'amount', amount: worth.div(decimal(price)) },
            reduceOnly: drawn.reduceOnly,
            dependsOn: [...new Set(drawn.waitsFor)]
              .filter((other) => other < at)
              .map((other) => id(`o${other}`)),
          });
        });
        const book = { ...aBook(), openOrders: orders };
        const last = orders.at(-1)!;
        const needed = prerequisitesOf(orders, [last.id]);
        const alone = { ...book, openOrders: needed };
        const { book: filled, changes } = execute(alone, flatMarket, counting('t'));
        // One that was rejected for its size, or had nothing to reduce when it was released, did not fill.
        fc.pre(changes.every(({ kind }) => kind !== 'rejected' && kind !== 'cancelled'));
        const assumed = asIfFilled(book, [last.id], flatMarket);
        const held = (of: Book) =>
          [...of.positions.values()]
            .map(({ stockId, amount: size }) => [stockId, decimalText(size)])
            .sort();
        expect(held(assumed)).toEqual(held(filled));
        expect(decimalText(assumed.cash)).toBe(decimalText(filled.cash));
      }),
      { numRuns: 200 * MORE },
    );
  });
});

describe('an order of exactly the largest size is accepted and fills at the same quote', () => {
  const price = fc
    .integer({ min: 1, max: 10 ** 9 })
    .map((cents) => decimal(`${cents}`).div('1000'));
  const held = fc.integer({ min: -40, max: 40 });
  it('at market, by amount or total, long, short or flat, beside another holding', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(aStock('AAA', { slippage: decimal('0.0005') }), aCoin('AAA')),
        fc.constantFrom<Action>('buy', 'sell'),
        fc.constantFrom('amount', 'total'),
        price,
        // A spread of up to 0.2 %: what the reserve of 0.002 is for.
        fc.integer({ min: 0, max: 20 }),
        held,
        held,
        (stock, action, by, bid, spread, own, other) => {
          const ask = bid.times(decimal(`1.${String(spread).padStart(4, '0')}`));
          const at = aMarket({
            stocks: [stock, { ...stock, id: id('BBB') }],
            quotes: { AAA: [decimalText(bid), decimalText(ask)], BBB: '1' },
          });
          // Holdings of up to 0.8 of the value on either side.
          const quantity = decimal(`${own}`).div('50').div(ask).round(18, 0);
          const positions = {
            ...(own === 0 ? {} : { AAA: decimalText(quantity) }),
            ...(other === 0 ? {} : { BBB: decimalText(decimal(`${other}`).div('50')) }),
          };
          const invested = quantity.times(own > 0 ? bid : ask).plus(decimal(`${other}`).div('50'));
          const book = aBook({ cash: decimalText(decimal('1').minus(invested)), positions });
          const largest = maxOrderSize(
            book,
            { stock, action, pricing: atMarket, slippage: DEFAULT_SLIPPAGE },
            at,
          );
          const size =
            by === 'amount'
              ? ({ by: 'amount', amount: largest.amount } as const)
              : ({ by: 'total', total: decimal(decimalText(largest.total)) } as const);
          if ((size.by === 'amount' ? size.amount : size.total).lte(decimal('0'))) return;
          const request = aRequest({ action, size });
          placeable(book, request, { type: stock.security, market: at });
          expect(summarize(submit(book, [request], at, counting('t')).changes)).toEqual([
            'opened o1',
            'filled o1',
          ]);
        },
      ),
      { numRuns: 200 * MORE },
    );
  });
});

describe('the number of open orders', () => {
  const ordersOpen = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      anOpenOrder({ id: id<'order'>(`order-${index}`), stockId: id<'stock'>('AAA') }),
    );
  const full: Book = {
    ...aBook({ cash: '0.01', positions: { AAA: '0.01' } }),
    openOrders: ordersOpen(MAX_OPEN_ORDERS),
  };
  const place = (book: Book, asked: Parameters<typeof aRequest>[0]) =>
    placeable(book, aRequest({ stockId: id<'stock'>('AAA'), ...asked }), {
      type: 'stock',
      market,
    });

  it('is bounded: one more than the most is refused', () => {
    const size = amount('0.001');
    expect(() => place(full, { size })).toThrow('1000 open orders');
    const room: Book = { ...full, openOrders: full.openOrders.slice(1) };
    expect(() => place(room, { size })).not.toThrow();
  });

  it('never keeps its owner from reducing, by whatever order: as many again may reduce', () => {
    const reducing = [
      { action: 'sell', size: amount('0.01') },
      { action: 'sell', size: total('0.5') },
      { action: 'sell', size: amount('0.01'), pricing: stopMarket('90') },
      { action: 'sell', size: amount('0.02'), reduceOnly: true },
      {
        action: 'sell',
        size: amount('0.02'),
        pricing: stopMarket('90'),
        dependsOn: ids('order-0'),
        reduceOnly: true,
      },
    ] as const;
    for (const asked of reducing) expect(() => place(full, asked)).not.toThrow();
    expect(() => place(full, { action: 'sell', size: amount('0.011') })).toThrow('1000 open');
    const twice: Book = { ...full, openOrders: ordersOpen(2 * MAX_OPEN_ORDERS) };
    for (const asked of reducing) expect(() => place(twice, asked)).toThrow('2000 open orders');
  });
});

describe('a delisted stock', () => {
  const gone = aMarket({
    stocks: [aStock('AAA', { status: 'delisted' })],
    quotes: { AAA: ['99', '100'] },
  });
  const long = aBook({ cash: '0.01', positions: { AAA: '0.01' } });
  const order = (action: Action) =>
    aRequest({ stockId: id<'stock'>('AAA'), action, size: amount('0.01') });

  it.each(['buy', 'sell'] as const)('accepts no more orders to %s', (action) => {
    const place = () => placeable(long, order(action), { type: 'stock', market: gone });
    expect(place).toThrow('a holding of it waits for the settle_price');
  });
});
