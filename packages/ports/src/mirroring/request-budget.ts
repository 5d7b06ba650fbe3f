import type { Clock } from '../clock.js';
import { BrokerRateLimited } from './broker.js';

/** What a request is for, the most urgent first. */
export type Urgency = 'cancel' | 'find' | 'reduce' | 'increase' | 'read';

/** How many requests a broker takes from one account. */
export interface RequestAllowance {
  /** So many within `within` milliseconds; fewer than the broker takes, because the account's owner and other programs share them. */
  readonly most: number;
  readonly within: number;
  /** So many of them are left to what is more urgent. */
  readonly leftAlone: Readonly<Record<Urgency, number>>;
}

/**
 * Counts the requests of one account. Nothing waits here: a request that is too many is refused, with the time to wait. A question of
 * several requests begins with the first of them again, so it waits until there is room for all that it asked just now.
 */
export interface RequestBudget {
  /**
   * Counts a request, as so many if the broker does.
   * @throws {BrokerRateLimited} when what is left is for more urgent requests.
   */
  spend(urgency: Urgency, count?: number): void;
  /** The broker asked for a pause. Cancellations are tried all the same. */
  pause(milliseconds: number): void;
}

interface Spent {
  readonly at: number;
  readonly urgency: Urgency;
}

const QUESTIONS: readonly Urgency[] = ['find', 'read'];
/** Questions that belong together come within so long. */
const TOGETHER = 10_000;

/**
 * Counts the requests of one account. Adapters of brokers share it.
 * @throws {BrokerRateLimited} by `spend`.
 */
export function requestBudget(
  clock: Clock,
  { most, within, leftAlone }: RequestAllowance,
): RequestBudget {
  let spent: Spent[] = [];
  let pause = { from: 0, until: 0 };
  /** How long the pause still lasts. One that begins later than now was set while the clock was ahead. */
  const pauseAt = (now: number): number => (now < pause.from ? 0 : Math.max(0, pause.until - now));
  const askedJustNow = (now: number): number =>
    spent.filter(({ at, urgency }) => at > now - TOGETHER && QUESTIONS.includes(urgency)).length;
  return {
    spend(urgency, count = 1) {
      const now = clock.now();
      const left = urgency === 'cancel' ? 0 : pauseAt(now);
      if (left > 0) throw new BrokerRateLimited(left);
      spent = spent.filter(({ at }) => at > now - within && at <= now);
      const allowed = most - leftAlone[urgency];
      if (spent.length + count > allowed) {
        const again = QUESTIONS.includes(urgency) ? askedJustNow(now) : 0;
        const needed = Math.min(allowed, again + count);
        // Once this one is gone there is room for as many.
        const last = spent[spent.length - 1 - allowed + needed];
        throw new BrokerRateLimited((last?.at ?? now) + within - now);
      }
      for (let one = 0; one < count; one += 1) spent.push({ at: now, urgency });
    },
    pause(milliseconds) {
      const now = clock.now();
      pause = { from: now, until: now + Math.max(milliseconds, pauseAt(now)) };
    },
  };
}
