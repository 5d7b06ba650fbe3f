import {
  type AccountActivity,
  type Action,
  type Decimal,
  type Security,
  type StockId,
  type Timestamp,
  decimal,
  id,
} from '@slipstream/domain';
import type { BrokerOrder } from '@slipstream/ports';

/** An order as the account keeps it. */
export interface KeptOrder extends Omit<BrokerOrder, 'cancelling'> {
  readonly limit: Decimal | null;
  readonly closes: boolean;
  /** It fills only after this moment; null when it may at once. */
  readonly acceptedAt: Timestamp | null;
  /** Since when its cancellation is under way; null when it is not. */
  readonly cancelledSince: Timestamp | null;
}

/** The order as the broker tells it. */
export const toldOrder = (order: KeptOrder): BrokerOrder => ({
  clientOrderId: order.clientOrderId,
  stockId: order.stockId,
  action: order.action,
  amount: order.amount,
  status: order.status,
  cancelling: order.status === 'open' && order.cancelledSince !== null,
  filledAmount: order.filledAmount,
  filledPrice: order.filledPrice,
  fee: order.fee,
  reason: order.reason,
});

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
  readonly orders: readonly KeptOrder[];
  /** The corporate actions that it has, newest last. */
  readonly actions: readonly string[];
  /** What changed it beside orders, newest last. */
  readonly activities: readonly AccountActivity[];
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
  /** Absent in orders that were kept before there were limits, and so on. */
  readonly limit?: string | null;
  readonly closes?: boolean;
  readonly fee?: string | null;
  readonly acceptedAt?: Timestamp | null;
  readonly cancelledSince?: Timestamp | null;
}

interface StoredActivity extends Pick<AccountActivity, 'id' | 'at' | 'kind' | 'name'> {
  readonly cash: string;
  readonly stockId: string | null;
  readonly amount: string;
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
  readonly activities?: readonly StoredActivity[];
}

/** How many orders are remembered; the oldest closed ones go first. More than a bot may place before it asks for them. */
const REMEMBERED_ORDERS = 1000;

/** The account with one more order. */
export function withOrder(account: AccountState, order: KeptOrder): AccountState {
  const surplus = account.orders.length + 1 - REMEMBERED_ORDERS;
  const before = account.orders.filter(({ status }, at) => at >= surplus || status === 'open');
  return { ...account, orders: [...before, order] };
}

/** How many activities are remembered. */
const REMEMBERED_ACTIVITIES = 500;

/** The account with one more activity; the changes that it reports are made by whom it is from. */
export const withActivity = (account: AccountState, activity: AccountActivity): AccountState => ({
  ...account,
  activities: [...account.activities, activity].slice(-REMEMBERED_ACTIVITIES),
});

const decimalOrNull = (text: string | null | undefined): Decimal | null =>
  text === null || text === undefined ? null : decimal(text);

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
    orders: account.orders.map((order) => ({
      ...order,
      amount: order.amount.toFixed(),
      filledAmount: order.filledAmount.toFixed(),
      filledPrice: order.filledPrice?.toFixed() ?? null,
      limit: order.limit?.toFixed() ?? null,
      fee: order.fee?.toFixed() ?? null,
    })),
    actions: account.actions,
    activities: account.activities.map((activity) => ({
      ...activity,
      cash: activity.cash.toFixed(),
      amount: activity.amount.toFixed(),
    })),
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
      filledPrice: decimalOrNull(order.filledPrice),
      limit: decimalOrNull(order.limit),
      closes: order.closes ?? false,
      fee: decimalOrNull(order.fee),
      acceptedAt: order.acceptedAt ?? null,
      cancelledSince: order.cancelledSince ?? null,
    })),
    actions: stored.actions ?? [],
    activities: (stored.activities ?? []).map((activity) => ({
      ...activity,
      cash: decimal(activity.cash),
      stockId: activity.stockId === null ? null : id<'stock'>(activity.stockId),
      amount: decimal(activity.amount),
    })),
  };
}
