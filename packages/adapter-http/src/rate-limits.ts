import { Refusal } from '@slipstream/domain';
import type { Caller } from '@slipstream/application';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { TransportFailure } from './failures.js';

/** How many a minute: of a token, and of an address without one. */
export interface RateLimits {
  readonly reads: number;
  readonly writes: number;
  readonly alerts: number;
  /** Failed authentications of one address. */
  readonly failures: number;
}

/** Contract 1, "Rate limits". */
export const DEFAULT_RATE_LIMITS: RateLimits = {
  reads: 6000,
  writes: 1200,
  alerts: 600,
  failures: 30,
};

export type RateClass = 'reads' | 'writes' | 'alerts';

/** Counts calls and failed authentications, a minute at a time, in memory. */
export interface Limiter {
  /** Counts a call; over the limit it throws 429, for an alert 503 (an alert lost is money lost). */
  count(kind: RateClass, caller: Caller, address: string): Promise<void>;
  /** Counts a failed authentication and throws what is to be answered: the 401, over the limit 429. */
  failed(address: string): Promise<never>;
  /** Throws 429 while the address has too many failed authentications. */
  refuseGuessing(address: string): Promise<void>;
}

const MINUTE = 60;

export function createLimiter(limits: RateLimits): Limiter {
  const limiter = (points: number) => new RateLimiterMemory({ points, duration: MINUTE });
  const limiters = {
    reads: limiter(limits.reads),
    writes: limiter(limits.writes),
    alerts: limiter(limits.alerts),
  };
  const failures = limiter(limits.failures);

  return {
    async count(kind, caller, address) {
      // Quotes of the operator's own feed are not bounded here.
      if (caller.kind === 'operator') return;
      const key = caller.kind === 'user' ? `token ${caller.tokenId}` : `address ${address}`;
      const over = await consume(limiters[kind], key);
      if (over) throw kind === 'alerts' ? alertsHeldUp(over) : rateLimited(over);
    },
    async failed(address) {
      const over = await consume(failures, address);
      if (over) throw rateLimited(over);
      throw new Refusal('unauthenticated', 'authentication failed');
    },
    async refuseGuessing(address) {
      const state = await failures.get(address);
      if (state && state.consumedPoints > limits.failures) throw rateLimited(state);
    },
  };
}

/** The state of the key when it is over its limit. */
async function consume(
  limiter: RateLimiterMemory,
  key: string,
): Promise<RateLimiterRes | undefined> {
  try {
    await limiter.consume(key);
    return undefined;
  } catch (over) {
    if (over instanceof RateLimiterRes) return over;
    throw over;
  }
}

const retryAfter = (state: RateLimiterRes): Readonly<Record<string, string>> => ({
  'Retry-After': String(Math.max(1, Math.ceil(state.msBeforeNext / 1000))),
});

const rateLimited = (state: RateLimiterRes): TransportFailure =>
  new TransportFailure(429, 'rate_limited', 'too many requests, slow down', retryAfter(state));

const alertsHeldUp = (state: RateLimiterRes): TransportFailure =>
  new TransportFailure(
    503,
    'rate_limited',
    'too many alerts; nothing was done, try again',
    retryAfter(state),
  );
