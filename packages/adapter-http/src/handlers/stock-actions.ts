import { type Decimal, decimal } from '@slipstream/domain';
import { presentAdjustment, presentStockAction } from '@slipstream/wire';
import type { HandlersOf } from './handler.js';

/** The request says it in shares, or as their quotient. */
const ratioOf = ({
  new_shares: newShares = 1,
  old_shares: oldShares = 1,
  ratio = decimal(String(newShares)),
}: {
  readonly new_shares?: number | undefined;
  readonly old_shares?: number | undefined;
  readonly ratio?: Decimal | undefined;
}) => ({ newShares: ratio, oldShares: decimal(String(oldShares)) });

export const stockActionHandlers: HandlersOf<'newStockAction' | 'getStockActions'> = {
  newStockAction: async (application, request, caller) => {
    const { stock_id: stock } = request;
    const command =
      request.kind === 'split'
        ? { stock, kind: request.kind, ratio: ratioOf(request) }
        : { stock, kind: request.kind, amount: request.amount };
    return presentStockAction(await application.newStockAction(caller, command));
  },
  getStockActions: async (application, { strategy_id: strategyId, limit, cursor }, caller) =>
    (await application.getStockActions(caller, { strategyId, limit, cursor })).map(
      presentAdjustment,
    ),
};
