import { trigger } from './triggers.js';

const isLive = (row: string): string => `${row}.deleted_at IS NULL`;
const isPublic = (row: string): string => `(${isLive(row)} AND ${row}.private = 0)`;
const isSubscriber = (row: string): string =>
  `(${row}.relation = 'subscriber' AND ${row}.status IN ('active', 'past_due'))`;
/** A condition as 1 or 0. */
const one = (condition: string): string => `(${condition})::int`;
const subscribersOfNew = `(SELECT count(*) FROM subscriptions f WHERE f.strategy_id = NEW.id AND ${isSubscriber('f')})`;

/** Adds to a user's figures, in the order of the columns; `rows` answers the user and the five figures. */
const add = (rows: string): string => `
  INSERT INTO user_figures ${rows}
  ON CONFLICT (user_id) DO UPDATE SET
    strategies = user_figures.strategies + excluded.strategies,
    public_strategies = user_figures.public_strategies + excluded.public_strategies,
    subscribers = user_figures.subscribers + excluded.subscribers,
    posts = user_figures.posts + excluded.posts,
    likes = user_figures.likes + excluded.likes;`;
const ofOwner = (subscribers: string): string =>
  add(`SELECT s.user_id, 0, 0, ${subscribers}, 0, 0
    FROM strategies s WHERE s.id = NEW.strategy_id AND ${isPublic('s')}`);
const becamePublic = `${one(isPublic('NEW'))} - ${one(isPublic('OLD'))}`;

/** The figures of each user. Triggers keep them, so that no write can omit one and no read has to count. */
export const userFiguresIn = `
CREATE INDEX strategies_of_user ON strategies (user_id, created_at, id);
CREATE INDEX subscriptions_of_user_in_order ON subscriptions (user_id, created_at, id);
DROP INDEX subscriptions_of_user;
CREATE INDEX followed_by_user ON subscriptions (user_id)
  WHERE relation = 'subscriber' AND status <> 'cancelled';

CREATE TABLE user_figures (
  user_id TEXT COLLATE "C" PRIMARY KEY,
  strategies BIGINT NOT NULL,
  public_strategies BIGINT NOT NULL,
  subscribers BIGINT NOT NULL,
  posts BIGINT NOT NULL,
  likes BIGINT NOT NULL
);
${trigger(
  'figures_new_strategy',
  'AFTER INSERT',
  'strategies',
  add(`VALUES (NEW.user_id, ${one(isLive('NEW'))}, ${one(isPublic('NEW'))},
    ${one(isPublic('NEW'))} * ${subscribersOfNew}, 0, 0)`),
)}
${trigger(
  'figures_strategy',
  'AFTER UPDATE',
  'strategies',
  add(`VALUES (NEW.user_id, ${one(isLive('NEW'))} - ${one(isLive('OLD'))}, ${becamePublic},
    (${becamePublic}) * ${subscribersOfNew}, 0, 0)`),
  'OLD.private <> NEW.private OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at',
)}
${trigger(
  'figures_new_subscription',
  'AFTER INSERT',
  'subscriptions',
  ofOwner('1'),
  isSubscriber('NEW'),
)}
${trigger(
  'figures_subscription',
  'AFTER UPDATE',
  'subscriptions',
  ofOwner(`${one(isSubscriber('NEW'))} - ${one(isSubscriber('OLD'))}`),
  `${isSubscriber('OLD')} <> ${isSubscriber('NEW')}`,
)}
${trigger('figures_new_post', 'AFTER INSERT', 'posts', add('VALUES (NEW.user_id, 0, 0, 0, 1, 0)'))}
${trigger(
  'figures_post',
  'AFTER DELETE',
  'posts',
  'UPDATE user_figures SET posts = posts - 1 WHERE user_id = OLD.user_id;',
)}
${trigger(
  'figures_new_like',
  'AFTER INSERT',
  'likes',
  add('SELECT p.user_id, 0, 0, 0, 0, 1 FROM posts p WHERE p.id = NEW.post_id'),
)}
${trigger(
  'figures_like',
  'AFTER DELETE',
  'likes',
  `UPDATE user_figures SET likes = likes - 1
    WHERE user_id = (SELECT p.user_id FROM posts p WHERE p.id = OLD.post_id);`,
)}
`;
