import { describe, expect, it } from '@jest/globals';
import { type StrategyId, decimal, id } from '@slipstream/domain';
import type { Event } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { type Fixture, fixture } from '../fixture.js';

type AccessChanged = Event & { readonly kind: 'access_changed' };

const userIdOf = (caller: Caller): string => (caller.kind === 'user' ? caller.userId : '');

/** An owner, a follower, an invited user and a stranger, and what each may see of one strategy. */
async function people(start: { readonly private: boolean }) {
  const world = await fixture();
  const [owner, follower, invited, stranger] = [
    await world.user('owner'),
    await world.user('follower'),
    await world.user('invited'),
    await world.user('stranger'),
  ];
  const strategyId = await world.strategy(owner);
  await world.app.newStrategySubscription(follower, { strategyId });
  await world.app.updateStrategy(owner, {
    strategyId,
    private: start.private,
    invitedUserIds: [userIdOf(invited)],
  });
  return { world, strategyId, owner, others: { follower, invited, stranger } };
}

type People = Awaited<ReturnType<typeof people>>;

async function sightOf(world: Fixture, caller: Caller, strategyId: StrategyId): Promise<string[]> {
  const values = await world.app.getStrategyValues(caller, { strategyIds: [strategyId] });
  const orders = await world.app.getOrders(caller, { strategyId }).catch(() => undefined);
  return [...(values.length > 0 ? ['value'] : []), ...(orders ? ['orders'] : [])];
}

/** Who loses sight of something by the command, and of whom the streams are told to ask again. */
async function shrinking({ world, strategyId, others }: People, command: () => Promise<unknown>) {
  const names = Object.keys(others) as (keyof typeof others)[];
  const seen = () => Promise.all(names.map((name) => sightOf(world, others[name], strategyId)));
  const before = await seen();
  world.events.length = 0;
  await command();
  const events = world.events.filter((event): event is AccessChanged => {
    return event.kind === 'access_changed';
  });
  const after = await seen();
  const lost = names.filter((_, at) => before[at]?.some((one) => !after[at]?.includes(one)));
  const asked = names.filter((name) =>
    events.some(({ userId }) => userId === null || userId === userIdOf(others[name])),
  );
  return { lost, asked, events };
}

describe('access_changed', () => {
  // oxfmt-ignore
  it.each<[string, boolean, (people: People) => Parameters<Fixture['app']['updateStrategy']>[1], string[]]>([
    ['a new name', false, ({ strategyId }) => ({ strategyId, name: 'Renamed' }), []],
    ['the same name', false, ({ strategyId }) => ({ strategyId, name: 'A strategy' }), []],
    ['a description, categories and a price', false, ({ strategyId }) => ({ strategyId, description: 'x', categories: ['y'], price: 9 }), []],
    ['an input_value', false, ({ strategyId }) => ({ strategyId, inputValue: decimal('5') }), []],
    ['public, said again', false, ({ strategyId }) => ({ strategyId, private: false }), []],
    ['private, said again', true, ({ strategyId }) => ({ strategyId, private: true }), []],
    ['a name while private', true, ({ strategyId }) => ({ strategyId, name: 'Renamed' }), []],
    ['a private strategy opened', true, ({ strategyId }) => ({ strategyId, private: false }), []],
    ['a further invitation', true, ({ strategyId, others }) => ({ strategyId, invitedUserIds: [others.invited, others.stranger].map(userIdOf) }), []],
    ['an invitation taken back while public', false, ({ strategyId }) => ({ strategyId, invitedUserIds: [] }), []],
    ['an invitation taken back while private', true, ({ strategyId }) => ({ strategyId, invitedUserIds: [] }), ['invited']],
    ['another one invited instead', true, ({ strategyId, others }) => ({ strategyId, invitedUserIds: [userIdOf(others.stranger)] }), ['invited']],
    ['a public strategy made private', false, ({ strategyId }) => ({ strategyId, private: true }), ['stranger']],
    ['made private without invitations', false, ({ strategyId }) => ({ strategyId, private: true, invitedUserIds: [] }), ['invited', 'stranger']],
  ])('of updateStrategy: %s (private before: %s)', async (_, isPrivate, change, losing) => {
    const world = await people({ private: isPrivate });
    const result = await shrinking(world, () =>
      world.world.app.updateStrategy(world.owner, change(world)),
    );
    expect(result.lost).toEqual(losing);
    // Published when somebody loses sight, and never else: each one costs a look at every stream concerned.
    expect(result.events.length > 0).toBe(losing.length > 0);
    expect(result.asked).toEqual(expect.arrayContaining(losing));
  });

  it('of other commands is published only when somebody loses access', async () => {
    const world = await people({ private: false });
    const { app } = world.world;
    const { strategyId, owner, others } = world;
    const order = {
      strategyId,
      stock: 'aapl',
      action: 'buy',
      pricing: { type: 'limit', price: decimal('1') },
      size: { by: 'amount', amount: decimal('0.1') },
      reduceOnly: true,
    } as const;
    const commands: readonly [string, () => Promise<unknown>][] = [
      ['newOrder', () => app.newOrder(owner, order)],
      [
        'newOrderAllocations',
        () => app.newOrderAllocations(owner, { strategyId, allocations: [] }),
      ],
      ['newPost', () => app.newPost(owner, { text: 'hello', strategyId })],
      ['newToken', () => app.newToken(owner, { name: 'x', scope: ['*'] })],
      ['updateUserInfo', () => app.updateUserInfo(owner, { bio: 'x' })],
      ['subscribe', () => app.newStrategySubscription(others.stranger, { strategyId })],
      ['unsubscribe', () => app.deleteStrategySubscription(others.follower, { strategyId })],
      ['deleteStrategy', () => app.deleteStrategy(owner, { strategyId })],
    ];
    const found: Record<string, boolean> = {};
    for (const [name, command] of commands) {
      const { lost, asked, events } = await shrinking(world, command);
      expect([name, events.length > 0]).toEqual([name, lost.length > 0]);
      expect(asked).toEqual(expect.arrayContaining(lost));
      found[name] = lost.length > 0;
    }
    expect(found).toMatchObject({ newOrder: false, unsubscribe: true, deleteStrategy: true });
  });
});

describe('reading bots by id', () => {
  it('reads the named ones, and no others', async () => {
    const world = await fixture();
    const owner = await world.user('owner');
    let lists = 0;
    const { unitOfWork } = world.ports;
    const read = unitOfWork.read.bind(unitOfWork);
    unitOfWork.read = (work) =>
      read((stores) =>
        work({
          ...stores,
          bots: { ...stores.bots, listOf: (userId) => (lists++, stores.bots.listOf(userId)) },
        }),
      );
    expect(await world.app.getBots(owner, { botIds: [id<'bot'>('nothing')] })).toEqual([]);
    expect(lists).toBe(0);
  });
});
