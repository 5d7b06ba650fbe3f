import type { StrategyId, TrackEntry } from '@slipstream/domain';
import type { TrackStore } from '@slipstream/ports';
import { build, prepared } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { trackColumns } from './columns.js';

const lastEntry = prepared<{ strategyId: StrategyId }>()((param) =>
  build
    .selectFrom('track_entries')
    .select(['seq', 'hash'])
    .where('strategy_id', '=', param('strategyId'))
    .orderBy('seq', 'desc')
    .limit(1),
);
const entriesAfter = prepared<{ strategyId: StrategyId; seq: number; limit: number }>()((param) =>
  build
    .selectFrom('track_entries')
    .selectAll()
    .where('strategy_id', '=', param('strategyId'))
    .where('seq', '>', param('seq'))
    .orderBy('seq')
    .limit(param('limit')),
);
const addEntry = prepared<TrackEntry>()((param) =>
  build.insertInto('track_entries').values({
    strategy_id: param('strategyId'),
    seq: param('seq'),
    kind: param('kind'),
    at: param('at'),
    body: param('body'),
    previous_hash: param('previousHash'),
    hash: param('hash'),
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
