import { describe, expect, it } from '@jest/globals';
import { type EndpointTarget, MINUTE, type SendAnswer } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { PASSWORD, userOf } from '../accounts.js';
import type { App } from '../app.js';
import { outcomesAmid } from '../interleavings.js';
import { DELIVERED, FAILED, GONE, world as receiving } from './receiver.js';

const FIRST_URL = 'https://example.com/hook';
const OTHER_URL = 'https://example.com/other';

type Receiving = Awaited<ReturnType<typeof receiving>>;

interface World extends Receiving {
  readonly bob: Caller;
  readonly endpointId: string;
  readonly tokenId: string;
}
type Ask = (app: App, world: World) => Promise<unknown>;

const isAt = (target: EndpointTarget, url: string): boolean =>
  'url' in target && target.url === url;

/** The endpoint of a follower, made by a token of its own, for which two fills wait. The first address answers so to the first attempt of each. */
async function world(first: SendAnswer): Promise<World> {
  const made = await receiving();
  const { app, strategyId, receiver } = made;
  const bob = await made.user('bob');
  await app.newStrategySubscription(bob, { strategyId, price: 0 });
  const { token, text } = await app.newToken(bob, {
    name: 'narrow',
    scope: ['newEndpoint', 'getOrders'],
  });
  const narrow = await app.authenticate(text);
  const { endpoint } = await made.endpoint({ strategyIds: [strategyId] }, narrow);
  await made.fills(2);
  const answered = new Set<string>();
  receiver.answer = ({ id, target }) => {
    if (!isAt(target, FIRST_URL) || answered.has(id)) return DELIVERED;
    answered.add(id);
    return first;
  };
  return { ...made, bob, endpointId: endpoint.id, tokenId: token.id };
}

const sends = (app: App): Promise<void> => app.sendEvents();

/** Each failed attempt is made again. */
async function sendsAll(app: App, { ports }: World): Promise<void> {
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await app.sendEvents();
    ports.clock.advance(10 * MINUTE);
  }
}

const updates =
  (...changes: readonly Partial<Parameters<App['updateEndpoint']>[1]>[]): Ask =>
  async (app, { bob, endpointId }) => {
    for (const change of changes) await app.updateEndpoint(bob, { endpointId, ...change });
  };

/** Answers what it asked for. */
async function asksAgain(app: App, { bob, endpointId }: World): Promise<readonly string[]> {
  const ids = (await app.getDeliveries(bob, { endpointId })).map(({ id }) => id);
  for (const deliveryId of ids) await app.retryDelivery(bob, { deliveryId });
  return ids;
}

describe('an event and a change of who listens', () => {
  it('is told to an endpoint that was paused after it, once it goes on', async () => {
    const { app, ada, endpoint, fills, receiver } = await receiving();
    const endpointId = (await endpoint()).endpoint.id;
    await fills(1);
    await app.updateEndpoint(ada, { endpointId, status: 'disabled' });
    await app.sendEvents();
    expect(receiver.sent).toEqual([]);
    await app.updateEndpoint(ada, { endpointId, status: 'active' });
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(1);
  });

  it('is not told to an endpoint that was made or became active after it', async () => {
    const { app, ada, endpoint, fills, receiver } = await receiving();
    await endpoint();
    const endpointId = (await endpoint({ url: OTHER_URL })).endpoint.id;
    await app.updateEndpoint(ada, { endpointId, status: 'disabled' });
    await fills(1);
    await endpoint({ url: OTHER_URL });
    await app.updateEndpoint(ada, { endpointId, status: 'active' });
    await app.sendEvents();
    expect(receiver.sent.map(({ target }) => isAt(target, FIRST_URL))).toEqual([true]);
  });
});

describe('at every moment of the courier', () => {
  const CHANGES: readonly (readonly [name: string, change: Ask])[] = [
    ['a pause', updates({ status: 'disabled' }, { status: 'active' })],
    ['a new secret', updates({ rotateSecret: true })],
    ['another address', updates({ url: OTHER_URL })],
  ];
  const changes = CHANGES.flatMap(([name, change]) =>
    [DELIVERED, FAILED].map((first) => ({ name, change, first })),
  );

  it.each(changes)('$name loses no message: $first.kind', async ({ change, first }) => {
    const outcomes = await outcomesAmid({
      begin: () => world(first),
      flow: sends,
      other: change,
      async outcome(app, begun) {
        await sendsAll(app, begun);
        const { bob, endpointId } = begun;
        const kept = await app.getDeliveries(bob, { endpointId });
        return kept.map(({ status }) => status);
      },
    });
    expect(outcomes.map(({ became }) => became)).toEqual([['delivered', 'delivered']]);
  });

  it('a pause that lasts keeps each message for its end, once', async () => {
    const outcomes = await outcomesAmid({
      begin: () => world(DELIVERED),
      flow: sends,
      other: updates({ status: 'disabled' }),
      async outcome(app, begun) {
        await sendsAll(app, begun);
        await updates({ status: 'active' })(app, begun);
        await sendsAll(app, begun);
        const sent = begun.receiver.sent.map(({ id }) => id);
        return { messages: new Set(sent).size, times: sent.length };
      },
    });
    expect(outcomes.map(({ became }) => became)).toEqual([{ messages: 2, times: 2 }]);
  });

  it.each([DELIVERED, FAILED])(
    'what is asked for again after another address was given is sent there: $kind',
    async (first) => {
      const asked = new Map<World, readonly string[]>();
      const outcomes = await outcomesAmid({
        begin: () => world(first),
        flow: sends,
        async other(app, begun) {
          await updates({ url: OTHER_URL })(app, begun);
          begun.ports.clock.advance(1);
          asked.set(begun, await asksAgain(app, begun));
        },
        async outcome(app, begun) {
          await sendsAll(app, begun);
          const there = begun.receiver.sent.filter(({ target }) => isAt(target, OTHER_URL));
          const sent = new Set<string>(there.map(({ id }) => id));
          return { missing: asked.get(begun)?.filter((id) => !sent.has(id)).length };
        },
      });
      expect(outcomes.map(({ became }) => became)).toEqual([{ missing: 0 }]);
    },
  );

  const ENDS: readonly (readonly [name: string, end: Ask])[] = [
    ['deleteEndpoint', (app, { bob, endpointId }) => app.deleteEndpoint(bob, { endpointId })],
    ['deleteToken', (app, { bob, tokenId }) => app.deleteToken(bob, { tokenId })],
    [
      'deleteStrategySubscription',
      (app, { bob, strategyId }) => app.deleteStrategySubscription(bob, { strategyId }),
    ],
    ['deleteStrategy', (app, { ada, strategyId }) => app.deleteStrategy(ada, { strategyId })],
    ['deleteUser', (app, { bob }) => app.deleteUser(bob, { password: PASSWORD })],
  ];
  const ends = ENDS.flatMap(([end, ask]) =>
    [DELIVERED, GONE].map((first) => ({ end, ask, first })),
  );

  it.each(ends)(
    '$end ends the messages, but for one that is on its way: $first.kind',
    async ({ ask, first }) => {
      const sentThen = new Map<World, number>();
      const outcomes = await outcomesAmid({
        begin: () => world(first),
        flow: sends,
        async other(app, begun) {
          await ask(app, begun);
          sentThen.set(begun, begun.receiver.sent.length);
        },
        async outcome(app, begun) {
          await sendsAll(app, begun);
          const userId = userOf(begun.bob);
          const left = await begun.ports.unitOfWork.read(async (stores) => {
            const isDeleted = (await stores.users.find(userId))?.deletedAt !== null;
            const notices = await stores.notifications.list(userId, { limit: 9 });
            const endpoints = await stores.endpoints.listOf(userId);
            return {
              active: endpoints.filter(({ status }) => status === 'active').length,
              ofTheDeleted: isDeleted ? notices.length + endpoints.length : 0,
              notices: notices.length,
            };
          });
          const { length } = begun.receiver.sent;
          return { late: length - (sentThen.get(begun) ?? length), ...left };
        },
      });
      const wrong = outcomes.filter(
        ({ became: { late, ofTheDeleted, notices } }) =>
          late > 1 || ofTheDeleted > 0 || notices > 1,
      );
      expect(wrong).toEqual([]);
    },
  );
});
