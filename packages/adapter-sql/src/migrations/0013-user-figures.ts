export const userFigures = `
CREATE INDEX strategies_of_user ON strategies (user_id, created_at, id);
CREATE INDEX subscriptions_of_user_in_order ON subscriptions (user_id, created_at, id);
DROP INDEX subscriptions_of_user;
CREATE INDEX followed_by_user ON subscriptions (user_id)
  WHERE relation = 'subscriber' AND status <> 'cancelled';

CREATE TABLE user_figures (
  user_id TEXT PRIMARY KEY,
  strategies INTEGER NOT NULL,
  public_strategies INTEGER NOT NULL,
  subscribers INTEGER NOT NULL,
  posts INTEGER NOT NULL,
  likes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO user_figures
  SELECT s.user_id, sum((s.deleted_at IS NULL)), sum((s.deleted_at IS NULL AND s.private = 0)),
    sum(iif((s.deleted_at IS NULL AND s.private = 0), (SELECT count(*) FROM subscriptions f WHERE f.strategy_id = s.id AND (f.relation = 'subscriber' AND f.status IN ('active', 'past_due'))), 0)), 0, 0
  FROM strategies s GROUP BY s.user_id;
INSERT INTO user_figures
  SELECT p.user_id, 0, 0, 0, count(*), sum((SELECT count(*) FROM likes l WHERE l.post_id = p.id))
  FROM posts p WHERE true GROUP BY p.user_id
  ON CONFLICT (user_id) DO UPDATE SET
    strategies = strategies + excluded.strategies,
    public_strategies = public_strategies + excluded.public_strategies,
    subscribers = subscribers + excluded.subscribers,
    posts = posts + excluded.posts,
    likes = likes + excluded.likes;

CREATE TRIGGER figures_new_strategy AFTER INSERT ON strategies BEGIN
  INSERT INTO user_figures VALUES (NEW.user_id, (NEW.deleted_at IS NULL), (NEW.deleted_at IS NULL AND NEW.private = 0),
    iif((NEW.deleted_at IS NULL AND NEW.private = 0), (SELECT count(*) FROM subscriptions f WHERE f.strategy_id = NEW.id AND (f.relation = 'subscriber' AND f.status IN ('active', 'past_due'))), 0), 0, 0)
  ON CONFLICT (user_id) DO UPDATE SET
    strategies = strategies + excluded.strategies,
    public_strategies = public_strategies + excluded.public_strategies,
    subscribers = subscribers + excluded.subscribers,
    posts = posts + excluded.posts,
    likes = likes + excluded.likes;
END;
CREATE TRIGGER figures_strategy AFTER UPDATE ON strategies
WHEN OLD.private <> NEW.private OR OLD.deleted_at IS NOT NEW.deleted_at BEGIN
  INSERT INTO user_figures VALUES (NEW.user_id, (NEW.deleted_at IS NULL) - (OLD.deleted_at IS NULL),
    (NEW.deleted_at IS NULL AND NEW.private = 0) - (OLD.deleted_at IS NULL AND OLD.private = 0),
    ((NEW.deleted_at IS NULL AND NEW.private = 0) - (OLD.deleted_at IS NULL AND OLD.private = 0)) * (SELECT count(*) FROM subscriptions f WHERE f.strategy_id = NEW.id AND (f.relation = 'subscriber' AND f.status IN ('active', 'past_due'))), 0, 0)
  ON CONFLICT (user_id) DO UPDATE SET
    strategies = strategies + excluded.strategies,
    public_strategies = public_strategies + excluded.public_strategies,
    subscribers = subscribers + excluded.subscribers,
    posts = posts + excluded.posts,
    likes = likes + excluded.likes;
END;
CREATE TRIGGER figures_new_subscription AFTER INSERT ON subscriptions WHEN (NEW.relation = 'subscriber' AND NEW.status IN ('active', 'past_due')) BEGIN
  INSERT INTO user_figures SELECT s.user_id, 0, 0, 1, 0, 0
  FROM strategies s WHERE s.id = NEW.strategy_id AND (s.deleted_at IS NULL AND s.private = 0)
  ON CONFLICT (user_id) DO UPDATE SET
    strategies = strategies + excluded.strategies,
    public_strategies = public_strategies + excluded.public_strategies,
    subscribers = subscribers + excluded.subscribers,
    posts = posts + excluded.posts,
    likes = likes + excluded.likes;
END;
CREATE TRIGGER figures_subscription AFTER UPDATE ON subscriptions
WHEN (OLD.relation = 'subscriber' AND OLD.status IN ('active', 'past_due')) <> (NEW.relation = 'subscriber' AND NEW.status IN ('active', 'past_due')) BEGIN
  INSERT INTO user_figures SELECT s.user_id, 0, 0, (NEW.relation = 'subscriber' AND NEW.status IN ('active', 'past_due')) - (OLD.relation = 'subscriber' AND OLD.status IN ('active', 'past_due')), 0, 0
  FROM strategies s WHERE s.id = NEW.strategy_id AND (s.deleted_at IS NULL AND s.private = 0)
  ON CONFLICT (user_id) DO UPDATE SET
    strategies = strategies + excluded.strategies,
    public_strategies = public_strategies + excluded.public_strategies,
    subscribers = subscribers + excluded.subscribers,
    posts = posts + excluded.posts,
    likes = likes + excluded.likes;
END;
CREATE TRIGGER figures_new_post AFTER INSERT ON posts BEGIN
  INSERT INTO user_figures VALUES (NEW.user_id, 0, 0, 0, 1, 0)
  ON CONFLICT (user_id) DO UPDATE SET
    strategies = strategies + excluded.strategies,
    public_strategies = public_strategies + excluded.public_strategies,
    subscribers = subscribers + excluded.subscribers,
    posts = posts + excluded.posts,
    likes = likes + excluded.likes;
END;
CREATE TRIGGER figures_post AFTER DELETE ON posts BEGIN
  UPDATE user_figures SET posts = posts - 1 WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER figures_new_like AFTER INSERT ON likes BEGIN
  INSERT INTO user_figures SELECT p.user_id, 0, 0, 0, 0, 1 FROM posts p WHERE p.id = NEW.post_id
  ON CONFLICT (user_id) DO UPDATE SET
    strategies = strategies + excluded.strategies,
    public_strategies = public_strategies + excluded.public_strategies,
    subscribers = subscribers + excluded.subscribers,
    posts = posts + excluded.posts,
    likes = likes + excluded.likes;
END;
CREATE TRIGGER figures_like AFTER DELETE ON likes BEGIN
  UPDATE user_figures SET likes = likes - 1
  WHERE user_id = (SELECT p.user_id FROM posts p WHERE p.id = OLD.post_id);
END;
`;
