import { Refusal, type UserId } from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';

/** The limits of a user's stored things (contract 16, "Caps"). No cap refuses an alert, an order that reduces, or a cancel. */
export interface Caps {
  readonly strategies: number;
  /** Api tokens that have not expired; sessions do not count. */
  readonly tokens: number;
  readonly bots: number;
  /** Strategies of others that the user follows. */
  readonly subscriptions: number;
  /** Per day (UTC). */
  readonly posts: number;
  /** The longest chain of dependent orders. */
  readonly dependencies: number;
  readonly endpoints: number;
  /** Stored alerts; beyond it the oldest are removed, refused ones first. */
  readonly alerts: number;
  /** Megabytes of a user's stored data; beyond it the oldest alerts and answers are removed, and posts and strategies are refused. */
  readonly storage: number;
}

/** The default caps. */
export const DEFAULT_CAPS: Caps = {
  strategies: 100,
  tokens: 100,
  bots: 10,
  subscriptions: 500,
  posts: 50,
  dependencies: 100,
  endpoints: 20,
  alerts: 20_000,
  storage: 256,
};

/** The bytes that a user may store. */
export const storageOf = ({ storage }: Caps): number => storage * 1_000_000;

/** The caps that refuse requests; excess alerts are removed instead. */
const RULES: Readonly<Record<Exclude<keyof Caps, 'alerts' | 'storage'>, (cap: number) => string>> =
  {
    strategies: (cap) => `a user can have ${cap} strategies at most`,
    tokens: (cap) => `a user can have ${cap} tokens at most`,
    bots: (cap) => `a user can have ${cap} bots at most`,
    subscriptions: (cap) => `a user can follow ${cap} strategies at most`,
    posts: (cap) => `a user can write ${cap} posts a day at most`,
    dependencies: (cap) => `order_dependencies can be ${cap} deep at most`,
    endpoints: (cap) => `a user can have ${cap} endpoints at most`,
  };

/** Refuses one more (`cap_reached`) if `has` reaches the cap; the sentence names the cap. */
export function requireBelowCap(caps: Caps, name: keyof typeof RULES, has: number): void {
  if (has >= caps[name]) throw new Refusal('cap_reached', RULES[name](caps[name]));
}

interface Needs {
  readonly settings: { readonly caps: Caps };
  /** The users whose stored data is checked soon. */
  readonly senders: Set<UserId>;
}

/** Refuses permanent data (`cap_reached`) while the user's stored data reaches the cap; room is made soon. */
export async function requireStorage(
  { settings: { caps }, senders }: Needs,
  { users }: Pick<Stores, 'users'>,
  userId: UserId,
): Promise<void> {
  if ((await users.stored(userId)) < storageOf(caps)) return;
  // The process before may have ended before it made room.
  senders.add(userId);
  throw new Refusal(
    'cap_reached',
    `a user can keep ${caps.storage} MB at most (storage): delete posts, or wait until older alerts and answers are forgotten`,
  );
}
