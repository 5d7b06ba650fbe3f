/** Endpoints with their topics, the events for them, and the deliveries. Events keep the order in which they were added. */
export const endpoints = `
CREATE TABLE endpoints (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  token_id TEXT,
  kind TEXT NOT NULL,
  events TEXT NOT NULL,
  strategy_ids TEXT,
  value_levels TEXT NOT NULL,
  status TEXT NOT NULL,
  status_reason TEXT,
  sealed_target TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  last_turn TEXT NOT NULL DEFAULT 'well'
) STRICT;
CREATE INDEX endpoints_of_user ON endpoints (user_id, created_at, id);
CREATE INDEX endpoints_due ON endpoints (last_turn, due_at, id);
CREATE TABLE endpoint_topics (
  topic TEXT NOT NULL,
  endpoint_id TEXT NOT NULL,
  PRIMARY KEY (topic, endpoint_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX topics_of_endpoint ON endpoint_topics (endpoint_id);
CREATE TABLE endpoint_events (
  place INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  strategy_id TEXT,
  user_id TEXT,
  topics TEXT NOT NULL,
  moved TEXT,
  sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  addressed_to TEXT,
  is_addressed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX endpoint_events_by_id ON endpoint_events (id);
CREATE INDEX unaddressed_events ON endpoint_events (place) WHERE is_addressed = 0;
CREATE INDEX endpoint_events_of_user ON endpoint_events (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX endpoint_events_by_age ON endpoint_events (created_at);
CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,
  endpoint_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  place INTEGER NOT NULL,
  status TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  response_status INTEGER,
  reason TEXT,
  next_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_of_endpoint ON deliveries (endpoint_id, created_at, id);
CREATE INDEX deliveries_in_order ON deliveries (endpoint_id, status, place);
CREATE INDEX deliveries_due ON deliveries (endpoint_id, status, next_at);
CREATE INDEX deliveries_by_age ON deliveries (created_at, id);
`;
