export const refusedAlerts = `CREATE INDEX refused_alerts ON alerts (user_id, created_at, id) WHERE verdict = 'refused'`;
