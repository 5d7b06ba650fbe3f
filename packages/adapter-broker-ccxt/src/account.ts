import {
  type AccountActivity,
  type BrokerAccount,
  type BrokerPosition,
  ONE,
  ZERO,
  max,
  sum,
} from '@slipstream/domain';
import { BrokerUnreachable, type Instruments } from '@slipstream/ports';
import { candidatesFor, stockIdOf, stockNamed } from './identity.js';
import type { Markets } from './markets.js';
import type { Balance, Market, Movement, Venue } from './venue.js';

const DOLLARS = 'USD';

const isHeld = ({ code, total }: Balance): boolean => code !== DOLLARS && !total.eq(ZERO);

interface Holding extends Balance {
  readonly market: Market;
}

/** What is held of coins, and of other currencies, that has a price in dollars at the exchange; and the rest. */
export async function holdingsOf(
  markets: Markets,
  balances: readonly Balance[],
): Promise<{ readonly priced: readonly Holding[]; readonly others: readonly Balance[] }> {
  const priced: Holding[] = [];
  const others: Balance[] = [];
  for (const balance of balances.filter(isHeld)) {
    const market = await markets.of(balance.code);
    if (market) priced.push({ ...balance, market });
    else others.push(balance);
  }
  return { priced, others };
}

/**
 * The account as its balances tell it. What has no price in dollars cannot be traded here either; of what we list, the amount is told. A
 * market that trades has a price: one that is not told now is no reason to leave a holding out.
 */
export async function accountOf(
  venue: Venue,
  markets: Markets,
  instruments: Instruments,
  balances: readonly Balance[],
): Promise<BrokerAccount> {
  const { priced, others } = await holdingsOf(markets, balances);
  markets.expect(priced.map(({ market }) => market));
  const positions: BrokerPosition[] = [];
  const unpriced = [...others];
  for (const held of priced) {
    const { code, total: amount, market } = held;
    const price = await markets.price(market);
    if (!price?.gt(ZERO)) {
      // What we do not list is never a bot's: it would hold up the reductions of everything else.
      if (!stockNamed(venue, instruments, code)) continue;
      if ((await markets.session(market)) !== 'open') {
        unpriced.push(held);
        continue;
      }
      throw new BrokerUnreachable(`${venue.title} tells no price of ${code}`);
    }
    const stockId = stockIdOf(venue, instruments, code);
    positions.push({ stockId, amount, price, value: amount.times(price) });
  }
  const dollars = balances.find(({ code }) => code === DOLLARS);
  const cash = dollars?.total ?? ZERO;
  return {
    equity: cash.plus(sum(positions.map(({ value }) => value))),
    cash,
    buyingPower: max(dollars?.available ?? ZERO, ZERO),
    maxGross: ONE,
    positions,
    unpriced: unpriced.flatMap(({ code, total: amount }) => {
      const [stock, ...more] = candidatesFor(venue, instruments, code);
      return stock && more.length === 0 ? [{ stockId: stock.id, amount }] : [];
    }),
    allows: 'all',
    because: null,
  };
}

/** A movement as the port has it. */
export function activityOf(
  venue: Venue,
  instruments: Instruments,
  { id, at, name, code, amount }: Movement,
): AccountActivity {
  const isCash = code === DOLLARS;
  return {
    ...{ id, at, name, kind: 'transfer' },
    cash: isCash ? amount : ZERO,
    stockId: isCash ? null : stockIdOf(venue, instruments, code),
    amount: isCash ? ZERO : amount,
  };
}
