export const secondFactors = `
ALTER TABLE users ADD COLUMN second_factor TEXT;
ALTER TABLE users ADD COLUMN devices TEXT NOT NULL DEFAULT '[]';
`;
