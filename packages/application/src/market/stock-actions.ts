import {
  type Adjustment,
  type Decimal,
  Refusal,
  type SplitRatio,
  type StockAction,
  type StockId,
  divide,
  requireAboveZero,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import { followedStrategy } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import type { StockActions } from './apply-stock-actions.js';
import { pageOf } from '../page.js';
import type { Paged } from '../trading/trades.js';

const isBeingDone = (): Refusal =>
  new Refusal('conflict', 'an action of this stock is being done; it goes on by itself');

/** A stock has one action at a time; a pending one is continued by itself. */
export async function requireNoPending(stores: Stores, stockId: StockId): Promise<void> {
  const pending = await stores.stockActions.pending();
  if (pending.some((action) => action.stockId === stockId)) throw isBeingDone();
}

/** Applies a split or a dividend of the operator to every strategy concerned, before it answers. */
export const newStockAction =
  ({ unitOfWork, clock, ids, live }: Core, actions: StockActions) =>
  async (
    _caller: Caller,
    command: {
      readonly stock: string;
    } & (
      | { readonly kind: 'split'; readonly ratio: SplitRatio }
      | { readonly kind: 'cash_dividend'; readonly amount: Decimal }
    ),
  ): Promise<StockAction> => {
    const { kind } = command;
    const stock = live.stocks.resolve(command.stock);
    if (command.kind === 'split') {
      requireAboveZero('new_shares', command.ratio.newShares);
      requireAboveZero('old_shares', command.ratio.oldShares);
    } else requireAboveZero('amount', command.amount);
    const ratio = kind === 'split' ? command.ratio : { newShares: null, oldShares: null };
    if (ratio.newShares?.eq(ratio.oldShares)) {
      throw new Refusal('invalid_field', 'a split of 1 for 1 would change nothing');
    }
    // It is not done after the other: whoever asks again because an answer takes long would have it done twice.
    if (actions.isUnderWay(stock.id)) throw isBeingDone();
    let action: StockAction = {
      id: ids.next(),
      stockId: stock.id,
      kind,
      figure:
        command.kind === 'split'
          ? divide(command.ratio.newShares, command.ratio.oldShares)
          : command.amount,
      ...ratio,
      status: 'pending',
      createdAt: clock.now(),
    };
    await actions.begin(stock.id, kind, () =>
      unitOfWork.run(async (stores) => {
        await requireNoPending(stores, stock.id);
        // It waited for its turn: until now its stock was quoted in the shares of before.
        action = { ...action, createdAt: clock.now() };
        await stores.stockActions.save(action);
        stores.answerWith(action);
        return true;
      }),
    );
    return action;
  };

/** The effects of splits, dividends and delistings on a strategy, newest first. With the trades they are its ledger. */
export const getStockActions =
  ({ unitOfWork }: Core) =>
  async (caller: Caller, command: Paged): Promise<Adjustment[]> => {
    return unitOfWork.read(async (stores) => {
      const strategy = await followedStrategy(stores, caller, command.strategyId);
      return stores.adjustments.list(strategy.id, pageOf(command));
    });
  };
