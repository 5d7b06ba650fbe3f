import { describe, expect, it } from '@jest/globals';
import { BrokerRateLimited } from './broker.js';
import { keptFor } from './kept-for.js';
import { requestBudget } from './request-budget.js';

const HOUR = 3_600_000;
const NONE_LEFT_ALONE = { cancel: 0, find: 0, reduce: 0, increase: 0, read: 0 };

/** A clock that is an hour ahead until it is set back. */
function aheadClock() {
  let now = 10 * HOUR;
  return { now: () => now, setBack: () => void (now -= HOUR) };
}

describe('after a moment in which the clock was ahead', () => {
  it('requests of that moment are spent no longer', () => {
    const clock = aheadClock();
    const allowance = { most: 2, within: 60_000, leftAlone: NONE_LEFT_ALONE };
    const budget = requestBudget(clock, allowance);
    budget.spend('read');
    budget.spend('read');
    expect(() => budget.spend('read')).toThrow(BrokerRateLimited);
    clock.setBack();
    budget.spend('read');
    budget.spend('read');
    expect(() => budget.spend('read')).toThrow(BrokerRateLimited);
  });

  it('a pause of that moment is over, and a later one lasts as long as it was asked for', () => {
    const clock = aheadClock();
    const budget = requestBudget(clock, { most: 9, within: 60_000, leftAlone: NONE_LEFT_ALONE });
    budget.pause(10_000);
    expect(() => budget.spend('reduce')).toThrow(BrokerRateLimited);
    clock.setBack();
    budget.spend('reduce');
    budget.pause(10_000);
    budget.pause(5_000);
    const ofLater = expect.objectContaining({ retryAfter: 10_000 });
    expect(() => budget.spend('reduce')).toThrow(ofLater);
  });

  it('a kept answer is asked for again', async () => {
    const clock = aheadClock();
    let asked = 0;
    const answer = keptFor<number>(clock, 60_000);
    const ask = () => answer('session', async () => (asked += 1));
    expect([await ask(), await ask()]).toEqual([1, 1]);
    clock.setBack();
    expect([await ask(), await ask()]).toEqual([2, 2]);
  });
});
