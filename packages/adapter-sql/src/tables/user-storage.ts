/** How much is kept of what a user sent: by triggers, so that no write can forget it and nobody has to sum. */
export interface StorageTable {
  readonly user_storage: { readonly user_id: string; readonly octets: number };
}

/** Each table that counts, with the text that grows. */
const COUNTED = [
  ['alerts', 'body'],
  ['posts', 'text'],
  ['kept_answers', 'sealed_answer'],
  ['strategies', 'description'],
] as const;

const lengthOf = (text: string): string => `ifnull(octet_length(${text}), 0)`;

const counting = ([table, text]: (typeof COUNTED)[number]): string => `
INSERT INTO user_storage
  SELECT user_id, sum(1024 + ${lengthOf(text)}) FROM ${table} WHERE user_id IS NOT NULL GROUP BY user_id
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
CREATE TRIGGER storage_new_${table} AFTER INSERT ON ${table} WHEN NEW.user_id IS NOT NULL BEGIN
  INSERT INTO user_storage VALUES (NEW.user_id, 1024 + ${lengthOf(`NEW.${text}`)})
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_${table} AFTER UPDATE OF user_id, ${text} ON ${table}
WHEN NEW.user_id IS NOT OLD.user_id OR ${lengthOf(`NEW.${text}`)} <> ${lengthOf(`OLD.${text}`)} BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ${lengthOf(`OLD.${text}`)} WHERE user_id = OLD.user_id;
  INSERT INTO user_storage
    SELECT NEW.user_id, 1024 + ${lengthOf(`NEW.${text}`)} WHERE NEW.user_id IS NOT NULL
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_old_${table} AFTER DELETE ON ${table} WHEN OLD.user_id IS NOT NULL BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ${lengthOf(`OLD.${text}`)} WHERE user_id = OLD.user_id;
END;
`;

/** `octets` of `UserStore.stored`. */
export const storageSchema = `
ALTER TABLE kept_answers ADD COLUMN user_id TEXT;
CREATE INDEX answers_of_user ON kept_answers (user_id, created_at)
  WHERE user_id IS NOT NULL AND sealed_answer IS NOT NULL;

CREATE TABLE user_storage (
  user_id TEXT PRIMARY KEY,
  octets INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
${COUNTED.map(counting).join('')}`;
