/** The last price of each stock on each UTC day. */
export const dailyCloses = `
CREATE TABLE daily_closes (
  stock_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  at INTEGER NOT NULL,
  last TEXT NOT NULL,
  PRIMARY KEY (stock_id, day)
) STRICT, WITHOUT ROWID;
`;
