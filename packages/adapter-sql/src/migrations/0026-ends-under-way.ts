export const endsUnderWay = `
ALTER TABLE strategies ADD COLUMN end_under_way TEXT;
CREATE INDEX ends_under_way ON strategies (id) WHERE end_under_way IS NOT NULL;
`;
