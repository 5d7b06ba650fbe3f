import type { Quote } from '@slipstream/domain';
import type { FeedListener } from '@slipstream/ports';

/** Hears the quotes of a feed that knows no halts and loses nothing. */
export const hearing = (quotes: (quotes: readonly Quote[]) => void): FeedListener => ({
  quotes,
  lost: ([stockId]) => {
    throw new Error(`lost ${stockId}`);
  },
  status: (stockId) => {
    throw new Error(`a status of ${stockId}`);
  },
});
