/** Bots of before get the defaults; `max_spread` null follows the setting. */
export const collars = `
ALTER TABLE bots ADD COLUMN price_collar TEXT NOT NULL DEFAULT '0.01';
ALTER TABLE bots ADD COLUMN max_spread TEXT;
UPDATE bots SET price_collar = '0.02' WHERE type = 'cryptocurrency';
`;
