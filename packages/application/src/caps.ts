import { Refusal } from '@slipstream/domain';

/** How much a user may make and keep (contract 16, "Caps"). No cap refuses an alert, an order that reduces or a cancel. */
export interface Caps {
  readonly strategies: number;
  /** Api tokens that have not expired; sessions do not count. */
  readonly tokens: number;
  readonly bots: number;
  /** Strategies of others that the user follows. */
  readonly subscriptions: number;
  /** A day (UTC). */
  readonly posts: number;
  /** How many orders can wait for each other in a row. */
  readonly dependencies: number;
  /** Alerts kept; beyond it the oldest go, refused ones first. */
  readonly alerts: number;
}

export const DEFAULT_CAPS: Caps = {
  strategies: 100,
  tokens: 100,
  bots: 10,
  subscriptions: 500,
  posts: 50,
  dependencies: 100,
  alerts: 20_000,
};

/** The caps that refuse; alerts beyond theirs are forgotten instead. */
const RULES: Readonly<Record<Exclude<keyof Caps, 'alerts'>, (cap: number) => string>> = {
  strategies: (cap) => `a user can have ${cap} strategies at most`,
  tokens: (cap) => `a user can have ${cap} tokens at most`,
  bots: (cap) => `a user can have ${cap} bots at most`,
  subscriptions: (cap) => `a user can follow ${cap} strategies at most`,
  posts: (cap) => `a user can write ${cap} posts a day at most`,
  dependencies: (cap) => `order_dependencies can be ${cap} deep at most`,
};

/** Refuses one more (`cap_reached`) where `has` are there already; the sentence tells the cap. */
export function requireBelowCap(caps: Caps, name: keyof typeof RULES, has: number): void {
  if (has >= caps[name]) throw new Refusal('cap_reached', RULES[name](caps[name]));
}
