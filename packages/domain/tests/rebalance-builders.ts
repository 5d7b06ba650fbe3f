import type { BrokerAccount, TradedStock, TradingRules } from '../src/mirroring/bot-account.js';
import { decimal, decimalText } from '../src/numbers/decimal.js';
import { id } from '../src/ids.js';
import { finish } from '../src/steps.js';
import { type RebalancePlan, planRebalance } from '../src/mirroring/rebalance/rebalance.js';

export type Figures = Readonly<Record<string, string>>;
type Asked = Parameters<typeof planRebalance>;

export const rebalanced = (
  account: Asked[0],
  target: Asked[1],
  stocks: Asked[2],
  slippage: Asked[3],
  envelope?: Asked[5],
): RebalancePlan => finish(planRebalance(account, target, stocks, slippage, String, envelope));

/** A stock without spread, fee and collar. */
export const stockOf = (
  symbol: string,
  change: Partial<TradingRules> = {},
  price = '10',
): TradedStock => ({
  symbol,
  fee: decimal('0'),
  bid: decimal(price),
  ask: decimal(price),
  collar: decimal('0'),
  doubt: null,
  rules: {
    minTotal: decimal('1'),
    minAmount: decimal('0'),
    amountStep: decimal('0.0001'),
    allowsShort: true,
    crossesZero: true,
    shortStep: decimal('0.0001'),
    priceStep: decimal('0.01'),
    checkReserve: decimal('0'),
    session: 'open',
    ...change,
  },
});

export const stocksOf = (...stocks: readonly TradedStock[]) =>
  new Map(stocks.map((stock) => [id<'stock'>(stock.symbol), stock]));

/** Amounts of stocks that cost 10. */
export const accountOf = (cash: string, amounts: Figures, maxGross = '2'): BrokerAccount => {
  const positions = Object.entries(amounts).map(([key, amount]) => ({
    stockId: id<'stock'>(key),
    amount: decimal(amount),
    price: decimal('10'),
    value: decimal(amount).times(decimal('10')),
  }));
  const equity = positions.reduce((total, { value }) => total.plus(value), decimal(cash));
  return {
    equity,
    cash: decimal(cash),
    buyingPower: equity.times(decimal(maxGross)),
    maxGross: decimal(maxGross),
    positions,
    allows: 'all',
    because: null,
  };
};

export const weightsOf = (weights: Figures) =>
  new Map(Object.entries(weights).map(([key, weight]) => [id<'stock'>(key), decimal(weight)]));

/** The orders, one in a line. */
export const told = (plan: Pick<RebalancePlan, 'orders'>): string[] =>
  plan.orders.map((leg) => `${leg.kind}: ${leg.action} ${decimalText(leg.amount)} ${leg.stockId}`);
