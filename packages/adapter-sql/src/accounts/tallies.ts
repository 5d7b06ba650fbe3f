import type { TallyStore } from '@slipstream/ports';
import { build, once, upsert, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { chunks, dueKeys } from '../storage/lists.js';
import { tallyColumns } from './columns.js';

const tallyByName = rowBy('tallies', 'name');
const expiredTallies = dueKeys('tallies', 'ends_at', 'name');
const saveTally = upsert('tallies', tallyColumns, 'name');

export const sqlTallies = (session: Session): TallyStore => ({
  find: (name) => session.find(tallyByName(name), tallyColumns.load),
  expired: (now, limit) => session.list(expiredTallies({ now, limit }), ({ name }) => name),
  save: async (tally) => void session.write(saveTally(tally)),
  remove: async (names) => {
    for (const some of chunks(names))
      session.write(once(build.deleteFrom('tallies').where('name', 'in', some)));
  },
});
