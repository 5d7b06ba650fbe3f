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

/** The requests of one account. Nothing waits here: who has to is told for how long, and has done nothing. */
export interface RequestBudget {
  /** @throws {BrokerRateLimited} when what is left is for more urgent requests. */
  spend(urgency: Urgency): void;
  /** The broker asked for a pause. Cancellations are tried all the same. */
  pause(milliseconds: number): void;
}

/**
 * Counts the requests of one account. Adapters of brokers share it.
 * @throws {BrokerRateLimited} by `spend`.
 */
export function requestBudget(
  clock: Clock,
  { most, within, leftAlone }: RequestAllowance,
): RequestBudget {
  let spent: number[] = [];
  let pause = { from: 0, until: 0 };
  /** For how long the pause still lasts. What is of later than now is of a moment in which the clock was ahead. */
  const pauseAt = (now: number): number => (now < pause.from ? 0 : Math.max(0, pause.until - now));
  return {
    spend(urgency) {
      const now = clock.now();
      const left = urgency === 'cancel' ? 0 : pauseAt(now);
      if (left > 0) throw new BrokerRateLimited(left);
      spent = spent.filter((at) => at > now - within && at <= now);
      const oldest = spent[spent.length - (most - leftAlone[urgency])];
      if (oldest !== undefined) throw new BrokerRateLimited(oldest + within - now);
      spent.push(now);
    },
    pause(milliseconds) {
      const now = clock.now();
      pause = { from: now, until: now + Math.max(milliseconds, pauseAt(now)) };
    },
  };
}
