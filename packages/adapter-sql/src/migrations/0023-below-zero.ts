export const belowZero = `
ALTER TABLE strategies ADD COLUMN below_zero_for INTEGER NOT NULL DEFAULT 0;
ALTER TABLE strategies ADD COLUMN ended_at INTEGER;
CREATE INDEX strategies_below_zero ON strategies (id) WHERE below_zero_for > 0 OR ended_at IS NOT NULL;
`;
