/** Nobody had a watch of alerts before. */
export const alertWatches = `
ALTER TABLE strategies ADD COLUMN alert_watch INTEGER;
ALTER TABLE strategies ADD COLUMN alert_due_at INTEGER;
CREATE INDEX strategies_alert_due ON strategies (alert_due_at, id) WHERE alert_due_at IS NOT NULL;
`;
