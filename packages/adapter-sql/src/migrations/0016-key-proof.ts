export const keyProof = `
CREATE TABLE key_proofs (
  name TEXT PRIMARY KEY,
  sealed TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
