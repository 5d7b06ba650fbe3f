import type { Caller } from '@slipstream/application';
import type { Request } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateClass } from '@slipstream/wire';
import { TransportFailure } from '../answers/failures.js';
import { networkOf } from '../connections/network.js';
import { clientAddress } from '../requests/client-address.js';
import { MINUTE, SECOND } from '@slipstream/domain';

/** Calls per minute: of a user with all tokens, because tokens are free; and of an address without a token. */
export interface RateLimits {
  readonly reads: number;
  readonly writes: number;
  readonly alerts: number;
  /** Failed authentications of one address; the limit of wrong passwords of one account is twice as high. */
  readonly failures: number;
}

/** Contract 1, "Rate limits". */
export const DEFAULT_RATE_LIMITS: RateLimits = {
  reads: 6000,
  writes: 1200,
  alerts: 600,
  failures: 30,
};

/**
 * Counts calls and unknown tokens, minute by minute, in memory. Each method returns the number of seconds for which the
 * caller is over the limit; undefined within it.
 */
export interface Limiter {
  /** Counts a call, or one that costs as much as several. */
  count(
    kind: RateClass,
    caller: Caller,
    address: string,
    calls?: number,
  ): Promise<number | undefined>;
  /** The same without counting anything. */
  over(kind: RateClass, caller: Caller, address: string): Promise<number | undefined>;
  /** Counts an unknown token. The application counts passwords and codes. */
  failed(address: string): Promise<number | undefined>;
}

/** The name under which a call counts: a user's, whatever the token, or an address's. */
export const callerOf = (caller: Caller, address: string): string =>
  caller.kind === 'user' ? `user ${caller.userId}` : `address ${networkOf(address)}`;

/** A limiter with these limits per minute; its counts end with the process. */
export function createLimiter(limits: RateLimits): Limiter {
  // The library counts in seconds.
  const duration = MINUTE / SECOND;
  const limiter = (points: number) => new RateLimiterMemory({ points, duration });
  const limiters = {
    reads: limiter(limits.reads),
    writes: limiter(limits.writes),
    alerts: limiter(limits.alerts),
  };
  const failures = limiter(limits.failures);

  return {
    async count(kind, caller, address, calls = 1) {
      // The quotes of the operator's own feed are unlimited.
      if (caller.kind === 'operator') return undefined;
      if (calls <= 0) return undefined;
      return consume(limiters[kind], callerOf(caller, address), calls);
    },
    async over(kind, caller, address) {
      if (caller.kind === 'operator') return undefined;
      const used = await limiters[kind].get(callerOf(caller, address));
      return used && used.consumedPoints > limits[kind] ? secondsLeft(used) : undefined;
    },
    failed: (address) => consume(failures, networkOf(address), 1),
  };
}

async function consume(
  limiter: RateLimiterMemory,
  key: string,
  points: number,
): Promise<number | undefined> {
  try {
    await limiter.consume(key, points);
    return undefined;
  } catch (over) {
    if (over instanceof RateLimiterRes) return secondsLeft(over);
    throw over;
  }
}

/** Within a minute: the library reckons with the clock, which may have been ahead, and forgets by elapsed time. */
const secondsLeft = ({ msBeforeNext }: RateLimiterRes): number =>
  Math.min(Math.max(1, Math.ceil(msBeforeNext / SECOND)), MINUTE / SECOND);

/** Throws the answer over a limit: 429, for an alert 503 (a lost alert is lost money). */
export function requireWithin(seconds: number | undefined, kind?: RateClass): void {
  if (seconds === undefined) return;
  const retry = { 'Retry-After': String(seconds) };
  throw kind === 'alerts'
    ? new TransportFailure(
        503,
        'rate_limited',
        'too many alerts; nothing was done, try again',
        retry,
      )
    : new TransportFailure(429, 'rate_limited', 'too many requests, slow down', retry);
}

/** Counts a request for a page, existing or not, as an anonymous read of its address. */
export async function requireReadsLeft(limiter: Pick<Limiter, 'count'>, request: Request) {
  const address = clientAddress(request);
  requireWithin(await limiter.count('reads', { kind: 'anonymous' }, address));
}
