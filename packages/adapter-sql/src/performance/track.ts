import type { StrategyId, TrackEntry } from '@slipstream/domain';
import type { TrackStore } from '@slipstream/ports';
import { build, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { trackColumns } from './columns.js';

const lastEntry = prepared<{ strategyId: StrategyId }>()((slot) =>
  build
    .selectFrom('track_entries')
    .select(['seq', 'hash'])
    .where('strategy_id', '=', slot('strategyId'))
    .orderBy('seq', 'desc')
    .limit(1),
);
const entriesAfter = prepared<{ strategyId: StrategyId; seq: number; limit: number }>()((slot) =>
  build
    .selectFrom('track_entries')
    .selectAll()
    .where('strategy_id', '=', slot('strategyId'))
    .where('seq', '>', slot('seq'))
    .orderBy('seq')
    .limit(slot('limit')),
);
const addEntry = prepared<TrackEntry>()((slot) =>
  build.insertInto('track_entries').values({
    strategy_id: slot('strategyId'),
    seq: slot('seq'),
    kind: slot('kind'),
    at: slot('at'),
    body: slot('body'),
    previous_hash: slot('previousHash'),
    hash: slot('hash'),
  }),
);

export const sqlTrack = (session: Session): TrackStore => ({
  head: async (strategyId) => {
    const known = session.records.get('trackHeads', strategyId);
    if (known) return known;
    const head = session.row(lastEntry({ strategyId }));
    if (head) session.records.read('trackHeads', strategyId, head);
    return head;
  },
  listAfter: async (strategyId, seq, limit) =>
    session.rows(entriesAfter({ strategyId, seq, limit })).map(trackColumns.load),
  save: async (entry) => {
    session.write(addEntry(entry));
    const { strategyId, seq, hash } = entry;
    session.records.written('trackHeads', strategyId, { seq, hash });
  },
});
