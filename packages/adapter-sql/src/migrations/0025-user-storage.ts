export const userStorage = `
ALTER TABLE kept_answers ADD COLUMN user_id TEXT;
CREATE INDEX answers_of_user ON kept_answers (user_id, created_at)
  WHERE user_id IS NOT NULL AND sealed_answer IS NOT NULL;

CREATE TABLE user_storage (
  user_id TEXT PRIMARY KEY,
  octets INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO user_storage
  SELECT user_id, sum(1024 + ifnull(octet_length(body), 0)) FROM alerts WHERE user_id IS NOT NULL GROUP BY user_id
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
CREATE TRIGGER storage_new_alerts AFTER INSERT ON alerts WHEN NEW.user_id IS NOT NULL BEGIN
  INSERT INTO user_storage VALUES (NEW.user_id, 1024 + ifnull(octet_length(NEW.body), 0))
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_alerts AFTER UPDATE OF user_id, body ON alerts
WHEN NEW.user_id IS NOT OLD.user_id OR ifnull(octet_length(NEW.body), 0) <> ifnull(octet_length(OLD.body), 0) BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.body), 0) WHERE user_id = OLD.user_id;
  INSERT INTO user_storage
    SELECT NEW.user_id, 1024 + ifnull(octet_length(NEW.body), 0) WHERE NEW.user_id IS NOT NULL
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_old_alerts AFTER DELETE ON alerts WHEN OLD.user_id IS NOT NULL BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.body), 0) WHERE user_id = OLD.user_id;
END;

INSERT INTO user_storage
  SELECT user_id, sum(1024 + ifnull(octet_length(text), 0)) FROM posts WHERE user_id IS NOT NULL GROUP BY user_id
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
CREATE TRIGGER storage_new_posts AFTER INSERT ON posts WHEN NEW.user_id IS NOT NULL BEGIN
  INSERT INTO user_storage VALUES (NEW.user_id, 1024 + ifnull(octet_length(NEW.text), 0))
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_posts AFTER UPDATE OF user_id, text ON posts
WHEN NEW.user_id IS NOT OLD.user_id OR ifnull(octet_length(NEW.text), 0) <> ifnull(octet_length(OLD.text), 0) BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.text), 0) WHERE user_id = OLD.user_id;
  INSERT INTO user_storage
    SELECT NEW.user_id, 1024 + ifnull(octet_length(NEW.text), 0) WHERE NEW.user_id IS NOT NULL
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_old_posts AFTER DELETE ON posts WHEN OLD.user_id IS NOT NULL BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.text), 0) WHERE user_id = OLD.user_id;
END;

INSERT INTO user_storage
  SELECT user_id, sum(1024 + ifnull(octet_length(sealed_answer), 0)) FROM kept_answers WHERE user_id IS NOT NULL GROUP BY user_id
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
CREATE TRIGGER storage_new_kept_answers AFTER INSERT ON kept_answers WHEN NEW.user_id IS NOT NULL BEGIN
  INSERT INTO user_storage VALUES (NEW.user_id, 1024 + ifnull(octet_length(NEW.sealed_answer), 0))
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_kept_answers AFTER UPDATE OF user_id, sealed_answer ON kept_answers
WHEN NEW.user_id IS NOT OLD.user_id OR ifnull(octet_length(NEW.sealed_answer), 0) <> ifnull(octet_length(OLD.sealed_answer), 0) BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.sealed_answer), 0) WHERE user_id = OLD.user_id;
  INSERT INTO user_storage
    SELECT NEW.user_id, 1024 + ifnull(octet_length(NEW.sealed_answer), 0) WHERE NEW.user_id IS NOT NULL
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_old_kept_answers AFTER DELETE ON kept_answers WHEN OLD.user_id IS NOT NULL BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.sealed_answer), 0) WHERE user_id = OLD.user_id;
END;

INSERT INTO user_storage
  SELECT user_id, sum(1024 + ifnull(octet_length(description), 0)) FROM strategies WHERE user_id IS NOT NULL GROUP BY user_id
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
CREATE TRIGGER storage_new_strategies AFTER INSERT ON strategies WHEN NEW.user_id IS NOT NULL BEGIN
  INSERT INTO user_storage VALUES (NEW.user_id, 1024 + ifnull(octet_length(NEW.description), 0))
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_strategies AFTER UPDATE OF user_id, description ON strategies
WHEN NEW.user_id IS NOT OLD.user_id OR ifnull(octet_length(NEW.description), 0) <> ifnull(octet_length(OLD.description), 0) BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.description), 0) WHERE user_id = OLD.user_id;
  INSERT INTO user_storage
    SELECT NEW.user_id, 1024 + ifnull(octet_length(NEW.description), 0) WHERE NEW.user_id IS NOT NULL
  ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
CREATE TRIGGER storage_old_strategies AFTER DELETE ON strategies WHEN OLD.user_id IS NOT NULL BEGIN
  UPDATE user_storage SET octets = octets - 1024 - ifnull(octet_length(OLD.description), 0) WHERE user_id = OLD.user_id;
END;
`;
