export const costsOfPositions = `
ALTER TABLE positions ADD COLUMN cost TEXT;
ALTER TABLE positions ADD COLUMN dividends TEXT;
`;
