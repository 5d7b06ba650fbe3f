import { trigger } from './triggers.js';

/** A row of these counts with its text. */
const TABLES = {
  alerts: 'body',
  posts: 'text',
  kept_answers: 'sealed_answer',
  strategies: 'description',
} as const;

const octets = (row: 'NEW' | 'OLD', column: string): string =>
  `1024 + coalesce(octet_length(${row}.${column}), 0)`;

const add = (column: string): string => `
  INSERT INTO user_storage VALUES (NEW.user_id, ${octets('NEW', column)})
    ON CONFLICT (user_id) DO UPDATE SET octets = user_storage.octets + excluded.octets;`;
const take = (column: string): string => `
  UPDATE user_storage SET octets = octets - (${octets('OLD', column)}) WHERE user_id = OLD.user_id;`;

const counting = (table: string, column: string): string => `
${trigger(`storage_new_${table}`, 'AFTER INSERT', table, add(column), 'NEW.user_id IS NOT NULL')}
${trigger(
  `storage_${table}`,
  `AFTER UPDATE OF user_id, ${column}`,
  table,
  `${take(column)} IF NEW.user_id IS NOT NULL THEN ${add(column)} END IF;`,
  `NEW.user_id IS DISTINCT FROM OLD.user_id OR ${octets('NEW', column)} <> ${octets('OLD', column)}`,
)}
${trigger(`storage_old_${table}`, 'AFTER DELETE', table, take(column), 'OLD.user_id IS NOT NULL')}`;

/** The column that SQLite's triggers need to be cheap: these ones stay, because PostgreSQL copies no pages. */
export const octetsOfAlertsIn = 'ALTER TABLE alerts ADD COLUMN octets BIGINT;';

/** What each user stores. Triggers keep it, so that no write can omit it and no read has to sum. */
export const userStorageIn = `
ALTER TABLE kept_answers ADD COLUMN user_id TEXT COLLATE "C";
CREATE INDEX answers_of_user ON kept_answers (user_id, created_at)
  WHERE user_id IS NOT NULL AND sealed_answer IS NOT NULL;
CREATE TABLE user_storage (user_id TEXT COLLATE "C" PRIMARY KEY, octets BIGINT NOT NULL);
${Object.entries(TABLES)
  .map(([table, column]) => counting(table, column))
  .join('\n')}
`;
