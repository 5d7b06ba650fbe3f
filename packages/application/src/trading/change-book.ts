import {
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
import { recordFills } from './record.js';

type Needs = Pick<Core, 'unitOfWork' | 'events' | 'clock' | 'floor' | 'watch' | 'fingerprints'>;

/**
 * The one way a book changes: loaded, decided and saved in one transaction; with the commit the floor has it and
 * everybody is told, in the order of the commits; `committed` first. What is no longer `wanted` when it is to begin is
 * not done.
 */
export const changeBook =
  ({ unitOfWork, events, clock, floor, watch, fingerprints }: Needs, wanted?: () => boolean) =>
  async <Decided extends Outcome>(
    strategyId: StrategyId,
    decide: (book: Book, market: Market<Stock>, stores: Stores) => Promise<Decided> | Decided,
    committed?: (decided: Decided) => void,
  ): Promise<Decided> => {
    const work = async (stores: Stores) => {
      const before = await stores.books.find(strategyId);
      if (!before) throw new Refusal('not_found', `strategy ${strategyId} does not exist`);
      const market = floor.marketOf(strategyId, clock.now());
      const decided = await decide(before, market, stores);
      if (decided.changes.length > 0) {
        floor.expect(decided.changes);
        await stores.books.save(decided.book, decided.changes);
        await recordFills(stores, fingerprints, decided);
        await tellCuts(stores, decided.changes);
      }
      return { before, decided, at: market.now };
    };
    const tell = ({ before, decided, at }: Awaited<ReturnType<typeof work>>): void => {
      const { book: after, changes } = decided;
      committed?.(decided);
      if (changes.length === 0) return;
      floor.commit(after, changes);
      events.publish({ kind: 'book_changed', strategyId, at, before, after, changes });
      watch.tell(strategyId);
    };
    try {
      return (await unitOfWork.run(work, { wanted, committed: tell })).decided;
    } catch (error) {
      // A refusal comes before anything is expected; a fault may come after, and then the committed book says what waits.
      if (!(error instanceof Refusal)) floor.rewatch(strategyId);
      throw error;
    }
  };
