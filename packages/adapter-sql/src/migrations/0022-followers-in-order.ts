export const followersInOrder =
  'CREATE INDEX followers_in_order ON subscriptions (strategy_id, created_at, id)';
