import {
  type Adjustment,
  type Book,
  type Market,
  type Outcome,
  Refusal,
  type Stock,
  type StrategyId,
  type Timestamp,
} from '@slipstream/domain';
import type { Event, Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { recordCuts } from '../alerts/inbox.js';
import { startIfFresh } from '../performance/segments.js';
import { recordAdjustment, recordFills } from './record.js';
import type { Transaction } from '../transaction.js';

type Needs = Pick<Core, 'unitOfWork' | 'clock' | 'live' | 'fingerprints' | 'openings'>;

/** The next book with its changes, and the corporate action's row if one changed it. */
export interface Decision extends Outcome {
  readonly adjustment?: Adjustment;
}

export interface ChangeOptions<Decided> {
  /** Rejects with `StorageUnavailable` if this returns false before the transaction starts. */
  readonly isWanted?: (() => boolean) | undefined;
  /** Called at the commit, when memory has the change and before it is published. */
  readonly onCommit?: (decided: Decided) => void;
}

/** Saves the decision with its records. The orders are watched from here on, so that no quote is missed before the commit. */
async function save(
  { live, fingerprints }: Pick<Needs, 'live' | 'fingerprints'>,
  stores: Stores,
  { book, changes, adjustment }: Decision,
  market: Market,
): Promise<void> {
  live.expect(changes);
  await stores.books.save(book, changes);
  if (adjustment) {
    await stores.adjustments.save(adjustment);
    // A delisting is recorded as its fill: with both entries, the record would end with a short holding.
    if (adjustment.kind !== 'delisting') await recordAdjustment(stores, fingerprints, adjustment);
  }
  await recordFills(stores, fingerprints, { book, changes }, market);
  await recordCuts(stores, changes);
}

const isChanged = ({ changes, adjustment }: Decision): boolean =>
  changes.length > 0 || adjustment !== undefined;

function bookChanged(
  before: Book,
  { book: after, changes, adjustment }: Decision,
  at: Timestamp,
): Event {
  const { strategyId } = before;
  const adjusted = adjustment && { adjusted: adjustment };
  return { kind: 'book_changed', strategyId, at, before, after, changes, ...adjusted };
}

/**
 * Every change of a book by a command, a quote or a corporate action goes through here. One transaction loads the book, decides
 * and saves. At the commit the change enters memory; then it is published, in the order of the commits.
 */
export async function changeBook<Decided extends Decision>(
  core: Needs,
  strategyId: StrategyId,
  decide: (book: Book, market: Market<Stock>, stores: Transaction) => Promise<Decided> | Decided,
  { isWanted, onCommit }: ChangeOptions<Decided> = {},
): Promise<Decided> {
  const { unitOfWork, clock, live, openings } = core;
  const work = async (stores: Transaction) => {
    const before = await stores.books.find(strategyId);
    if (!before) throw new Refusal('not_found', `strategy ${strategyId} does not exist`);
    const market = live.marketOf(strategyId, clock.now());
    if (openings.has(strategyId)) await startIfFresh(core, stores, before, market);
    const decided = await decide(before, market, stores);
    if (isChanged(decided)) {
      await save(core, stores, decided, market);
      await stores.events.add(bookChanged(before, decided, market.now));
    }
    return decided;
  };
  const enterMemory = (decided: Decided): void => {
    if (isChanged(decided)) live.commit(decided.book, decided.changes);
    onCommit?.(decided);
  };
  try {
    return await unitOfWork.run(work, { isWanted, onCommit: enterMemory });
  } catch (error) {
    // A refusal comes before any order is expected. A fault may come later; then the committed book decides which orders wait.
    if (!(error instanceof Refusal)) live.rewatch(strategyId);
    throw error;
  }
}
