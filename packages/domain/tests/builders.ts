import {
  type Alert,
  type Book,
  type BookChange,
  type NextId,
  type IdentifiedRequest,
  type Market,
  type OpenOrder,
  type OrderId,
  type Pricing,
  type Quote,
  type Size,
  type Stock,
  type Timestamp,
  decimal,
  decimalText,
  id,
  newBook,
} from '../src/index.js';

/** The moment at which tests begin. */
export const START: Timestamp = 1_750_000_000_000;

/** One unit of the last decimal place. */
export const ULP = decimal('0.000000000000000001');

/** A stock without fee and slippage, so that a test shows the ones that matter. */
export const aStock = (name: string, changes: Partial<Stock> = {}): Stock => ({
  id: id(name),
  figiComposite: null,
  symbol: name,
  stock: name,
  name,
  sector: '',
  security: 'stock',
  exchange: 'NYSE',
  peg: 'USD',
  provider: 'test',
  slippage: decimal('0'),
  fee: decimal('0'),
  links: {},
  status: 'active',
  ...changes,
});

/** A coin with the fee and slippage that cryptocurrencies really have (contract 2, "Stock"). */
export const aCoin = (name: string, changes: Partial<Stock> = {}): Stock =>
  aStock(name, {
    security: 'cryptocurrency',
    fee: decimal('0.0025'),
    slippage: decimal('0.001'),
    ...changes,
  });

/** One price for both sides, or bid and ask. */
export type Prices = string | readonly [bid: string, ask: string];

export function aQuote(stock: string, prices: Prices, at: Timestamp = START): Quote {
  const [bid, ask] = typeof prices === 'string' ? [prices, prices] : prices;
  return { stockId: id(stock), bid: decimal(bid), ask: decimal(ask), last: decimal(bid), at };
}

/** A market at one moment: fresh quotes unless listed as stale, open since `opensAt` (null: closed). */
export function aMarket({
  stocks = [aStock('AAA')],
  quotes = {},
  stale = [],
  opensAt = 0,
  now = START,
}: {
  readonly stocks?: readonly Stock[];
  readonly quotes?: Readonly<Record<string, Prices>>;
  readonly stale?: readonly string[];
  readonly opensAt?: Timestamp | null;
  readonly now?: Timestamp;
}): Market {
  const quote = (stockId: string): Quote | undefined => {
    const prices = quotes[stockId];
    return prices === undefined ? undefined : aQuote(stockId, prices, now);
  };
  return {
    now,
    stock: (stockId) => stocks.find((stock) => stock.id === stockId),
    quote,
    freshQuote: (stockId) => (stale.includes(stockId) ? undefined : quote(stockId)),
    session: () => (opensAt === null ? undefined : { opensAt, closesAt: Number.MAX_SAFE_INTEGER }),
  };
}

/** Ids that count: `t1`, `t2`, … */
export function counting(prefix: string): NextId {
  let last = 0;
  return () => id(`${prefix}${(last += 1)}`);
}

export const limit = (price: string): Pricing => ({ type: 'limit', price: decimal(price) });
export const stopMarket = (stopPrice: string): Pricing => ({
  type: 'stop_market',
  stopPrice: decimal(stopPrice),
});
export const stopLimit = (stopPrice: string, price: string): Pricing => ({
  type: 'stop_limit',
  price: decimal(price),
  stopPrice: decimal(stopPrice),
});
export const oco = (stopPrice: string, price: string): Pricing => ({
  type: 'oco',
  price: decimal(price),
  stopPrice: decimal(stopPrice),
});

export const amount = (text: string): Size => ({ by: 'amount', amount: decimal(text) });
export const total = (text: string): Size => ({ by: 'total', total: decimal(text) });
export const ids = (...names: readonly string[]): OrderId[] => names.map((name) => id(name));

/** A small market buy of AAA by newOrder. */
export const aRequest = (changes: Partial<IdentifiedRequest> = {}): IdentifiedRequest => ({
  id: id('o1'),
  stockId: id('AAA'),
  action: 'buy',
  pricing: { type: 'market' },
  size: amount('0.001'),
  dependsOn: [],
  reduceOnly: false,
  origin: 'order',
  ...changes,
});

export const anOpenOrder = (changes: Partial<OpenOrder> = {}): OpenOrder => ({
  ...aRequest(),
  strategyId: id('s1'),
  createdAt: START,
  status: 'open',
  triggeredAt: null,
  restingSince: null,
  ...changes,
});

/** A charting platform's `buy` of AAA: leverage 1, no pyramiding, no reserve. */
export const anAlert = (changes: Partial<Alert> = {}): Alert => ({
  stockId: id('AAA'),
  action: 'buy',
  leverage: decimal('1'),
  pyramiding: null,
  slippage: decimal('0'),
  marketPosition: null,
  positionSize: null,
  previousPositionSize: null,
  ...changes,
});

/** A book with these holdings (entered at price 1) and this cash. */
export const aBook = ({
  cash = '1',
  positions = {},
  openOrders = [],
}: {
  readonly cash?: string;
  readonly positions?: Readonly<Record<string, string>>;
  readonly openOrders?: readonly OpenOrder[];
} = {}): Book => ({
  ...newBook(id('s1')),
  cash: decimal(cash),
  openOrders,
  positions: new Map(
    Object.entries(positions).map(([stock, held]) => [
      id<'stock'>(stock),
      {
        stockId: id<'stock'>(stock),
        amount: decimal(held),
        averagePrice: decimal('1'),
        cost: decimal(held),
        realized: decimal('0'),
        dividends: decimal('0'),
        createdAt: START,
        updatedAt: START,
      },
    ]),
  ),
});

/** What a book holds, as text. */
export const holdings = (book: Book): Record<string, string> =>
  Object.fromEntries(
    [...book.positions.values()].map(({ stockId, amount: held }) => [stockId, decimalText(held)]),
  );

/** One line for each change: `filled o1`. */
export const summarize = (changes: readonly BookChange[]): string[] =>
  changes.map(({ kind, order }) => `${kind} ${order.id}`);
