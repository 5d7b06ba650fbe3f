import { describe, expect, it } from '@jest/globals';
import { MINUTE, decimal, id } from '@slipstream/domain';
import { aSubscription, aUser } from '@slipstream/port-contracts';
import type { Caller } from '../../src/index.js';
import type { App } from '../app.js';
import { type MoneyWorld, moneyOf, moneyWorld, rests } from '../billing/crash-scene.js';
import { outcomesOf } from '../crashes.js';

const operator: Caller = { kind: 'operator' };
/** More than are ended in one transaction. */
const MANY = 30;
const freeFollowers = Array.from({ length: MANY }, (_, n) => id<'user'>(`free-${n}`));

const quoted = (app: App, price: string) => {
  const [bid, ask, last] = [decimal(price), decimal(price), decimal(price)];
  return app.newQuotes(operator, { quotes: [{ stock: 'aapl', bid, ask, last }] });
};
const order = (app: App, { owner, strategyId }: MoneyWorld) =>
  app.newOrder(owner, {
    strategyId,
    stock: 'aapl',
    action: 'sell',
    pricing: { type: 'market' },
    size: { by: 'amount', amount: decimal('0.01') },
  });

/** A strategy that is short, with a follower who paid and many who pay nothing. */
async function followed(): Promise<MoneyWorld> {
  const world = await moneyWorld();
  const { app, ports, strategyId } = world;
  await quoted(app, '100');
  await order(app, world);
  await world.subscribe(world.follower, strategyId);
  await ports.unitOfWork.run(async ({ users, subscriptions }) => {
    for (const userId of freeFollowers) {
      await users.save(aUser({ id: userId, email: `${userId}@example.com` }));
      const row = { id: id<'subscription'>(`of-${userId}`), userId, strategyId, price: 0 };
      await subscriptions.save(aSubscription(row));
    }
  });
  await world.days(3);
  return world;
}

type Act = (app: App, world: MoneyWorld) => Promise<unknown>;

/** The different outcomes, if what brings about the end goes on in the next process. */
const outcomes = (ends: Act, before: Act = async () => undefined) =>
  outcomesOf<MoneyWorld>({
    async begin() {
      const world = await followed();
      await before(world.app, world);
      return world;
    },
    flow: ends,
    async outcome(next, world) {
      await ends(next, world).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'not_found' });
      });
      await rests(next, world);
      const free = await world.ports.unitOfWork.read(async ({ notifications, subscriptions }) =>
        Promise.all(
          freeFollowers.map(async (userId) => {
            const told = await notifications.list(userId, { limit: 9 });
            const [row] = await subscriptions.listOfUser(userId, { limit: 9 });
            return `${row?.status}, told ${told.length} times`;
          }),
        ),
      );
      const { subscriptions, invoices, balance, told } = await moneyOf(world);
      const ended = Object.entries(told).filter(([text]) => /is over|has ended/.test(text));
      return {
        subscriptions,
        invoices: invoices.map(({ refunded, given, isBooked }) => ({ refunded, given, isBooked })),
        balance,
        told: ended.map(([, times]) => times),
        free: [...new Set(free)],
      };
    },
  });

describe('a crash at any moment of the end of a strategy', () => {
  it('refunds and tells every follower once when it is deleted', async () => {
    const deletes: Act = (app, { owner, strategyId }) => app.deleteStrategy(owner, { strategyId });
    expect(await outcomes(deletes)).toEqual([
      {
        subscriptions: ['owner cancelled', 'subscriber cancelled'],
        invoices: [{ refunded: '26.79', given: '26.79', isBooked: true }],
        balance: '2.57',
        told: [1],
        free: ['cancelled, told 0 times'],
      },
    ]);
  });

  it('refunds and tells every follower once when its value was at or below zero', async () => {
    const almostOver: Act = (_, { ports: { unitOfWork }, strategyId }) =>
      unitOfWork.run(async ({ strategies }) => {
        const strategy = await strategies.find(strategyId);
        if (strategy) await strategies.save({ ...strategy, belowZeroFor: 14.5 * MINUTE });
      });
    const isBelowZero: Act = async (app, { ports: { clock } }) => {
      for (let gone = 0; gone < 50; gone += 10) {
        clock.advance(10_000);
        await quoted(app, '210');
        await app.tick();
      }
    };
    expect(await outcomes(isBelowZero, almostOver)).toEqual([
      {
        subscriptions: ['owner active', 'subscriber cancelled'],
        invoices: [{ refunded: '25.72', given: '25.72', isBooked: true }],
        balance: '3.42',
        // Its owner by two kinds of notifications, and the payer, who is told of the subscription too.
        told: [3, 1],
        free: ['active, told 1 times'],
      },
    ]);
  });
});
