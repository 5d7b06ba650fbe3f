/** Counts over all users. Triggers keep them, so that no write can omit one and no read has to count. */
export const counts = `
CREATE TABLE counts (
  name TEXT PRIMARY KEY,
  count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO counts VALUES ('users', (SELECT count(*) FROM users WHERE deleted_at IS NULL)) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
CREATE TRIGGER counts_new_users AFTER INSERT ON users WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO counts VALUES ('users', 1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER counts_users AFTER UPDATE OF deleted_at ON users WHEN (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) BEGIN
  INSERT INTO counts VALUES ('users', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL)) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
INSERT INTO counts VALUES ('strategies', (SELECT count(*) FROM strategies WHERE deleted_at IS NULL)) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
CREATE TRIGGER counts_new_strategies AFTER INSERT ON strategies WHEN NEW.deleted_at IS NULL BEGIN
  INSERT INTO counts VALUES ('strategies', 1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER counts_strategies AFTER UPDATE OF deleted_at ON strategies WHEN (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL) BEGIN
  INSERT INTO counts VALUES ('strategies', (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL)) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
INSERT INTO counts VALUES ('failed_mails', (SELECT count(*) FROM mails WHERE failure IS NOT NULL)) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
CREATE TRIGGER counts_new_mails AFTER INSERT ON mails WHEN NEW.failure IS NOT NULL BEGIN
  INSERT INTO counts VALUES ('failed_mails', 1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER counts_mails AFTER UPDATE OF failure ON mails WHEN (NEW.failure IS NOT NULL) <> (OLD.failure IS NOT NULL) BEGIN
  INSERT INTO counts VALUES ('failed_mails', (NEW.failure IS NOT NULL) - (OLD.failure IS NOT NULL)) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER counts_old_mails AFTER DELETE ON mails WHEN OLD.failure IS NOT NULL BEGIN
  INSERT INTO counts VALUES ('failed_mails', -1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
INSERT INTO counts VALUES ('failed_payments', (SELECT count(*) FROM invoices WHERE status = 'failed')) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
CREATE TRIGGER counts_new_invoices AFTER INSERT ON invoices WHEN NEW.status = 'failed' BEGIN
  INSERT INTO counts VALUES ('failed_payments', 1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER counts_invoices AFTER UPDATE OF status ON invoices WHEN (NEW.status = 'failed') <> (OLD.status = 'failed') BEGIN
  INSERT INTO counts VALUES ('failed_payments', (NEW.status = 'failed') - (OLD.status = 'failed')) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
INSERT INTO counts VALUES ('failed_payments', (SELECT count(*) FROM withdrawals WHERE status = 'failed')) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
CREATE TRIGGER counts_new_withdrawals AFTER INSERT ON withdrawals WHEN NEW.status = 'failed' BEGIN
  INSERT INTO counts VALUES ('failed_payments', 1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER counts_withdrawals AFTER UPDATE OF status ON withdrawals WHEN (NEW.status = 'failed') <> (OLD.status = 'failed') BEGIN
  INSERT INTO counts VALUES ('failed_payments', (NEW.status = 'failed') - (OLD.status = 'failed')) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
INSERT INTO counts SELECT 'bots ' || status, count(*) FROM bots GROUP BY status;
CREATE TRIGGER counts_new_bots AFTER INSERT ON bots BEGIN
  INSERT INTO counts VALUES ('bots ' || NEW.status, 1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER counts_bots AFTER UPDATE OF status ON bots WHEN NEW.status <> OLD.status BEGIN
  INSERT INTO counts VALUES ('bots ' || OLD.status, -1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
  INSERT INTO counts VALUES ('bots ' || NEW.status, 1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
CREATE TRIGGER counts_old_bots AFTER DELETE ON bots BEGIN
  INSERT INTO counts VALUES ('bots ' || OLD.status, -1) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count;
END;
`;
