/**
 * What an alert counts for in its user's storage, so that the trigger calls no function: only then SQLite inserts an alert
 * without copies of the pages that it changes. It is null in alerts of before.
 */
export const octetsOfAlerts = `
ALTER TABLE alerts ADD COLUMN octets INTEGER;
DROP TRIGGER storage_new_alerts;
CREATE TRIGGER storage_new_alerts AFTER INSERT ON alerts BEGIN
  INSERT INTO user_storage
    SELECT NEW.user_id, 0 WHERE NOT EXISTS (SELECT 1 FROM user_storage WHERE user_id = NEW.user_id);
  UPDATE user_storage SET octets = octets + NEW.octets WHERE user_id = NEW.user_id;
END;
DROP TRIGGER storage_alerts;
CREATE TRIGGER storage_alerts AFTER UPDATE OF user_id, octets ON alerts
WHEN NEW.user_id <> OLD.user_id OR NEW.octets IS NOT OLD.octets BEGIN
  UPDATE user_storage SET octets = octets - ifnull(OLD.octets, 1024 + ifnull(octet_length(OLD.body), 0))
    WHERE user_id = OLD.user_id;
  INSERT INTO user_storage VALUES (NEW.user_id, NEW.octets)
    ON CONFLICT (user_id) DO UPDATE SET octets = octets + excluded.octets;
END;
DROP TRIGGER storage_old_alerts;
CREATE TRIGGER storage_old_alerts AFTER DELETE ON alerts BEGIN
  UPDATE user_storage SET octets = octets - ifnull(OLD.octets, 1024 + ifnull(octet_length(OLD.body), 0))
    WHERE user_id = OLD.user_id;
END;
`;
