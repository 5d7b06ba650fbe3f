import { describe, expect, it } from '@jest/globals';
import { BrokerRateLimited } from './broker.js';
import { type Urgency, requestBudget } from './request-budget.js';

const LEFT_ALONE = { cancel: 0, find: 1, reduce: 2, increase: 3, read: 3 };

/** Fourteen in 45 seconds, and a clock that stands still but for `pass`. */
function aBudget() {
  let now = 1_000_000;
  const budget = requestBudget(
    { now: () => now },
    { most: 14, within: 45_000, leftAlone: LEFT_ALONE },
  );
  return { budget, pass: (milliseconds: number) => void (now += milliseconds) };
}

/** Undefined when the request may be sent, else for how long it waits. */
function waitOf(work: () => void): number | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof BrokerRateLimited) return error.retryAfter;
    throw error;
  }
}

describe('the requests of an account', () => {
  it('are refused when what is left is for more urgent ones', () => {
    const { budget } = aBudget();
    for (let count = 0; count < 11; count += 1) budget.spend('read');
    expect(waitOf(() => budget.spend('read'))).toBeGreaterThan(0);
    for (let count = 0; count < 2; count += 1) budget.spend('find');
    expect(waitOf(() => budget.spend('find'))).toBeGreaterThan(0);
    budget.spend('cancel');
    expect(waitOf(() => budget.spend('cancel'))).toBe(45_000);
  });

  it('of an order wait for the next place: it is one alone', () => {
    const { budget, pass } = aBudget();
    for (let count = 0; count < 11; count += 1) {
      budget.spend('increase');
      pass(1_000);
    }
    expect(waitOf(() => budget.spend('increase'))).toBe(34_000);
  });

  it.each<[Urgency, number]>([
    ['read', 7],
    ['read', 11],
    ['find', 2],
    ['find', 13],
  ])('that belong together (%s, %i) come through, though each try begins anew', (urgency, size) => {
    const { budget, pass } = aBudget();
    for (let poll = 0; poll < 13; poll += 1) {
      budget.spend('find');
      pass(4_500);
    }
    let tries = 0;
    for (let wait: number | undefined = 0; wait !== undefined; tries += 1) {
      expect(tries).toBeLessThan(size + 2);
      pass(wait);
      wait = waitOf(() => {
        for (let request = 0; request < size; request += 1) budget.spend(urgency);
      });
    }
  });
});
