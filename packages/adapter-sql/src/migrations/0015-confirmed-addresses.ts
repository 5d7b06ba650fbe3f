export const confirmedAddresses = `
ALTER TABLE users ADD COLUMN confirm_by INTEGER;
CREATE INDEX users_to_confirm ON users (confirm_by, id) WHERE confirm_by IS NOT NULL;
ALTER TABLE account_codes ADD COLUMN email TEXT;
`;
