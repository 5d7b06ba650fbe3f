import type { Tally } from '@slipstream/ports';
import { type RowOf, columnsOf, integer, text } from '../storage/codec.js';

/** How often something was tried. */
export const tallyColumns = columnsOf<Tally>()({
  name: text(),
  count: integer,
  endsAt: integer,
});

/** The table of tallies. */
export interface TallyTable {
  readonly tallies: RowOf<typeof tallyColumns>;
}

export const tallySchema = `
CREATE TABLE tallies (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tallies_by_end ON tallies (ends_at, name);
`;
