import type { ResponseOf } from '@slipstream/wire';
import type { Happening } from './ledger.js';

type Order = ResponseOf<'getBotOrders'>[number];

/** Less than this is the rounding of amounts after splits. */
const FLAT = 1e-12;

/** What orders, oldest first, and corporate actions make of an account that began with this balance. */
export function ownAccount(
  balance: string,
  orders: readonly Order[],
  happenings: readonly Happening[],
): { readonly cash: number; readonly amounts: ReadonlyMap<string, number> } {
  const amounts = new Map<string, number>();
  let cash = Number(balance);
  const heldOf = (stockId: string): number => amounts.get(stockId) ?? 0;
  const book = ({ action, stock_id, filled_amount, filled_price, fee }: Order): void => {
    const amount = Number(filled_amount) * (action === 'buy' ? 1 : -1);
    amounts.set(stock_id, heldOf(stock_id) + amount);
    cash -= amount * Number(filled_price) + Number(fee);
  };
  const happen = (one: Happening): void => {
    if (one.kind === 'dividend') cash += heldOf(one.stockId) * Number(one.amount);
    if (one.kind === 'split') {
      const ratio = Number(one.newShares) / Number(one.oldShares);
      amounts.set(one.stockId, heldOf(one.stockId) * ratio);
    }
    if (one.kind === 'delisting') {
      cash += heldOf(one.stockId) * Number(one.price);
      amounts.delete(one.stockId);
    }
  };
  const events = [
    ...orders.map((one) => ({ at: Date.parse(one.updated_at), run: () => book(one) })),
    ...happenings.map((one) => ({ at: one.at, run: () => happen(one) })),
  ];
  for (const { run } of events.toSorted((one, other) => one.at - other.at)) run();
  const held = [...amounts].filter(([, amount]) => Math.abs(amount) > FLAT);
  return { cash, amounts: new Map(held) };
}
