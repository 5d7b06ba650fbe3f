import {
  type AnnouncedAction,
  type AnnouncedDecision,
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
import type { ReadStores, Stores } from '@slipstream/ports';
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

/** What is to be done for a row, as it is stored now. */
interface Decided {
  readonly row: AnnouncedAction;
  readonly decision: AnnouncedDecision;
}

/**
 * Processes a row that is due, as the domain decides: books it, closes it, or logs why it is not booked (contract 11).
 * @throws Refusal while another action of the stock is being booked
 */
export function processAnnounced(
  { unitOfWork, clock, live, log }: Pick<Core, 'unitOfWork' | 'clock' | 'live' | 'log'>,
  actions: StockActions,
): (row: AnnouncedAction) => Promise<void> {
  /** Undefined for a row that is processed already. */
  const decide = async (
    { announcedActions, stockActions }: Pick<ReadStores, 'announcedActions' | 'stockActions'>,
    { id: actionId }: AnnouncedAction,
  ): Promise<Decided | undefined> => {
    const row = await announcedActions.find(actionId);
    if (row?.status !== 'pending') return undefined;
    const { stockId } = row;
    const from = row.dueAt - BACK;
    const known = await announcedActions.dueSince(from);
    const decision = decideAnnounced(row, {
      now: clock.now(),
      quotedAt: live.quotes.get(stockId)?.at,
      booked: await stockActions.ofStock(stockId, from),
      known: known.filter((other) => other.stockId === stockId),
    });
    return { row, decision };
  };

  /**
   * Changes the row in the transaction, if what was decided still holds: its source may have said otherwise meanwhile, and the
   * operator may have booked it. The next turn decides anew then.
   */
  const change = async (
    stores: Stores,
    { row: before, decision }: Decided,
    status: AnnouncedStatus,
  ): Promise<AnnouncedAction | undefined> => {
    const now = await decide(stores, before);
    if (now?.decision !== decision || now.row.kind !== before.kind) return undefined;
    await stores.announcedActions.save({ ...now.row, status });
    return now.row;
  };

  const become = async (decided: Decided, status: AnnouncedStatus): Promise<boolean> =>
    (await unitOfWork.run((stores) => change(stores, decided, status))) !== undefined;

  /** Nothing trades from the commit on: what else is due may take long. */
  const hold = async (decided: Decided): Promise<boolean> => {
    const halt = (row: AnnouncedAction | undefined): void => {
      if (!row) return;
      live.stocks.setHalt(row.stockId, 'announced', true);
      live.quotes.lost([row.stockId]);
    };
    const held = await unitOfWork.run((stores) => change(stores, decided, 'held'), {
      onCommit: halt,
    });
    return held !== undefined;
  };

  const book = async (decided: Decided): Promise<void> => {
    const { stockId, kind } = bookable(decided.row, clock.now());
    const save = async (): Promise<boolean> => {
      const stock = live.stocks.find(stockId);
      const delisted =
        stock && kind === 'delisting'
          ? [{ ...live.stocks.asSaved(stock), status: 'delisted' as const }]
          : [];
      const isSaved = await unitOfWork.run(async (stores) => {
        await requireNoPending(stores, stockId);
        // The row and the action are saved together: whoever comes second finds nothing to do.
        const row = await change(stores, decided, 'booked');
        if (!row) return false;
        await stores.stocks.save(delisted);
        await stores.stockActions.save(bookable(row, clock.now()));
        return true;
      });
      if (!isSaved) return false;
      live.stocks.put(delisted);
      log.info(noticeOf(live, decided.row), 'booking an announced corporate action');
      return true;
    };
    await actions.begin(stockId, kind, () => live.stocks.inTurn(save));
  };

  return async (due) => {
    const decided = await unitOfWork.read((stores) => decide(stores, due));
    if (!decided) return;
    const { row, decision } = decided;
    const { stockId } = row;
    const isConcerned = live.strategiesConcerned(stockId).length > 0;
    switch (decision) {
      case 'wait':
        return;
      case 'book':
        return book(decided);
      case 'close':
        if (await become(decided, 'closed'))
          log.info(noticeOf(live, row), 'an announced corporate action was booked before');
        return;
      case 'hold':
        if (!(await hold(decided))) return;
        return log.error(
          noticeOf(live, row),
          'a corporate action is not booked; its stock is halted until the operator sets it active (updateStocks)',
        );
      case 'miss':
        if ((await become(decided, isConcerned ? 'missed' : 'closed')) && isConcerned)
          log.error(
            noticeOf(live, row),
            'a dividend was announced after its day and is not booked; newStockAction books it on the present holdings',
          );
    }
  };
}
