import { describe, expect, it } from '@jest/globals';
import { BrokerRateLimited, BrokerRefused, BrokerUnreachable } from './broker.js';
import { keptFor } from './kept-for.js';

/** Accounts that ask for one answer at the same moment, and how often the broker was asked. */
async function askedBy(accounts: number, failure: () => Error) {
  const answer = keptFor<string>({ now: () => 0 }, 60_000);
  let asked = 0;
  const ask = () =>
    answer('session', async () => {
      asked += 1;
      throw failure();
    });
  const outcomes = await Promise.allSettled(Array.from({ length: accounts }, ask));
  return { asked, outcomes: outcomes.map(({ status }) => status) };
}

describe('an answer of a broker that is kept for all accounts', () => {
  it('does not come for anybody who waited for it when the broker gives none: one after another they would wait for minutes', async () => {
    const { asked, outcomes } = await askedBy(100, () => new BrokerUnreachable('no answer'));
    expect(asked).toBe(1);
    expect(new Set(outcomes)).toEqual(new Set(['rejected']));
  });

  it.each([
    ['refuses the account that asked', () => new BrokerRefused('not yours')],
    ['slows the account down that asked', () => new BrokerRateLimited(1_000)],
  ])('is asked for by each who waited when the broker %s', async (_, failure) => {
    expect((await askedBy(5, failure)).asked).toBe(5);
  });

  it('is asked for again after a failure', async () => {
    const answer = keptFor<string>({ now: () => 0 }, 60_000);
    const fails = answer('session', () => Promise.reject(new BrokerUnreachable('no answer')));
    await expect(fails).rejects.toThrow('no answer');
    expect(await answer('session', async () => 'open')).toBe('open');
  });
});
