import { describe, expect, it } from '@jest/globals';
import type { ListedUser } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { fixture } from '../fixture.js';

const operator: Caller = { kind: 'operator' };
const addressesOf = (list: readonly ListedUser[]) => list.map(({ user }) => user.email);

async function world() {
  const made = await fixture();
  const [owner, follower] = [await made.user('owner'), await made.user('follower')];
  return { ...made, owner, follower };
}

describe('getUserList, for the operator (contract 14)', () => {
  it('lists users page by page, newest first, with what they have', async () => {
    const { app, ports, strategy, owner, follower, user } = await world();
    ports.clock.advance(1);
    await user('late');
    const strategyId = await strategy(owner);
    await app.newStrategySubscription(follower, { strategyId });
    await app.haltTrading(follower, { scope: 'user', reason: 'lost my phone' });
    const all = await app.getUserList(operator, {});
    expect(addressesOf(all)[0]).toBe('late@example.com');
    const figures = all.map(({ user: { email }, ...one }) => [
      email,
      [one.strategies, one.subscribers, one.isHalted],
    ]);
    expect(Object.fromEntries(figures)).toEqual({
      'late@example.com': [0, 0, false],
      'owner@example.com': [1, 1, false],
      'follower@example.com': [0, 0, true],
    });
    const [first, ...others] = all;
    const next = await app.getUserList(operator, { limit: 2, cursor: first?.user.id });
    expect(next).toEqual(others);
  });

  it('finds users by the beginning of the address or of the name, in any case of letters', async () => {
    const { app, owner } = await world();
    await app.updateUserInfo(owner, { name: 'Zoë the Great' });
    const found = async (query: string) => addressesOf(await app.getUserList(operator, { query }));
    expect(await found('FOLL')).toEqual(['follower@example.com']);
    expect(await found('zoë t')).toEqual(['owner@example.com']);
    expect(await found('example')).toEqual([]);
  });

  it('says of everybody that a halt of all trading hits them', async () => {
    const { app } = await world();
    await app.haltTrading(operator, { scope: 'all', reason: 'prices look wrong' });
    const all = await app.getUserList(operator, {});
    expect(all.map(({ isHalted }) => isHalted)).toEqual([true, true]);
  });
});
