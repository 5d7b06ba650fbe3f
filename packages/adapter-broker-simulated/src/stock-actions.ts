import { type Decimal, type StockAction, ZERO, divide, round18 } from '@slipstream/domain';
import type { BrokerOrder } from '@slipstream/ports';
import type { AccountState } from './account-state.js';

const resized = (order: BrokerOrder, ratio: Decimal): BrokerOrder => ({
  ...order,
  amount: round18(order.amount.times(ratio), 'down'),
  filledAmount: round18(order.filledAmount.times(ratio), 'down'),
  filledPrice: order.filledPrice && divide(order.filledPrice, ratio),
});

const cancelled = (order: BrokerOrder): BrokerOrder => ({
  ...order,
  status: 'cancelled',
  reason: 'the stock was delisted',
});

/** How many actions an account remembers to have: pending ones are few and soon done. */
const REMEMBERED_ACTIONS = 50;

/** The account after a corporate action; the same one when it has it already. What is below the last place is lost. */
export function adjustAccount(account: AccountState, action: StockAction): AccountState {
  if (account.actions.includes(action.id)) return account;
  const { stockId, kind, figure } = action;
  const held = account.amounts.get(stockId);
  const isOpen = (order: BrokerOrder): boolean =>
    order.status === 'open' && order.stockId === stockId;
  if (!held && !account.orders.some(isOpen)) return account;

  const amounts = new Map(account.amounts);
  const after =
    kind === 'delisting' || !held
      ? ZERO
      : kind === 'split'
        ? round18(held.times(figure), 'down')
        : held;
  if (after.eq(ZERO)) amounts.delete(stockId);
  else amounts.set(stockId, after);
  const paid = kind === 'split' || !held ? ZERO : round18(held.times(figure));
  const orders = account.orders.map((order) => {
    if (!isOpen(order) || kind === 'cash_dividend') return order;
    return kind === 'split' ? resized(order, figure) : cancelled(order);
  });
  return {
    ...account,
    cash: account.cash.plus(paid),
    amounts,
    orders,
    actions: [...account.actions, action.id].slice(-REMEMBERED_ACTIONS),
  };
}
