/** Users of before have no name. The key is unique; a name is not, because its letters may differ in case. */
export const namesOfUsers = `
ALTER TABLE users ADD COLUMN name TEXT;
ALTER TABLE users ADD COLUMN name_key TEXT;
CREATE UNIQUE INDEX users_by_name ON users (name_key) WHERE name_key IS NOT NULL;
`;
