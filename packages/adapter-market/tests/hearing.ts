import type { Quote } from '@slipstream/domain';
import type { FeedListener } from '@slipstream/ports';

/** Hears the quotes of a feed that knows no halts. */
export const hearing = (quotes: (quotes: readonly Quote[]) => void): FeedListener => ({
  quotes,
  status: (stockId) => {
    throw new Error(`a status of ${stockId}`);
  },
});
