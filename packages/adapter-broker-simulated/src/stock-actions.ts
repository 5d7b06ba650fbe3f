import {
  type SplitRatio,
  type StockAction,
  ZERO,
  round18,
  splitAmount,
  splitPrice,
  splitRatio,
} from '@slipstream/domain';
import { type AccountState, type KeptOrder, withActivity } from './account-state.js';

const resized = (order: KeptOrder, ratio: SplitRatio): KeptOrder => ({
  ...order,
  amount: splitAmount(order.amount, ratio).amount,
  filledAmount: splitAmount(order.filledAmount, ratio).amount,
  filledPrice: order.filledPrice && splitPrice(order.filledPrice, ratio),
  limit: order.limit && splitPrice(order.limit, ratio),
});

const cancelled = (order: KeptOrder): KeptOrder => ({
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
  const isOpen = (order: KeptOrder): boolean =>
    order.status === 'open' && order.stockId === stockId;
  if (!held && !account.orders.some(isOpen)) return account;

  const amounts = new Map(account.amounts);
  const after =
    kind === 'delisting' || !held
      ? ZERO
      : kind === 'split'
        ? splitAmount(held, splitRatio(action)).amount
        : held;
  if (after.eq(ZERO)) amounts.delete(stockId);
  else amounts.set(stockId, after);
  const paid = kind === 'split' || !held ? ZERO : round18(held.times(figure));
  const orders = account.orders.map((order) => {
    if (!isOpen(order) || kind === 'cash_dividend') return order;
    return kind === 'split' ? resized(order, splitRatio(action)) : cancelled(order);
  });
  const adjusted: AccountState = {
    ...account,
    cash: account.cash.plus(paid),
    amounts,
    orders,
    actions: [...account.actions, action.id].slice(-REMEMBERED_ACTIONS),
  };
  if (!held) return adjusted;
  return withActivity(adjusted, {
    id: `action-${action.id}`,
    at: action.createdAt,
    kind: kind === 'cash_dividend' ? 'income' : 'other',
    name: kind,
    cash: paid,
    stockId,
    amount: after.minus(held),
  });
}
