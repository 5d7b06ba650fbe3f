import { type RowOf, columnsOf, text } from '../storage/codec.js';

/** What a start knows its master key by. */
export const keyProofColumns = columnsOf<{ readonly name: string; readonly sealed: string }>()({
  name: text(),
  sealed: text(),
});

/** The table of one row that tells the master key. */
export interface KeyProofTable {
  readonly key_proofs: RowOf<typeof keyProofColumns>;
}

export const keyProofSchema = `
CREATE TABLE key_proofs (
  name TEXT PRIMARY KEY,
  sealed TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
