import { describe, expect, it } from '@jest/globals';
import { DELIVERED, FAILED, type Sent, world } from './receiver.js';

const isTo = (path: string) => (message: Sent) =>
  message.target.kind === 'webhook' && message.target.url.endsWith(path);

describe('an endpoint that answers', () => {
  it.each([
    ['at once', 0, [20, 5, 0]],
    ['in a second', 1_000, [3, 3, 3]],
    ['just in time', 4_900, [1, 1, 1]],
  ])('%s has as many messages in its turns as hold its place for seconds', async (...row) => {
    const [, took, counts] = row;
    const { app, ports, endpoint, fills, receiver } = await world();
    await endpoint();
    await fills(25);
    receiver.answer = () => {
      ports.clock.advance(took);
      return DELIVERED;
    };
    const got: number[] = [];
    for (const _ of counts) {
      const before = receiver.sent.length;
      await app.sendEvents();
      got.push(receiver.sent.length - before);
    }
    expect(got).toEqual(counts);
  });
});

describe('endpoints that answer just in time', () => {
  it('slow no other after their first message, however many there are', async () => {
    const { app, ports, user, strategyId, endpoint, copies, fills, receiver } = await world();
    const bob = await user('bob');
    await app.newStrategySubscription(bob, { strategyId });
    const { endpoint: slow } = await endpoint({ url: 'https://example.com/slow' });
    await copies(slow, 149);
    // Its turn comes after theirs.
    await endpoint({ url: 'https://example.com/quick', strategyIds: [strategyId] }, bob);
    const quick = () => receiver.sent.filter(isTo('quick')).length;
    const waiting: (() => void)[] = [];
    receiver.answer = (message) =>
      isTo('quick')(message)
        ? DELIVERED
        : new Promise((resolve) => waiting.push(() => resolve(DELIVERED)));
    const answer = (): void => {
      ports.clock.advance(4_900);
      for (const one of waiting.splice(0)) one();
    };
    /** Sends what is due; those that wait are answered when everybody who can be has been asked. */
    const sendAll = async (): Promise<void> => {
      let isOver = false;
      const sent = app.sendEvents().finally(() => (isOver = true));
      for (let asked = -1; !isOver;) {
        await new Promise(setImmediate);
        if (waiting.length > 0 && asked === receiver.sent.length) answer();
        asked = receiver.sent.length;
      }
      await sent;
    };

    await fills(1);
    for (let turns = 0; turns < 5; turns += 1) await sendAll();
    expect(receiver.sent).toHaveLength(151);
    await fills(2);
    const turn = app.sendEvents();
    for (let turns = 0; quick() < 3 && turns < 10_000; turns += 1) await new Promise(setImmediate);
    expect(quick()).toBe(3);
    receiver.answer = () => DELIVERED;
    answer();
    await turn;
  });
});

describe('endpoints of one user', () => {
  it('leave places to others, however many they are and however long they have been due', async () => {
    const { app, ports, user, strategyId, endpoint, copies, fills, receiver } = await world();
    const bob = await user('bob');
    await app.newStrategySubscription(bob, { strategyId });
    const { endpoint: silent } = await endpoint({ url: 'https://example.com/silent' });
    await copies(silent, 149);
    await fills(1);
    // From now on those of the first user are due.
    await endpoint({ url: 'https://example.com/quick', strategyIds: [strategyId] }, bob);
    ports.clock.advance(60_000);
    await fills(1);
    const waiting: (() => void)[] = [];
    receiver.answer = (message) =>
      isTo('quick')(message)
        ? DELIVERED
        : new Promise((resolve) => waiting.push(() => resolve(FAILED)));
    const turn = app.sendEvents();
    while (waiting.length < 49) await new Promise(setImmediate);
    for (let turns = 0; turns < 1_000; turns += 1) await new Promise(setImmediate);
    expect(receiver.sent.filter(isTo('quick'))).toHaveLength(1);
    for (const one of waiting) one();
    await turn;
  });

  it('get the place that becomes free after those who hold none', async () => {
    const { app, ports, user, strategyId, endpoint, copies, fills, receiver } = await world();
    const bob = await user('bob');
    await app.newStrategySubscription(bob, { strategyId });
    const { endpoint: silent } = await endpoint({ url: 'https://example.com/silent' });
    await copies(silent, 149);
    await fills(1);
    const waiting: (() => void)[] = [];
    receiver.answer = (message) =>
      isTo('quick')(message)
        ? DELIVERED
        : new Promise((resolve) => waiting.push(() => resolve(FAILED)));
    const turns = [app.sendEvents()];
    while (waiting.length < 50) await new Promise(setImmediate);
    ports.clock.advance(1_000);
    await endpoint({ url: 'https://example.com/quick', strategyIds: [strategyId] }, bob);
    await fills(1);
    waiting.shift()?.();
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
    turns.push(app.sendEvents());
    for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
    expect(receiver.sent.filter(isTo('quick'))).toHaveLength(1);
    for (const one of waiting) one();
    await Promise.all(turns);
  });
});

describe('events without an end', () => {
  it('do not keep what is due from being sent', async () => {
    let happens = async (): Promise<void> => undefined;
    const { app, ports, endpoint, fills, receiver } = await world((storage) => ({
      ...storage,
      run: async (work, options) => {
        const answer = await storage.run(work, options);
        await happens();
        return answer;
      },
    }));
    await endpoint();
    await fills(1);
    let [isHappening, filled] = [false, 1];
    // Each transaction takes a while, in which an order is filled.
    happens = async () => {
      if (isHappening || receiver.sent.length > 0) return;
      isHappening = true;
      ports.clock.advance(50);
      filled += 1;
      if (filled > 100) throw new Error('nothing is sent');
      await fills(1);
      isHappening = false;
    };
    await app.sendEvents();
    expect(receiver.sent.length).toBeGreaterThan(0);
    await app.sendEvents();
    expect(receiver.sent).toHaveLength(filled);
  });
});
