import { type StrategyId, id } from '@slipstream/domain';
import type { HeadOfStrategy, TrackStore } from '@slipstream/ports';
import { build, insert, prepared } from '../storage/queries.js';
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
const strategyAfter = prepared<{ strategyId: StrategyId }>()((param) =>
  build
    .selectFrom('track_entries')
    .select('strategy_id')
    .where('strategy_id', '>', param('strategyId'))
    .orderBy('strategy_id')
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
const addEntry = insert('track_entries', trackColumns, 'strategy_id', 'seq');

export const sqlTrack = (session: Session): TrackStore => ({
  head: async (strategyId) => {
    const known = session.records.get('trackHeads', strategyId);
    if (known) return known;
    const head = await session.row(lastEntry({ strategyId }));
    if (head) session.records.read('trackHeads', strategyId, head);
    return head;
  },
  headsAfter: async (after, limit) => {
    const heads: HeadOfStrategy[] = [];
    const next = (before: StrategyId) => session.row(strategyAfter({ strategyId: before }));
    let row = await next(after ?? id(''));
    while (row && heads.length < limit) {
      const strategyId = id<'strategy'>(row.strategy_id);
      const head = await session.row(lastEntry({ strategyId }));
      if (head) heads.push({ strategyId, ...head });
      row = await next(strategyId);
    }
    return heads;
  },
  listAfter: (strategyId, seq, limit) =>
    session.list(entriesAfter({ strategyId, seq, limit }), trackColumns.load),
  save: async (entry) => {
    session.write(addEntry(entry));
    const { strategyId, seq, hash } = entry;
    session.records.written('trackHeads', strategyId, { seq, hash });
  },
});
