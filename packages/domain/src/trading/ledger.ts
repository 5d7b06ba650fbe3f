import { type Decimal, ONE, ZERO } from '../numbers/decimal.js';
import type { StockId } from '../ids.js';
import type { Adjustment } from '../market/stock-action.js';
import type { Trade } from './order.js';

/** What a book holds, as far as its ledger says it too. */
export interface LedgerHolding {
  /** Normalized. */
  readonly cash: Decimal;
  /** The amount of each stock that is held, signed, normalized. */
  readonly amounts: ReadonlyMap<StockId, Decimal>;
}

/** A ledger that is added up entry by entry, in any order: each adds to cash and to one holding. */
export interface LedgerSum {
  trade(
    trade: Pick<Trade, 'stockId' | 'action' | 'amount' | 'total' | 'feeTotal' | 'rounding'>,
  ): void;
  adjustment(
    adjustment: Pick<Adjustment, 'kind' | 'stockId' | 'amountBefore' | 'amountAfter' | 'cash'>,
  ): void;
  /** Where the book holds something else, to the last digit, in words; empty when it agrees. */
  faults(book: LedgerHolding): readonly string[];
}

/**
 * Adds up the fills of a strategy and the effects of corporate actions on it: cash is 1 less what was bought, fees and roundings, plus
 * what was sold and paid; a holding is what was bought less what was sold, and what splits added (contract 3).
 */
export function ledgerSum(): LedgerSum {
  let cash = ONE;
  const amounts = new Map<StockId, Decimal>();
  const add = (stockId: StockId, amount: Decimal): void =>
    void amounts.set(stockId, (amounts.get(stockId) ?? ZERO).plus(amount));
  return {
    trade({ stockId, action, amount, total, feeTotal, rounding }) {
      const isBuy = action === 'buy';
      cash = (isBuy ? cash.minus(total) : cash.plus(total)).minus(feeTotal).minus(rounding);
      add(stockId, isBuy ? amount : ZERO.minus(amount));
    },
    adjustment({ kind, stockId, amountBefore, amountAfter, cash: paid }) {
      cash = cash.plus(paid);
      // What a delisting closes is a trade.
      if (kind !== 'delisting') add(stockId, amountAfter.minus(amountBefore));
    },
    faults(book) {
      const stocks = new Set([...amounts.keys(), ...book.amounts.keys()]);
      const holdings = [...stocks].flatMap((stockId) => {
        const [held, said] = [book.amounts.get(stockId) ?? ZERO, amounts.get(stockId) ?? ZERO];
        return held.eq(said)
          ? []
          : [`it holds ${held.toFixed()} of ${stockId}, its ledger says ${said.toFixed()}`];
      });
      return cash.eq(book.cash)
        ? holdings
        : [`its cash is ${book.cash.toFixed()}, its ledger says ${cash.toFixed()}`, ...holdings];
    },
  };
}
