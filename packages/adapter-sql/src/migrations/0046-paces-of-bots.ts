/** Bots of before rebalance at every trade. */
export const pacesOfBots = `
ALTER TABLE bots ADD COLUMN rebalance TEXT NOT NULL DEFAULT '"every_trade"';
ALTER TABLE bots ADD COLUMN pace TEXT NOT NULL
  DEFAULT '{"begunAt":null,"lastAt":null,"usedAt":null,"reducesAtOnce":true,"turning":[]}';
`;
