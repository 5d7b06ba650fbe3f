import type { Security, Stock } from '@slipstream/domain';
import {
  COMMON_SPREAD,
  FACTOR_VOLATILITY,
  SECTOR_ROWS,
  SYMBOL_ROWS,
} from '../tables/calibration.js';
import { placesOf } from './price-grid.js';
import { hashOf } from './random.js';

/** The properties of a simulated price, from recordings or from the sector (tables/calibration.ts). */
export interface Traits {
  /** The first price. */
  readonly price: number;
  /** The share of the common factor's log return that the price follows. */
  readonly beta: number;
  /** Standard deviation of the instrument's own log return per day. */
  readonly ownVolatility: number;
  /** (ask - bid) / mid. */
  readonly spread: number;
  /** Whether the price is drawn back to `price`. */
  readonly pegged: boolean;
}

/** Coins made to be worth a dollar. None was recorded; they move by a few hundredths of a cent. */
const PEGGED_COINS: ReadonlySet<string> = new Set(['USDT', 'USDC', 'DAI']);
const PEGGED: Traits = { price: 1, beta: 0, ownVolatility: 0.0005, spread: 0.0002, pegged: true };

/** Coins that represent another coin. */
const WRAPPED: Readonly<Record<string, string>> = { WBTCUSD: 'BTCUSD' };

/** A venue chooses a coin's price step by its price: for recorded coins it is about a ten thousandth. */
const COIN_PRICE_IN_STEPS = 10_000;
/** How far an unrecorded price is from the median: up to a factor of e^0.8. */
const PRICE_RANGE = 0.8;

interface Figures {
  readonly price: number;
  readonly volatility: number;
  readonly beta: number;
  /** 0 if it was not recorded. */
  readonly spread: number;
}

const tableOf = (rows: string): ReadonlyMap<string, Figures> =>
  new Map(
    rows
      .trim()
      .split('\n')
      .map((row) => row.split('|'))
      .map(([name = '', ...figures]) => {
        const [price = 0, volatility = 0, beta = 0, spread = 0] = figures.map(Number);
        return [name, { price, volatility, beta, spread }];
      }),
  );

const symbols = tableOf(SYMBOL_ROWS);
const sectors = tableOf(SECTOR_ROWS);

/** The figures of the sector, or of all stocks, because an operator's own instrument may have another sector. */
function sectorFigures({ sector, security }: Stock): Figures {
  const own = security === 'stock' ? sectors.get(sector) : undefined;
  const figures = own ?? sectors.get(security);
  if (!figures) throw new Error(`tables/calibration.ts lacks the row "${security}"`);
  return figures;
}

function guessedPrice(stock: Stock, sectorPrice: number): number {
  const middle =
    stock.security === 'cryptocurrency' ? COIN_PRICE_IN_STEPS / 10 ** placesOf(stock) : sectorPrice;
  return middle * Math.exp(PRICE_RANGE * (hashOf(stock.symbol) / 2 ** 31 - 1));
}

const ownVolatility = (security: Security, volatility: number, beta: number): number =>
  Math.sqrt(Math.max(0, volatility ** 2 - (beta * FACTOR_VOLATILITY[security]) ** 2));

/** Equal for equal stocks, whatever other stocks exist. */
export function traitsOf(stock: Stock): Traits {
  if (stock.security === 'cryptocurrency' && PEGGED_COINS.has(stock.stock)) return PEGGED;
  const recorded = symbols.get(WRAPPED[stock.symbol] ?? stock.symbol);
  const sector = sectorFigures(stock);
  const { price, volatility, beta, spread } = recorded ?? sector;
  return {
    price: recorded ? price : guessedPrice(stock, price),
    beta,
    ownVolatility: ownVolatility(stock.security, volatility, beta),
    spread: spread || COMMON_SPREAD[stock.security],
    pegged: false,
  };
}
