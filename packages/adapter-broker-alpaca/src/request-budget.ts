import { type Clock, BrokerRateLimited } from '@slipstream/ports';

/** What a request is for, the most urgent first. */
export type Urgency = 'cancel' | 'find' | 'reduce' | 'increase' | 'read';

/** Alpaca refuses more than 200 a minute; the account's owner and other programs share them. */
const MOST = 180;
const MINUTE = 60_000;

/** The requests of a minute that are left to what is more urgent. */
const LEFT_ALONE: Readonly<Record<Urgency, number>> = {
  cancel: 0,
  find: 10,
  reduce: 20,
  increase: 40,
  read: 60,
};

/** The requests of one account. Nothing waits here: who has to is told for how long, and has done nothing. */
export interface RequestBudget {
  /** @throws {BrokerRateLimited} when what is left of this minute is for more urgent requests. */
  spend(urgency: Urgency): void;
  /** The broker asked for a pause. Cancellations are tried all the same. */
  pause(milliseconds: number): void;
}

export function requestBudget(clock: Clock): RequestBudget {
  let spent: number[] = [];
  let pausedUntil = 0;
  return {
    spend(urgency) {
      const now = clock.now();
      if (urgency !== 'cancel' && now < pausedUntil) throw new BrokerRateLimited(pausedUntil - now);
      spent = spent.filter((at) => at > now - MINUTE);
      const most = MOST - LEFT_ALONE[urgency];
      const oldest = spent[spent.length - most];
      if (oldest !== undefined) throw new BrokerRateLimited(oldest + MINUTE - now);
      spent.push(now);
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, clock.now() + milliseconds);
    },
  };
}
