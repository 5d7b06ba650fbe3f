import type { Quote, Security, Stock, Timestamp } from '@slipstream/domain';
import { FACTOR_VOLATILITY } from '../tables/calibration.js';
import { floatOf, placesOf, priceOf } from './price-grid.js';
import { type SeededRandom, seededRandom } from './random.js';
import { type Traits, traitsOf } from './traits.js';

/** How fast a pegged price returns to its peg, as a log rate per day: nearly all the way within an hour. */
const PULL_PER_DAY = 72;
/** Prices never fall below this many steps, because a step would be a large part of them. */
const FEWEST_STEPS = 20;

/** The common moves that all prices follow, each by its beta. Time is in days. */
export interface Factors {
  readonly days: number;
  /** Sum of the factor's log returns so far. */
  level(security: Security): number;
  advance(days: number): void;
}

/** One factor for stocks and one for coins, both random walks of the recorded volatility. */
export function seededFactors(seed: string): Factors {
  const random = seededRandom(`${seed}|factors`);
  const levels = { stock: 0, cryptocurrency: 0 };
  let total = 0;
  return {
    get days() {
      return total;
    },
    level: (security) => levels[security],
    advance: (days) => {
      total += days;
      levels.stock += FACTOR_VOLATILITY.stock * Math.sqrt(days) * random.normal();
      levels.cryptocurrency += FACTOR_VOLATILITY.cryptocurrency * Math.sqrt(days) * random.normal();
    },
  };
}

/** The simulated market price of one stock. */
export interface PriceProcess {
  /** Moves the price by the factors and its own random moves since the last call, and returns a quote. */
  quote(at: Timestamp): Quote;
}

function logMove(
  traits: Traits,
  price: number,
  days: number,
  factorMove: number,
  own: number,
): number {
  const home = traits.pegged
    ? Math.log(traits.price / price) * (1 - Math.exp(-PULL_PER_DAY * days))
    : 0;
  return home + traits.beta * factorMove + traits.ownVolatility * Math.sqrt(days) * own;
}

/** Half of the time the last trade was at the bid, otherwise at the ask. */
const lastOf = (bid: number, ask: number, random: SeededRandom): number =>
  random.uniform() < 0.5 ? bid : ask;

/**
 * A log price without drift, so that a demo that runs for months stays near its beginning. It begins at `from`, or where the
 * recordings end.
 */
export function priceProcess(
  seed: string,
  stock: Stock,
  factors: Factors,
  from: Quote | undefined,
): PriceProcess {
  const traits = traitsOf(stock);
  const places = placesOf(stock);
  const scale = 10 ** places;
  const random = seededRandom(`${seed}|${stock.id}`);
  let price = from ? (floatOf(from.bid) + floatOf(from.ask)) / 2 : traits.price;
  let days = factors.days;
  let level = factors.level(stock.security);

  return {
    quote: (at) => {
      const elapsed = factors.days - days;
      if (elapsed > 0) {
        const factorMove = factors.level(stock.security) - level;
        price *= Math.exp(logMove(traits, price, elapsed, factorMove, random.normal()));
        price = Math.max(price, FEWEST_STEPS / scale);
        days = factors.days;
        level = factors.level(stock.security);
      }
      const bid = Math.round(price * (1 - traits.spread / 2) * scale);
      const ask = Math.max(bid + 1, Math.round(price * (1 + traits.spread / 2) * scale));
      return {
        stockId: stock.id,
        bid: priceOf(bid, places),
        ask: priceOf(ask, places),
        last: priceOf(lastOf(bid, ask, random), places),
        at,
      };
    },
  };
}
