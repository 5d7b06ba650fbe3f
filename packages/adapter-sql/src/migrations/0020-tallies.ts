export const tallies = `
CREATE TABLE tallies (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tallies_by_end ON tallies (ends_at, name);
`;
