import {
  type AnnouncedAction,
  DAY,
  HOUR,
  MINUTE,
  Refusal,
  type StockId,
  type Timestamp,
  contradicted,
  followSource,
  hasFigures,
  id,
} from '@slipstream/domain';
import { type Stores, isSure } from '@slipstream/ports';
import { chunksOf } from '../chunks-of.js';
import type { Core } from '../core.js';
import { runEach } from '../run-each.js';
import type { StockActions } from './apply-stock-actions.js';
import { BACK, noticeOf, processAnnounced } from './process-announced.js';
import { Throttle } from '../housekeeping/throttle.js';

/** The source is asked so often, and again so soon after a failure or while a stock is held. */
const ASKED = HOUR;
const ASKED_SOON = 5 * MINUTE;
/** How far ahead the source is asked. */
const AHEAD = 14 * DAY;
/** The rows of one transaction. */
const AT_ONCE = 50;

/** Corporate actions that a source announces, each booked once when it is due (contract 11). */
export interface AnnouncedFollower {
  /** Reads the rows and processes those that are due. Called before the market starts; `ranAt`: when a server ran last, if one did. */
  start(ranAt: Timestamp | undefined): Promise<void>;
  /** Processes the rows that are due. */
  tick(): Promise<void>;
  /** Asks the source, if it is time to; it may take long. */
  follow(): Promise<void>;
  /** The stocks that are held because of an announced action, with its name. */
  held(): ReadonlyMap<StockId, string>;
}

export function announcedActions(core: Core, actions: StockActions): AnnouncedFollower {
  const { unitOfWork, clock, live, log, fingerprints, pause, announcedActions: source } = core;
  const processOne = processAnnounced(core, actions);
  let rows: readonly AnnouncedAction[] = [];
  let askedAt: Timestamp = -Infinity;
  /** When the source answered last; at the start when a server ran last, which had asked it until then. */
  let answeredAt: Timestamp = Infinity;
  const throttle = new Throttle();
  let isProcessing = false;
  const contradictions = new Set<string>();

  /** Takes over what the open rows say: which stocks are held, and which quotes are in shares that are not booked yet. */
  const showOpen = (open: readonly AnnouncedAction[]): void => {
    const before = rows;
    rows = open;
    for (const { stockId, status } of before) {
      live.quotes.expectSplit(stockId, undefined);
      if (
        status === 'held' &&
        !rows.some((row) => row.stockId === stockId && row.status === 'held')
      )
        live.stocks.setHalt(stockId, 'announced', false);
    }
    for (const row of rows.toReversed()) {
      if (row.status === 'held') live.stocks.setHalt(row.stockId, 'announced', true);
      else if (row.kind === 'split') live.quotes.expectSplit(row.stockId, row.dueAt);
    }
  };

  /**
   * Shown by the transaction that changes them: a read of its own could fail, and nobody would know of a split that is due. And at its
   * commit: what an earlier one saw is never shown after what a later one did.
   */
  const showAfter = async (change: (stores: Stores) => Promise<void>): Promise<void> => {
    const changed = async (stores: Stores) => {
      await change(stores);
      return stores.announcedActions.open();
    };
    await unitOfWork.run(changed, { onCommit: showOpen });
  };

  const processDue = async (): Promise<void> => {
    if (isProcessing) return;
    isProcessing = true;
    try {
      const now = clock.now();
      const due = rows.filter(({ status, dueAt }) => status === 'pending' && dueAt <= now);
      // A dividend is paid on the shares before a split of the same day.
      const inOrder = due.toSorted(
        (one, other) =>
          one.dueAt - other.dueAt ||
          Number(one.kind !== 'cash_dividend') - Number(other.kind !== 'cash_dividend'),
      );
      const waiting = new Set<StockId>();
      const processInTurn = async (row: AnnouncedAction): Promise<void> => {
        // One of the stock before it is still to be done: a dividend would be paid on the shares after its split.
        if (waiting.has(row.stockId)) return;
        try {
          await processOne(row);
        } catch (error) {
          waiting.add(row.stockId);
          // Another action of the stock is being done: this one comes after it.
          if (!(error instanceof Refusal)) throw error;
        }
      };
      const steps = inOrder.map((row) => () => processInTurn(row));
      await runEach(due.length > 0 ? [...steps, () => showAfter(async () => undefined)] : []);
    } finally {
      isProcessing = false;
    }
  };

  /** What is booked stays booked: whether and how it is to be corrected is for the operator to say. Each is told once. */
  const tellContradicted = (rows: readonly AnnouncedAction[]): void => {
    for (const row of rows) {
      if (contradictions.has(row.id)) continue;
      contradictions.add(row.id);
      log.error(
        noticeOf(live, row),
        'the source says otherwise of a corporate action that is booked; a correction is not booked: newStockAction books the difference',
      );
    }
  };

  const save = async (
    sourced: readonly Omit<AnnouncedAction, 'status' | 'seenAt'>[],
    window: Parameters<typeof followSource>[2] & { readonly from: Timestamp },
  ): Promise<void> => {
    const known = await unitOfWork.read((stores) => stores.announcedActions.dueSince(window.from));
    tellContradicted(contradicted(known, sourced));
    const changed = followSource(known, sourced, window);
    for (const some of chunksOf(changed, AT_ONCE)) {
      await showAfter(async (stores) => {
        for (const row of some) {
          const present = await stores.announcedActions.find(row.id);
          const isOpen = !present || ['pending', 'withdrawn'].includes(present.status);
          if (isOpen) await stores.announcedActions.save(row);
        }
      });
      // As for every held stock: nothing trades at the quotes of before.
      live.quotes.lost(some.flatMap(({ stockId, status }) => (status === 'held' ? [stockId] : [])));
      await pause();
    }
    const others = changed.filter(
      (row) => row.status === 'pending' && (row.kind === 'other' || !hasFigures(row)),
    );
    for (const row of others)
      log.warn(noticeOf(live, row), 'a corporate action that is not booked will halt its stock');
  };

  return {
    async start(ranAt) {
      answeredAt = ranAt ?? Infinity;
      // Nothing changes them yet.
      showOpen(await unitOfWork.read((stores) => stores.announcedActions.open()));
      await processDue();
    },
    async tick() {
      if (isSure(clock)) await processDue();
    },
    async follow() {
      const now = clock.now();
      const isNewlyHeld = [...live.guard.all().values()].some(({ since }) => since > askedAt);
      if (!source || (!throttle.isDue(now) && !isNewlyHeld)) return;
      askedAt = now;
      throttle.done(now, ASKED_SOON);
      const [from, until] = [Math.min(now, answeredAt) - BACK, now + AHEAD];
      const stocks = live.stocks
        .all()
        .filter(({ security, status }) => security === 'stock' && status !== 'delisted');
      const { actions: sourced, unanswered } = await source.between(stocks, from, until);
      const named = sourced.map(({ sourceId, ...action }) => ({
        ...action,
        id: id<'announced_action'>(fingerprints.of('announced', source.source, sourceId)),
      }));
      await save(named, { from, until, now, unanswered });
      answeredAt = now;
      if (live.guard.all().size === 0) throttle.done(now, ASKED);
      if (isSure(clock)) await processDue();
    },
    held: () =>
      new Map(
        // The operator's word ends a hold at once; the rows are read again when something is due.
        rows.flatMap(({ stockId, status, name }) =>
          status === 'held' &&
          live.stocks.isHaltedBy(stockId, 'announced') &&
          live.stocks.find(stockId)?.status !== 'delisted'
            ? [[stockId, name]]
            : [],
        ),
      ),
  };
}
