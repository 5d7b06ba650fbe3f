import { afterEach, describe, expect, it } from '@jest/globals';
import { HOUR, MINUTE } from '@slipstream/domain';
import { DEFAULT_RATE_LIMITS, createLimiter } from './rate-limits.js';

const STRANGER = { kind: 'anonymous' } as const;
const ADDRESS = '192.0.2.7';

describe('a limit of calls a minute', () => {
  const { setTimeout } = globalThis;
  const { now } = Date;
  afterEach(() => void Object.assign(globalThis, { setTimeout }));
  afterEach(() => void Object.assign(Date, { now }));

  it('allows exactly so many, and tells when the minute is over', async () => {
    const limiter = createLimiter({ ...DEFAULT_RATE_LIMITS, reads: 3 });
    const told = [];
    for (let call = 1; call <= 4; call += 1)
      told.push(await limiter.count('reads', STRANGER, ADDRESS));
    expect(told).toEqual([undefined, undefined, undefined, 60]);
    expect(await limiter.count('reads', STRANGER, '192.0.2.8')).toBeUndefined();
    expect(await limiter.count('writes', STRANGER, ADDRESS)).toBeUndefined();
  });

  it('never tells a caller to wait longer than a minute, though the clock was ahead', async () => {
    const [present, timers] = [now(), new Map<() => void, number>()];
    Date.now = () => present + HOUR;
    const later = (run: () => void, after: number) => timers.set(run, after) && { unref: () => 0 };
    Object.assign(globalThis, { setTimeout: later });
    const limiter = createLimiter({ ...DEFAULT_RATE_LIMITS, reads: 1, failures: 1 });
    await limiter.count('reads', STRANGER, ADDRESS);
    await limiter.failed(ADDRESS);
    Date.now = () => present;
    expect(await limiter.count('reads', STRANGER, ADDRESS)).toBe(60);
    expect(await limiter.failed(ADDRESS)).toBe(60);
    // The minute itself is measured without the clock.
    for (const [run, after] of timers) if (after <= MINUTE) run();
    expect(await limiter.count('reads', STRANGER, ADDRESS)).toBeUndefined();
  });
});
