/** What a user has by now: kept by triggers, so that no write can forget it and nobody has to count. */
export interface FiguresTables {
  readonly user_figures: {
    readonly user_id: string;
    readonly strategies: number;
    readonly public_strategies: number;
    readonly subscribers: number;
    readonly posts: number;
    readonly likes: number;
  };
}

const ADD = `ON CONFLICT (user_id) DO UPDATE SET
    strategies = strategies + excluded.strategies,
    public_strategies = public_strategies + excluded.public_strategies,
    subscribers = subscribers + excluded.subscribers,
    posts = posts + excluded.posts,
    likes = likes + excluded.likes;`;

const follows = (row: string): string =>
  `(${row}.relation = 'subscriber' AND ${row}.status IN ('active', 'past_due'))`;
const isLive = (row: string): string => `(${row}.deleted_at IS NULL)`;
const isPublic = (row: string): string => `(${row}.deleted_at IS NULL AND ${row}.private = 0)`;
const followersOf = (strategyId: string): string =>
  `(SELECT count(*) FROM subscriptions f WHERE f.strategy_id = ${strategyId} AND ${follows('f')})`;

export const figuresSchema = `
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
  SELECT s.user_id, sum(${isLive('s')}), sum(${isPublic('s')}),
    sum(iif(${isPublic('s')}, ${followersOf('s.id')}, 0)), 0, 0
  FROM strategies s GROUP BY s.user_id;
INSERT INTO user_figures
  SELECT p.user_id, 0, 0, 0, count(*), sum((SELECT count(*) FROM likes l WHERE l.post_id = p.id))
  FROM posts p WHERE true GROUP BY p.user_id
  ${ADD}

CREATE TRIGGER figures_new_strategy AFTER INSERT ON strategies BEGIN
  INSERT INTO user_figures VALUES (NEW.user_id, ${isLive('NEW')}, ${isPublic('NEW')},
    iif(${isPublic('NEW')}, ${followersOf('NEW.id')}, 0), 0, 0)
  ${ADD}
END;
CREATE TRIGGER figures_strategy AFTER UPDATE ON strategies
WHEN OLD.private <> NEW.private OR OLD.deleted_at IS NOT NEW.deleted_at BEGIN
  INSERT INTO user_figures VALUES (NEW.user_id, ${isLive('NEW')} - ${isLive('OLD')},
    ${isPublic('NEW')} - ${isPublic('OLD')},
    (${isPublic('NEW')} - ${isPublic('OLD')}) * ${followersOf('NEW.id')}, 0, 0)
  ${ADD}
END;
CREATE TRIGGER figures_new_subscription AFTER INSERT ON subscriptions WHEN ${follows('NEW')} BEGIN
  INSERT INTO user_figures SELECT s.user_id, 0, 0, 1, 0, 0
  FROM strategies s WHERE s.id = NEW.strategy_id AND ${isPublic('s')}
  ${ADD}
END;
CREATE TRIGGER figures_subscription AFTER UPDATE ON subscriptions
WHEN ${follows('OLD')} <> ${follows('NEW')} BEGIN
  INSERT INTO user_figures SELECT s.user_id, 0, 0, ${follows('NEW')} - ${follows('OLD')}, 0, 0
  FROM strategies s WHERE s.id = NEW.strategy_id AND ${isPublic('s')}
  ${ADD}
END;
CREATE TRIGGER figures_new_post AFTER INSERT ON posts BEGIN
  INSERT INTO user_figures VALUES (NEW.user_id, 0, 0, 0, 1, 0)
  ${ADD}
END;
CREATE TRIGGER figures_post AFTER DELETE ON posts BEGIN
  UPDATE user_figures SET posts = posts - 1 WHERE user_id = OLD.user_id;
END;
CREATE TRIGGER figures_new_like AFTER INSERT ON likes BEGIN
  INSERT INTO user_figures SELECT p.user_id, 0, 0, 0, 0, 1 FROM posts p WHERE p.id = NEW.post_id
  ${ADD}
END;
CREATE TRIGGER figures_like AFTER DELETE ON likes BEGIN
  UPDATE user_figures SET likes = likes - 1
  WHERE user_id = (SELECT p.user_id FROM posts p WHERE p.id = OLD.post_id);
END;
`;
