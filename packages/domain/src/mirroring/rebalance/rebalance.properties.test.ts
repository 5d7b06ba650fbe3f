import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rebalanced } from '../../../tests/rebalance-builders.js';
import { type Book, newBook } from '../../trading/book.js';
import { type BrokerAccount, type TradedStock, heldAmount } from '../bot-account.js';
import {
  type Decimal,
  ONE,
  TWO,
  ZERO,
  decimal,
  decimalText,
  divide,
  isMultipleOf,
  max,
  min,
  sum,
} from '../../numbers/decimal.js';
import { type StockId, id } from '../../ids.js';
import type { Envelope } from '../limits/envelope.js';
import { priceOf, tolerance } from './order.js';
import type { RebalancePlan } from './rebalance.js';
import { attainableTarget, driftOf, targetWeights } from './target.js';
import type { Weights } from './weights.js';

const SLIPPAGE = decimal('0.002');
const hundredths = (least: number, most: number) =>
  fc
    .integer({ min: least, max: most })
    .map((count) => divide(decimal(String(count)), decimal('100')));

const stockOf = fc
  .record({
    price: hundredths(50, 50_000),
    step: fc.constantFrom('0.00000001', '0.0001', '0.01', '1'),
    minTotal: fc.constantFrom('0', '1', '10'),
    fee: fc.constantFrom('0', '0.0025'),
    checkReserve: fc.constantFrom('0', '0.03'),
    collar: fc.constantFrom('0', '0.01', '0.02'),
    lendsWhole: fc.boolean(),
    crossesZero: fc.boolean(),
    allowsShort: fc.boolean(),
  })
  .map(
    ({
      price,
      step,
      minTotal,
      fee,
      checkReserve,
      collar,
      lendsWhole,
      ...rules
    }): Omit<TradedStock, 'symbol'> => ({
      fee: decimal(fee),
      bid: price,
      ask: price.times(decimal('1.0005')),
      collar: decimal(collar),
      doubt: null,
      rules: {
        minTotal: decimal(minTotal),
        minAmount: ZERO,
        amountStep: decimal(step),
        ...rules,
        shortStep: decimal(lendsWhole ? '1' : step),
        priceStep: decimal('0.0001'),
        checkReserve: decimal(checkReserve),
        session: 'open',
      },
    }),
  );

interface World {
  readonly stocks: ReadonlyMap<StockId, TradedStock>;
  readonly target: Weights;
  readonly account: BrokerAccount;
}

const valued = (
  cash: Decimal,
  amounts: ReadonlyMap<StockId, Decimal>,
  stocks: World['stocks'],
  maxGross: Decimal,
): BrokerAccount => {
  const positions = [...amounts]
    .filter(([, amount]) => !amount.eq(ZERO))
    .map(([stockId, amount]) => {
      const stock = stocks.get(stockId);
      const price = stock ? (amount.gt(ZERO) ? stock.bid : stock.ask) : ZERO;
      return { stockId, amount, price, value: amount.times(price) };
    });
  const equity = cash.plus(sum(positions.map(({ value }) => value)));
  const gross = sum(positions.map(({ value }) => value.abs()));
  const buyingPower = max(ZERO, equity.times(maxGross).minus(gross));
  return { cash, buyingPower, maxGross, positions, equity, allows: 'all', because: null };
};

/** What is held of a stock, now and then too little to be sold. */
const holding = fc.oneof(
  { arbitrary: hundredths(-60, 60), weight: 4 },
  { arbitrary: fc.constantFrom('0.00001', '-0.00001').map(decimal), weight: 1 },
);

/** Accounts within their own maximum, as a broker keeps them. */
const world: fc.Arbitrary<World> = fc
  .record({
    rows: fc.array(
      fc.record({ stock: stockOf, weight: hundredths(-150, 150), heldWeight: holding }),
      { minLength: 1, maxLength: 6 },
    ),
    equity: fc.integer({ min: 500, max: 1_000_000 }).map((usd) => decimal(String(usd))),
    maxGross: fc.constantFrom('1', '2'),
  })
  .map(({ rows, equity, maxGross }) => {
    const named = rows.map((row, index) => ({ ...row, stockId: id<'stock'>(`S${index}`) }));
    const stocks = new Map(
      named.map(({ stockId, stock }) => [stockId, { ...stock, symbol: stockId }]),
    );
    const limit = decimal(maxGross);
    const wanted = new Map(named.map(({ stockId, weight }) => [stockId, weight]));
    const heldWeights = attainableTarget(
      new Map(named.map(({ stockId, heldWeight }) => [stockId, heldWeight])),
      stocks,
      { positions: [], equity, maxGross: limit.times(decimal('0.9')) },
      String,
    ).weights;
    const amounts = new Map(
      [...heldWeights].map(([stockId, weight]) => {
        const stock = stocks.get(stockId);
        return [stockId, stock ? divide(weight.times(equity), stock.ask) : ZERO];
      }),
    );
    const value = [...amounts].map(([stockId, amount]) => {
      const stock = stocks.get(stockId);
      return stock ? amount.times(amount.gt(ZERO) ? stock.bid : stock.ask) : ZERO;
    });
    const account = valued(equity.minus(sum(value)), amounts, stocks, limit);
    return { stocks, account, target: attainableTarget(wanted, stocks, account, String).weights };
  });

/** Fills every leg at the plan's prices, worse by `slippage`, with fees; at the limits when it is undefined. */
function filled(
  { stocks }: World,
  account: BrokerAccount,
  plan: RebalancePlan,
  slippage: Decimal | undefined,
) {
  const amounts = new Map(account.positions.map(({ stockId, amount }) => [stockId, amount]));
  let { cash } = account;
  for (const { stockId, action, amount, limit } of plan.orders) {
    const stock = stocks.get(stockId);
    if (!stock) throw new Error(`no ${stockId}`);
    const lost = slippage ?? ZERO;
    const worse = action === 'buy' ? ONE.plus(lost) : ONE.minus(lost);
    const price = slippage === undefined && limit ? limit : priceOf(stock, action).times(worse);
    const gross = amount.times(price);
    const signed = action === 'buy' ? amount : ZERO.minus(amount);
    cash = (action === 'buy' ? cash.minus(gross) : cash.plus(gross)).minus(gross.times(stock.fee));
    amounts.set(stockId, (amounts.get(stockId) ?? ZERO).plus(signed));
  }
  return valued(cash, amounts, stocks, account.maxGross);
}

const grossOf = (account: BrokerAccount): Decimal =>
  sum(account.positions.map(({ value }) => value.abs()));

const plan = ({ target, stocks }: World, account: BrokerAccount): RebalancePlan =>
  rebalanced(account, target, stocks, SLIPPAGE);

const isReduce = ({ orders }: RebalancePlan): boolean =>
  orders.some(({ kind }) => kind === 'reduce' || kind === 'close');

describe('any rebalance', () => {
  it('places whole steps that are not below the minimum', () => {
    fc.assert(
      fc.property(world, (it) => {
        for (const { stockId, action, amount, limit } of plan(it, it.account).orders) {
          const stock = it.stocks.get(stockId);
          if (!stock) throw new Error(`no ${stockId}`);
          expect(amount.mod(stock.rules.amountStep).eq(ZERO)).toBe(true);
          const price = priceOf(stock, action);
          const least = min(price, limit ?? price);
          expect(amount.times(least).gte(stock.rules.minTotal)).toBe(true);
        }
      }),
    );
  });

  it('never crosses zero in one order where the broker refuses it', () => {
    fc.assert(
      fc.property(world, (it) => {
        for (const { stockId, action, amount } of plan(it, it.account).orders) {
          if (it.stocks.get(stockId)?.rules.crossesZero !== false) continue;
          const held = heldAmount(it.account, stockId);
          const after = action === 'buy' ? held.plus(amount) : held.minus(amount);
          expect(held.times(after).gte(ZERO)).toBe(true);
        }
      }),
    );
  });

  it('never raises gross exposure with a reducing order', () => {
    fc.assert(
      fc.property(world, (it) => {
        const first = plan(it, it.account);
        fc.pre(isReduce(first));
        const after = filled(it, it.account, first, ZERO);
        expect(grossOf(after).lte(grossOf(it.account))).toBe(true);
      }),
    );
  });

  it('never takes more than cash and margin allow, even when the reserved slippage is lost', () => {
    fc.assert(
      fc.property(world, (it) => {
        const first = plan(it, it.account);
        fc.pre(first.orders.length > 0 && !isReduce(first));
        const after = filled(it, it.account, first, SLIPPAGE);
        expect(grossOf(after).lte(after.equity.times(after.maxGross))).toBe(true);
        if (after.maxGross.eq(ONE)) expect(after.cash.gte(ZERO)).toBe(true);
      }),
    );
  });

  it('never takes more than cash and margin allow, even when every fill is as bad as its limit', () => {
    fc.assert(
      fc.property(world, (it) => {
        const first = plan(it, it.account);
        fc.pre(first.orders.length > 0 && !isReduce(first));
        const after = filled(it, it.account, first, undefined);
        expect(grossOf(after).lte(after.equity.times(after.maxGross))).toBe(true);
        if (after.maxGross.eq(ONE)) expect(after.cash.gte(ZERO)).toBe(true);
      }),
    );
  });

  it('gives every order a limit within the collar, a whole number of price steps', () => {
    fc.assert(
      fc.property(world, (it) => {
        for (const { stockId, action, limit } of plan(it, it.account).orders) {
          const stock = it.stocks.get(stockId);
          if (!stock || !limit) throw new Error(`no ${stockId}, or no limit`);
          expect(isMultipleOf(limit, decimal('0.0001'))).toBe(true);
          const { bid, ask, collar } = stock;
          expect(
            action === 'buy'
              ? limit.lte(ask.times(ONE.plus(collar)))
              : limit.gte(bid.times(ONE.minus(collar))),
          ).toBe(true);
        }
      }),
    );
  });

  it("never orders what the broker's own check would reject, its reserve added", () => {
    const power = fc.constantFrom('1', '0.5', '0').map(decimal);
    fc.assert(
      fc.property(world, power, (it, share) => {
        const buyingPower = it.account.buyingPower.times(share);
        const first = plan(it, { ...it.account, buyingPower });
        fc.pre(!first.orders.some(({ kind }) => kind !== 'open' && kind !== 'increase'));
        const checked = first.orders.map(({ stockId, amount, limit }) => {
          const stock = it.stocks.get(stockId);
          const priced = amount.times(max(stock?.ask ?? ZERO, limit ?? ZERO));
          return priced.times(ONE.plus(stock?.rules.checkReserve ?? ZERO));
        });
        expect(sum(checked).lte(buyingPower)).toBe(true);
      }),
    );
  });

  it('never passes a limit of its bot at the worst prices, and never blocks what reduces', () => {
    const share = fc.option(hundredths(1, 150), { nil: null });
    const bounds = fc.record({ capital: share, order: share, gross: share, stock: share });
    const left = fc.option(fc.nat(3), { nil: null });
    fc.assert(
      fc.property(
        world,
        bounds,
        share,
        left,
        fc.boolean(),
        (it, { capital, order, gross, stock }, day, count, isStuck) => {
          const { equity } = it.account;
          const usd = (part: Decimal | null) => part && part.times(equity);
          const limits = {
            maxCapital: usd(capital),
            maxOrder: usd(order),
            maxGross: gross,
            maxPerStock: stock,
          };
          const envelope: Envelope = {
            limits,
            ordersLeft: count,
            turnoverLeft: usd(day),
            resting: new Map(),
            stuck: new Set(),
            pausing: { reductions: new Map(), increases: new Map() },
          };
          const planned = (stuck: Envelope['stuck']) =>
            rebalanced(it.account, it.target, it.stocks, SLIPPAGE, { ...envelope, stuck });
          const awaited = planned(new Set());
          const free = plan(it, it.account);
          if (isReduce(free)) expect(isReduce(awaited)).toBe(true);
          if (isReduce(awaited) && !isStuck) return;
          const reductions = isReduce(awaited) ? awaited.orders : [];
          const first = isStuck ? planned(new Set(it.stocks.keys())) : awaited;
          expect(first.orders.slice(0, reductions.length)).toEqual(reductions);
          const increases = first.orders.slice(reductions.length);
          const values = increases.map(({ stockId, amount, action, limit }) => {
            const ask = it.stocks.get(stockId)?.ask ?? ZERO;
            const price = action === 'buy' ? (limit ?? ask) : ask;
            const held = it.account.positions.find((position) => position.stockId === stockId);
            return { value: amount.times(price), whole: held?.value.abs() ?? ZERO };
          });
          const total = sum(values.map(({ value }) => value));
          const after = grossOf(it.account).plus(total);
          if (increases.length === 0) return;
          expect(first.orders.length).toBeLessThanOrEqual(count ?? Infinity);
          const sold = sum(reductions.map(({ amount, price }) => amount.times(price)));
          if (limits.maxCapital) expect(after.lte(limits.maxCapital)).toBe(true);
          if (gross) expect(after.lte(gross.times(equity))).toBe(true);
          if (day) expect(total.plus(sold).lte(day.times(equity))).toBe(true);
          for (const { value, whole } of values) {
            if (limits.maxOrder) expect(value.lte(limits.maxOrder)).toBe(true);
            if (stock) expect(whole.plus(value).lte(stock.times(equity))).toBe(true);
          }
        },
      ),
    );
  });

  it('reports every scaling (contract 7b.11)', () => {
    fc.assert(
      fc.property(world, (it) => {
        const first = plan(it, it.account);
        fc.pre(!isReduce(first));
        for (const { stockId, kind, amount, action } of first.orders) {
          const stock = it.stocks.get(stockId);
          if (!stock || kind === 'reverse') continue;
          const held = it.account.positions.find((position) => position.stockId === stockId);
          const wanted = (it.target.get(stockId) ?? ZERO).times(it.account.equity).abs();
          const reached = amount.times(priceOf(stock, action)).plus(held?.value.abs() ?? ZERO);
          const { amountStep, shortStep } = stock.rules;
          const lot = (action === 'sell' ? shortStep : amountStep).times(stock.ask);
          const isWhole = wanted.minus(reached).lte(lot);
          expect(isWhole || first.notes.some((note) => note.includes('scaled down'))).toBe(true);
        }
      }),
    );
  });

  it('comes into line within a few rounds and then rests', () => {
    fc.assert(
      fc.property(world, (it) => {
        let account = it.account;
        let next = plan(it, account);
        for (let round = 0; next.orders.length > 0; round += 1) {
          expect(round).toBeLessThan(8);
          account = filled(it, account, next, ZERO);
          next = plan(it, account);
        }
        for (const [stockId, stock] of it.stocks) {
          const wanted = (it.target.get(stockId) ?? ZERO).times(account.equity);
          const value = account.positions.find((held) => held.stockId === stockId)?.value ?? ZERO;
          const { minTotal, amountStep, shortStep } = stock.rules;
          const step = wanted.plus(value).lt(ZERO) ? shortStep : amountStep;
          const lot = step.times(stock.ask).plus(minTotal);
          const allowed = tolerance(account.equity, wanted.abs(), minTotal).plus(lot);
          const isTold = next.notes.some((note) => note.includes(stock.symbol));
          // What cash cannot pay for is short by the reserve; everything else is within the tolerance.
          const reserved = wanted.abs().times(decimal('0.05'));
          expect(isTold || wanted.minus(value).abs().lte(allowed.plus(reserved))).toBe(true);
        }
      }),
    );
  });
});

const wholes = fc.integer({ min: 1, max: 999_999 }).map((count) => decimal(`0.${count}7`));

/** Strategies of longs and cash, and an account that holds something of the same stocks. */
const mirrored = fc.record({
  prices: fc.array(wholes, { minLength: 3, maxLength: 3 }),
  strategies: fc.array(
    fc.record({
      cash: wholes,
      percent: hundredths(1, 60),
      amounts: fc.array(wholes, { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  held: fc.array(wholes, { minLength: 0, maxLength: 3 }),
  cash: wholes,
});

describe('the drift of any account', () => {
  it('is half the sum of the distances, exact and rounded once (T10)', () => {
    fc.assert(
      fc.property(mirrored, ({ prices, strategies, held, cash }) => {
        const priced = (amounts: readonly Decimal[]) =>
          amounts.map((amount, index) => ({
            stockId: id<'stock'>(`S${index}`),
            amount,
            value: amount.times(prices[index] ?? ZERO),
          }));
        const books = strategies.map((strategy, index): Book => {
          const none = { averagePrice: ONE, cost: ONE, realized: ZERO, dividends: ZERO };
          const positions = priced(strategy.amounts).map(({ stockId, amount }) => ({
            ...none,
            stockId,
            amount,
            createdAt: 0,
            updatedAt: 0,
          }));
          return {
            ...newBook(id(`s${index}`)),
            cash: strategy.cash,
            positions: new Map(positions.map((position) => [position.stockId, position])),
          };
        });
        const quote = (stockId: StockId) => {
          const price = prices[Number(stockId.slice(1))] ?? ZERO;
          return { stockId, bid: price, ask: price, last: price, at: 0 };
        };
        const allocations = strategies.map(({ percent }, index) => ({
          strategyId: id<'strategy'>(`s${index}`),
          percent,
        }));
        const bot = { leverage: ONE, allocations };
        const byId = new Map(books.map((book) => [book.strategyId, book]));
        const target = targetWeights(bot, byId, { quote });
        if (target.kind !== 'weights') throw new Error(target.reason);
        const positions = priced(held).map((position) => ({ ...position, price: ONE }));
        const equity = cash.plus(sum(positions.map(({ value }) => value)));
        const drift = driftOf({ equity, cash, positions }, target.weights);

        // Everything over one denominator: the product of the strategies' values.
        const values = strategies.map((strategy) =>
          strategy.cash.plus(sum(priced(strategy.amounts).map(({ value }) => value))),
        );
        const denominator = values.reduce((product, value) => product.times(value), ONE);
        const wanted = ['S0', 'S1', 'S2'].map((stockId) =>
          sum(
            strategies.map(({ percent, amounts }, index) => {
              const value = priced(amounts).find((each) => each.stockId === stockId)?.value ?? ZERO;
              const others = values.reduce(
                (product, other, at) => (at === index ? product : product.times(other)),
                ONE,
              );
              return percent.times(value).times(others);
            }),
          ),
        );
        const distances = wanted.map((share, index) =>
          (positions[index]?.value ?? ZERO).times(denominator).minus(equity.times(share)).abs(),
        );
        const inCash = cash.times(denominator).minus(equity.times(denominator.minus(sum(wanted))));
        const exact = divide(
          sum(distances).plus(inCash.abs()),
          TWO.times(equity).times(denominator),
        );
        expect(decimalText(drift ?? ZERO)).toBe(decimalText(exact));
      }),
    );
  });
});
