import {
  type Adjustment,
  type Book,
  type Market,
  type Outcome,
  Refusal,
  type Stock,
  type StrategyId,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { tellCuts } from '../alerts/inbox.js';
import { recordAdjustment, recordFills } from './record.js';
import type { Transaction } from '../transaction.js';

type Needs = Pick<Core, 'unitOfWork' | 'events' | 'clock' | 'live' | 'watch' | 'fingerprints'>;

/** The next book with its changes, and the corporate action's row if one changed it. */
export interface Decision extends Outcome {
  readonly adjustment?: Adjustment;
}

export interface ChangeOptions<Decided> {
  /** Rejects with `StorageUnavailable` if this returns false before the transaction starts. */
  readonly wanted?: (() => boolean) | undefined;
  /** Called at the commit, before the change is published. */
  readonly onCommit?: (decided: Decided) => void;
}

/** Saves the decision with its records. The orders are watched from here on, so that no quote is missed before the commit. */
async function save(
  { live, fingerprints }: Pick<Needs, 'live' | 'fingerprints'>,
  stores: Stores,
  { book, changes, adjustment }: Decision,
): Promise<void> {
  live.expect(changes);
  await stores.books.save(book, changes);
  if (adjustment) {
    await stores.adjustments.save(adjustment);
    // A delisting is recorded as its fill: with both entries, the record would end with a short holding.
    if (adjustment.kind !== 'delisting') await recordAdjustment(stores, fingerprints, adjustment);
  }
  await recordFills(stores, fingerprints, { book, changes });
  await tellCuts(stores, changes);
}

/**
 * Every change of a book by a command, a quote or a corporate action goes through here. One transaction loads the book, decides
 * and saves. At the commit the change enters memory and is published, in the order of the commits.
 */
export async function changeBook<Decided extends Decision>(
  core: Needs,
  strategyId: StrategyId,
  decide: (book: Book, market: Market<Stock>, stores: Transaction) => Promise<Decided> | Decided,
  { wanted, onCommit }: ChangeOptions<Decided> = {},
): Promise<Decided> {
  const { unitOfWork, events, clock, live, watch } = core;
  const work = async (stores: Transaction) => {
    const before = await stores.books.find(strategyId);
    if (!before) throw new Refusal('not_found', `strategy ${strategyId} does not exist`);
    const market = live.marketOf(strategyId, clock.now());
    const decided = await decide(before, market, stores);
    const isChanged = decided.changes.length > 0 || decided.adjustment !== undefined;
    if (isChanged) await save(core, stores, decided);
    return { before, decided, isChanged, at: market.now };
  };
  const publish = ({ before, decided, isChanged, at }: Awaited<ReturnType<typeof work>>) => {
    const { book: after, changes, adjustment } = decided;
    onCommit?.(decided);
    if (!isChanged) return;
    live.commit(after, changes);
    const adjusted = adjustment && { adjusted: adjustment.stockId };
    events.publish({ kind: 'book_changed', strategyId, at, before, after, changes, ...adjusted });
    // A split does not change the value; the quotes stay hidden until every book has it.
    if (adjustment?.kind !== 'split') watch.tell(strategyId);
  };
  try {
    return (await unitOfWork.run(work, { wanted, onCommit: publish })).decided;
  } catch (error) {
    // A refusal comes before any order is expected. A fault may come later; then the committed book decides which orders wait.
    if (!(error instanceof Refusal)) live.rewatch(strategyId);
    throw error;
  }
}
