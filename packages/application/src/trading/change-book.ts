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
import { type Event, StorageUnavailable, type Stores } from '@slipstream/ports';
import type { Core } from '../core.js';
import { recordCuts } from '../alerts/inbox.js';
import { startIfFresh } from '../performance/segments.js';
import { recordAdjustment, recordFills } from './record.js';
import type { Transaction } from '../transaction.js';

type Needs = Pick<Core, 'unitOfWork' | 'clock' | 'live' | 'fingerprints' | 'openings'>;

/** The next book with its changes, and the corporate action's row if one changed it. */
export interface Decision extends Outcome {
  readonly adjustment?: Adjustment;
  /** The market of the last fill, where it is another one than that of the decision. */
  readonly filledIn?: Market | undefined;
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
  { book, changes, adjustment, filledIn }: Decision,
  market: Market,
): Promise<void> {
  live.expect(changes);
  await stores.books.save(book, changes);
  if (adjustment) {
    await stores.adjustments.save(adjustment);
    // A delisting is recorded as its fill: with both entries, the record would end with a short holding.
    if (adjustment.kind !== 'delisting') await recordAdjustment(stores, fingerprints, adjustment);
  }
  await recordFills(stores, fingerprints, { book, changes }, filledIn ?? market);
  await recordCuts(stores, changes, market.now);
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

type Decide<Decided> = (
  book: Book,
  market: Market<Stock>,
  stores: Transaction,
) => Promise<Decided> | Decided;

/**
 * Changes the book by a command or a corporate action. Quotes whose matching failed at the storage are matched first: otherwise
 * the command would be sized at the quote before them.
 *
 * @throws StorageUnavailable if that fails again; nothing is changed then.
 */
export async function changeBook<Decided extends Decision>(
  core: Needs,
  strategyId: StrategyId,
  decide: Decide<Decided>,
  options?: ChangeOptions<Decided>,
): Promise<Decided> {
  const { backlogs } = core.live;
  const retried = backlogs.find(strategyId)?.retry?.();
  if (retried) await retried;
  return await changeMatchedBook(
    core,
    strategyId,
    (book, market, stores) => {
      if (backlogs.find(strategyId)?.retry)
        throw new StorageUnavailable('the book could not be matched with the last quotes');
      return decide(book, market, stores);
    },
    options,
  );
}

/**
 * Every change of a book goes through here; the matching itself calls it. One transaction loads the book, decides and saves. At
 * the commit the change enters memory; then it is published, in the order of the commits.
 */
export async function changeMatchedBook<Decided extends Decision>(
  core: Needs,
  strategyId: StrategyId,
  decide: Decide<Decided>,
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
