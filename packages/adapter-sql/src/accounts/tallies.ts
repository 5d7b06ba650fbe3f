import type { Timestamp } from '@slipstream/domain';
import type { TallyStore } from '@slipstream/ports';
import { build, once, prepared, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { chunks } from '../storage/lists.js';
import { tallyColumns } from './columns.js';

const tallyByName = prepared<{ name: string }>()((param) =>
  build.selectFrom('tallies').selectAll().where('name', '=', param('name')),
);
const expiredTallies = prepared<{ now: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('tallies')
    .select('name')
    .where('ends_at', '<=', param('now'))
    .orderBy('ends_at')
    .orderBy('name')
    .limit(param('limit')),
);
const saveTally = upsert('tallies', tallyColumns, 'name');

export const sqlTallies = (session: Session): TallyStore => ({
  find: (name) => session.find(tallyByName({ name }), tallyColumns.load),
  expired: (now, limit) => session.list(expiredTallies({ now, limit }), ({ name }) => name),
  save: async (tally) => void session.write(saveTally(tally)),
  remove: async (names) => {
    for (const some of chunks(names))
      session.write(once(build.deleteFrom('tallies').where('name', 'in', some)));
  },
});
