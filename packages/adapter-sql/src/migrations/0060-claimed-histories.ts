/** The imported history of each strategy that has one, and its span. */
export const claimedHistories = `
CREATE TABLE claimed_histories (
  strategy_id TEXT NOT NULL PRIMARY KEY REFERENCES strategies (id),
  points TEXT NOT NULL
) STRICT, WITHOUT ROWID;
ALTER TABLE strategies ADD COLUMN claimed TEXT;
`;
