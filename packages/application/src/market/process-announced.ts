import {
  type AnnouncedAction,
  type AnnouncedStatus,
  DAY,
  type StockAction,
  type Timestamp,
  ZERO,
  decideAnnounced,
  divide,
  id,
  isoDay,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import type { StockActions } from './apply-stock-actions.js';
import { requireNoPending } from './stock-actions.js';

/** How far back the source is asked, and how far before its time an action may have been booked already. */
export const BACK = 5 * DAY;

/** The fields that the log has of a row. */
export const noticeOf = (
  { stocks }: Pick<Core['live'], 'stocks'>,
  { stockId, name, dueAt }: AnnouncedAction,
) => ({
  stockId,
  symbol: stocks.find(stockId)?.symbol ?? stockId,
  action: name,
  day: isoDay(dueAt),
});

/** The announced action as the corporate action that is booked. */
const bookable = (row: AnnouncedAction, createdAt: Timestamp): StockAction => {
  const { newShares, oldShares, amount, stockId, kind } = row;
  const action = { id: id<'stock_action'>(row.id), stockId, status: 'pending', createdAt } as const;
  if (kind === 'split' && newShares && oldShares)
    return { ...action, kind, figure: divide(newShares, oldShares), newShares, oldShares };
  const others = { newShares: null, oldShares: null };
  if (kind === 'cash_dividend' && amount) return { ...action, kind, figure: amount, ...others };
  if (kind === 'worthless') return { ...action, kind: 'delisting', figure: ZERO, ...others };
  throw new Error(`the announced action ${row.id} cannot be booked`);
};

/**
 * Processes a row that is due, as the domain decides: books it, closes it, or logs why it is not booked (contract 11).
 * @throws Refusal while another action of the stock is being booked
 */
export function processAnnounced(
  { unitOfWork, clock, live, log }: Pick<Core, 'unitOfWork' | 'clock' | 'live' | 'log'>,
  actions: StockActions,
): (row: AnnouncedAction) => Promise<void> {
  /** Changes the row in the transaction, unless it is processed already. */
  const change = async (
    stores: Stores,
    { id: actionId }: AnnouncedAction,
    status: AnnouncedStatus,
  ): Promise<boolean> => {
    const row = await stores.announcedActions.find(actionId);
    if (row?.status !== 'pending') return false;
    await stores.announcedActions.save({ ...row, status });
    return true;
  };

  const become = (row: AnnouncedAction, status: AnnouncedStatus): Promise<boolean> =>
    unitOfWork.run((stores) => change(stores, row, status));

  const book = async (row: AnnouncedAction): Promise<void> => {
    const action = bookable(row, clock.now());
    const save = async (): Promise<boolean> => {
      const stock = live.stocks.find(row.stockId);
      const delisted =
        stock && action.kind === 'delisting'
          ? [{ ...live.stocks.asSaved(stock), status: 'delisted' as const }]
          : [];
      const isSaved = await unitOfWork.run(async (stores) => {
        await requireNoPending(stores, row.stockId);
        // The row and the action are saved together: whoever comes second finds nothing to do.
        if (!(await change(stores, row, 'booked'))) return false;
        await stores.stocks.save(delisted);
        await stores.stockActions.save(action);
        return true;
      });
      if (!isSaved) return false;
      live.stocks.put(delisted);
      log.info(noticeOf(live, row), 'booking an announced corporate action');
      return true;
    };
    await actions.begin(row.stockId, action.kind, () => live.stocks.inTurn(save));
  };

  return async (row) => {
    const { stockId } = row;
    const from = row.dueAt - BACK;
    const { booked, known } = await unitOfWork.read(async (stores) => ({
      booked: await stores.stockActions.ofStock(stockId, from),
      known: (await stores.announcedActions.dueSince(from)).filter(
        (other) => other.stockId === stockId,
      ),
    }));
    const quotedAt = live.quotes.get(stockId)?.at;
    const isConcerned = live.strategiesConcerned(stockId).length > 0;
    switch (decideAnnounced(row, { now: clock.now(), quotedAt, booked, known })) {
      case 'wait':
        return;
      case 'book':
        return book(row);
      case 'close':
        await become(row, 'closed');
        return log.info(noticeOf(live, row), 'an announced corporate action was booked before');
      case 'hold':
        if (!(await become(row, 'held'))) return;
        live.quotes.lost([stockId]);
        return log.error(
          noticeOf(live, row),
          'a corporate action is not booked; its stock is halted until the operator sets it active (updateStocks)',
        );
      case 'miss':
        if ((await become(row, isConcerned ? 'missed' : 'closed')) && isConcerned)
          log.error(
            noticeOf(live, row),
            'a dividend was announced after its day and is not booked; newStockAction books it on the present holdings',
          );
    }
  };
}
