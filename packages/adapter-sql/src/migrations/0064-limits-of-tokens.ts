/** Tokens of before have no limits. A tally of guesses has no total. */
export const limitsOfTokens = `
ALTER TABLE tokens ADD COLUMN limits TEXT;
ALTER TABLE tallies ADD COLUMN total TEXT NOT NULL DEFAULT '0';
`;
