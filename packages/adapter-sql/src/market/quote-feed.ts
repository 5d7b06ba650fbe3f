import type { QuoteFeedStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { quoteFeedColumns } from './columns.js';

const ONLY = 'quotes';
const theFeed = prepared<object>()(() => build.selectFrom('quote_feeds').selectAll().limit(1));
const saveFeed = upsert('quote_feeds', quoteFeedColumns, 'name');

export const sqlQuoteFeed = (session: Session): QuoteFeedStore => ({
  find: async () => {
    const row = await session.row(theFeed({}));
    return row && { feed: row.feed, since: row.since };
  },
  save: async (feed) => void session.write(saveFeed({ name: ONLY, ...feed })),
});
