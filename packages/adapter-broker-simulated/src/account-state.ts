import {
  type Action,
  type Decimal,
  type Security,
  type StockId,
  decimal,
  id,
} from '@slipstream/domain';
import type { BrokerOrder } from '@slipstream/ports';

/** A simulated account: exact, and kept as one text. */
export interface AccountState {
  readonly userId: string;
  readonly type: Security;
  /** In USD; undefined for accounts that were made before it was kept. */
  readonly startingBalance: Decimal | undefined;
  readonly cash: Decimal;
  /** Signed, never zero. */
  readonly amounts: ReadonlyMap<StockId, Decimal>;
  /** Oldest first. */
  readonly orders: readonly BrokerOrder[];
  /** The corporate actions that it has, newest last. */
  readonly actions: readonly string[];
}

interface StoredOrder {
  readonly clientOrderId: string;
  readonly stockId: string;
  readonly action: Action;
  readonly amount: string;
  readonly status: BrokerOrder['status'];
  readonly filledAmount: string;
  readonly filledPrice: string | null;
  readonly reason: string | null;
}

interface StoredAccount {
  readonly userId: string;
  readonly type: Security;
  readonly startingBalance?: string | undefined;
  readonly cash: string;
  readonly amounts: Readonly<Record<string, string>>;
  readonly orders: readonly StoredOrder[];
  /** Absent in accounts that were kept before there were any. */
  readonly actions?: readonly string[];
}

/** How many orders are remembered; the oldest closed ones go first. */
const REMEMBERED_ORDERS = 1000;

const remembered = (orders: readonly BrokerOrder[]): readonly BrokerOrder[] => {
  const surplus = orders.length - REMEMBERED_ORDERS;
  if (surplus <= 0) return orders;
  return orders.filter((order, index) => index >= surplus || order.status === 'open');
};

/** The account as text; decimals in full, without a binary float in between. */
export function accountText(account: AccountState): string {
  const stored: StoredAccount = {
    userId: account.userId,
    type: account.type,
    startingBalance: account.startingBalance?.toFixed(),
    cash: account.cash.toFixed(),
    amounts: Object.fromEntries(
      [...account.amounts].map(([stockId, amount]) => [stockId, amount.toFixed()]),
    ),
    orders: remembered(account.orders).map((order) => ({
      ...order,
      amount: order.amount.toFixed(),
      filledAmount: order.filledAmount.toFixed(),
      filledPrice: order.filledPrice?.toFixed() ?? null,
    })),
    actions: account.actions,
  };
  return JSON.stringify(stored);
}

/** The account that `accountText` wrote. */
export function readAccount(text: string): AccountState {
  const stored = JSON.parse(text) as StoredAccount;
  return {
    userId: stored.userId,
    type: stored.type,
    startingBalance:
      stored.startingBalance === undefined ? undefined : decimal(stored.startingBalance),
    cash: decimal(stored.cash),
    amounts: new Map(
      Object.entries(stored.amounts).map(([stockId, amount]) => [
        id<'stock'>(stockId),
        decimal(amount),
      ]),
    ),
    orders: stored.orders.map((order) => ({
      ...order,
      stockId: id<'stock'>(order.stockId),
      amount: decimal(order.amount),
      filledAmount: decimal(order.filledAmount),
      filledPrice: order.filledPrice === null ? null : decimal(order.filledPrice),
    })),
    actions: stored.actions ?? [],
  };
}
