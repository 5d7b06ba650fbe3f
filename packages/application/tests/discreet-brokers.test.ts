import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { anAccess } from '@slipstream/port-contracts';
import { AccountUnsettled, type Broker, BrokerRefused, BrokerUnreachable } from '@slipstream/ports';
import { discreetBrokers } from '../src/housekeeping/discreet-brokers.js';

const SECRET = 'sk-1234/abc+"def';
const access = anAccess({
  accountId: 'a-1',
  credentials: { key: SECRET, of: { pin: '123', half: 'half \ud800 a letter' } },
});

/** What the log is told when the broker throws that. */
async function toldOf(thrown: () => unknown): Promise<unknown> {
  const broker = { name: 'mine', account: thrown } as unknown as Broker;
  const discreet = discreetBrokers(new Map([['mine', broker]])).get('mine');
  return discreet
    ?.account(access, { find: () => undefined, all: () => [] })
    .catch((error: unknown) => error);
}

/** Adapters in plain JavaScript throw whatever they want. */
const notAnError = (thrown: unknown): Error => thrown as Error;

const frozen = (error: Error): Error => Object.freeze(error);

describe('the error of a broker', () => {
  it.each([
    ['an error', new Error(`GET /account?key=${SECRET} failed`)],
    ['an error that names the address', new Error(`/account?key=${encodeURIComponent(SECRET)}`)],
    ['one that bots know', new BrokerUnreachable(`no answer to ${SECRET}`)],
    ['an error that shows the body', new Error(JSON.stringify({ key: SECRET }))],
    ['a frozen error', frozen(new BrokerUnreachable(`no answer to ${SECRET}`))],
    ['an error with a cause', new Error(SECRET, { cause: new Error(SECRET) })],
    ['a text', notAnError(`no answer to ${SECRET}`)],
  ])('has no credential of the account in its text: %s', async (_, error) => {
    const rejects = await toldOf(async () => Promise.reject(error));
    const throws = await toldOf(() => {
      throw error;
    });
    for (const told of [rejects, throws]) {
      expect(told).toBeInstanceOf(BrokerUnreachable);
      expect(String(told)).toContain('(a credential)');
      expect(inspect(told)).not.toContain('1234');
    }
  });

  it('says as before that an account will settle', async () => {
    const told = await toldOf(async () => Promise.reject(new AccountUnsettled(`wait: ${SECRET}`)));
    expect(told).toEqual(new AccountUnsettled('wait: (a credential)'));
    expect(told).toBeInstanceOf(AccountUnsettled);
  });

  it.each([
    ['without a credential in it', new Error('no answer for 123 seconds')],
    ['that tells its owner what is wrong', new BrokerRefused(`${SECRET} is no key`)],
    ['that is nothing', notAnError(undefined)],
  ])('stays as it is: one %s', async (_, error) => {
    expect(await toldOf(async () => Promise.reject(error))).toBe(error);
  });
});
