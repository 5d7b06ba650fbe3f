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

/** Counts the requests of one account. Nothing waits here: a request that is too many is refused, with the time to wait. */
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
  /** How long the pause still lasts. One that begins later than now was set while the clock was ahead. */
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
