import { type Decimal, type Security, type Stock, decimal, id } from '@slipstream/domain';
import { COIN_ROWS } from './tables/coins.js';
import { STOCK_ROWS } from './tables/stocks.js';
import { linksOf } from './links.js';

/** How a venue trades a coin: prices are whole multiples of `priceStep`, amounts of `lotSize`, from `minOrderSize`. */
export interface CryptoLot {
  readonly priceStep: Decimal;
  readonly lotSize: Decimal;
  readonly minOrderSize: Decimal;
}

/** Contract 2, "Stock": the costs of trading unless the operator sets others. */
const COSTS = {
  stock: { fee: decimal('0'), slippage: decimal('0.0005') },
  cryptocurrency: { fee: decimal('0.0025'), slippage: decimal('0.001') },
} as const satisfies Record<Security, Pick<Stock, 'fee' | 'slippage'>>;

type Facts = Pick<
  Stock,
  'symbol' | 'stock' | 'name' | 'sector' | 'security' | 'exchange' | 'figiComposite'
>;

const cells = (rows: string): string[][] =>
  rows
    .trim()
    .split('\n')
    .map((row) => row.split('|'));

const stockFacts = (): Facts[] =>
  cells(STOCK_ROWS).map(([symbol = '', name = '', sector = '', exchange = '', figi = '']) => ({
    symbol,
    stock: symbol,
    name,
    sector,
    security: 'stock',
    exchange,
    figiComposite: figi === '' ? null : figi,
  }));

const coinFacts = (): Facts[] =>
  cells(COIN_ROWS).map(([stock = '', name = '', exchange = '']) => ({
    symbol: `${stock}USD`,
    stock,
    name,
    sector: '',
    security: 'cryptocurrency',
    exchange,
    figiComposite: null,
  }));

/** Symbol and exchange, which together identify one instrument: `aapl.nasdaq`. It must never change, because books refer to it. */
const idOf = ({ symbol, exchange }: Facts) => id<'stock'>(`${symbol}.${exchange}`.toLowerCase());

const withDefaults = (facts: Facts): Stock => ({
  ...facts,
  ...COSTS[facts.security],
  id: idOf(facts),
  peg: 'USD',
  provider: 'slipstream',
  links: linksOf(facts),
  status: 'active',
});

let known: readonly Stock[] | undefined;

/**
 * The instruments of a new server (spec 2.5): the members of the S&P 500, four ETFs and 41 cryptocurrencies. An instrument
 * keeps its id from release to release.
 */
export const instruments = (): readonly Stock[] =>
  (known ??= [...stockFacts(), ...coinFacts()].map(withDefaults));

/** By the symbol of the instrument (`BTCUSD`). */
export const cryptoLots: ReadonlyMap<string, CryptoLot> = new Map(
  cells(COIN_ROWS).map(([stock = '', , , priceStep = '', lotSize = '', minOrderSize = '']) => [
    `${stock}USD`,
    {
      priceStep: decimal(priceStep),
      lotSize: decimal(lotSize),
      minOrderSize: decimal(minOrderSize),
    },
  ]),
);
