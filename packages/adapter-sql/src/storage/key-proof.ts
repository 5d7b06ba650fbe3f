import type { KeyProofStore } from '@slipstream/ports';
import { build, prepared, upsert } from './queries.js';
import type { Session } from './session.js';
import { keyProofColumns } from './columns.js';

const ONLY = 'master key';

const theProof = prepared<object>()(() => build.selectFrom('key_proofs').selectAll().limit(1));
const saveProof = upsert('key_proofs', keyProofColumns, 'name');

export const sqlKeyProof = (session: Session): KeyProofStore => ({
  find: async () => (await session.row(theProof({})))?.sealed,
  save: async (sealed) => void session.write(saveProof({ name: ONLY, sealed })),
});
