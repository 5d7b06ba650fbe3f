import type { Core } from '../../core.js';

/** The number of closes of days that are stored in one transaction. */
const CLOSES_AT_ONCE = 200;

/** Stores the latest quotes and the closes of days that are over. What could not be stored stays for the next call. */
export function saveQuotes({
  unitOfWork,
  live,
}: Pick<Core, 'unitOfWork' | 'live'>): () => Promise<void> {
  /** Closes are stored before the quotes that replace them: after a crash in between, the same closes come again. */
  const saveCloses = async (): Promise<void> => {
    const closes = live.quotes.takeUnsavedCloses();
    for (let at = 0; at < closes.length; at += CLOSES_AT_ONCE) {
      const some = closes.slice(at, at + CLOSES_AT_ONCE);
      try {
        await unitOfWork.run((stores) => stores.dailyCloses.save(some));
      } catch (error) {
        live.quotes.putBackCloses(closes.slice(at));
        throw error;
      }
    }
  };

  const save = async (): Promise<void> => {
    // Taken together: a quote of a new day must not be stored before the close that it replaces.
    const quotes = live.quotes.takeUnsaved();
    let areSaved = false;
    try {
      await saveCloses();
      if (quotes.size > 0)
        await unitOfWork.run((stores) => stores.quotes.save([...quotes.values()]));
      areSaved = true;
    } finally {
      live.quotes.endSave(quotes, areSaved);
    }
  };

  // One after another: what failed would else be stored after a later quote.
  let last: Promise<void> = Promise.resolve();
  return () => (last = last.then(save, save));
}
