import type { AnchorStore } from '@slipstream/ports';
import { sql } from 'kysely';
import { build, insert, prepared, rowBy } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { anchorBranchColumns, anchorColumns } from './columns.js';

const stampOf = anchorColumns.fields.stamp;

const newest = prepared<object>()(() =>
  build
    .selectFrom('anchors')
    .selectAll()
    // Every day is later: SQLite then searches the index instead of walking it.
    .where('day', '>', sql.lit('0'))
    .orderBy('day', 'desc')
    .limit(1),
);
const ofDay = rowBy('anchors', 'day');
const daysFrom = prepared<{ day: string; limit: number }>()((param) =>
  build
    .selectFrom('anchors')
    .selectAll()
    .where('day', '>=', param('day'))
    .orderBy('day')
    .limit(param('limit')),
);
const withoutStamp = prepared<{ limit: number }>()((param) =>
  build
    .selectFrom('anchors')
    .selectAll()
    .where('stamp', 'is', null)
    .orderBy('day', 'desc')
    .limit(param('limit')),
);
const branchOfChain = prepared<{ day: string; chain: string }>()((param) =>
  build
    .selectFrom('anchor_branches')
    .selectAll()
    .where('day', '=', param('day'))
    .where('last_chain', '>=', param('chain'))
    .orderBy('last_chain')
    .limit(1),
);
const branchesAfter = prepared<{ day: string; branch: number; limit: number }>()((param) =>
  build
    .selectFrom('anchor_branches')
    .selectAll()
    .where('day', '=', param('day'))
    .where('branch', '>=', param('branch'))
    .orderBy('branch')
    .limit(param('limit')),
);
const addAnchor = insert('anchors', anchorColumns, 'day');
const addBranch = insert('anchor_branches', anchorBranchColumns, 'day', 'branch');
const stampAnchor = prepared<{ day: string; stamp: string | null }>()((param) =>
  build
    .updateTable('anchors')
    .set({ stamp: param('stamp') })
    .where('day', '=', param('day')),
);

const branchFrom = (row: object) => {
  const { branch: index, leaves } = anchorBranchColumns.load(row);
  return { index, leaves };
};

export const sqlAnchors = (session: Session): AnchorStore => {
  const loaded = (row: object | undefined) => row && anchorColumns.load(row);
  return {
    last: async () => loaded(await session.row(newest({}))),
    find: async (day) => loaded(await session.row(ofDay(day))),
    listFrom: (day, limit) => session.list(daysFrom({ day, limit }), anchorColumns.load),
    unstamped: (limit) => session.list(withoutStamp({ limit }), anchorColumns.load),
    branchWith: (day, chain) => session.find(branchOfChain({ day, chain }), branchFrom),
    branchesFrom: (day, branch, limit) =>
      session.list(branchesAfter({ day, branch, limit }), branchFrom),
    save: async (anchor, branches) => {
      const { day, stamp } = anchor;
      if (!branches) {
        session.write(stampAnchor({ day, stamp: stampOf.store(stamp) }), 1);
        return;
      }
      session.write(addAnchor(anchor));
      for (const [branch, leaves] of branches.entries()) {
        const lastChain = leaves.at(-1)?.chain ?? '';
        session.write(addBranch({ day, branch, lastChain, leaves }));
      }
    },
  };
};
