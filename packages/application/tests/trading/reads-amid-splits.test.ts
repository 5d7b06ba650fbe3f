import { AsyncResource } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { decimal } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { fixture, text } from '../fixture.js';
import { Moments } from '../moments.js';

const operator: Caller = { kind: 'operator' };

/** The stores of a storage in another process: other work runs while each is asked. */
const far = (stores: ReadStores, moments: Moments): ReadStores =>
  new Proxy(stores, {
    get: (target, name): unknown => {
      const found: unknown = Reflect.get(target, name);
      return typeof found === 'object' && found !== null ? moments.watched(found) : found;
    },
  });

/** A strategy with half of its value in AAPL, which is then split. */
async function scene(moments: Moments) {
  const memory = openMemory();
  const world = await fixture({
    unitOfWork: {
      ...memory,
      read: (work) => memory.read((stores) => work(far(stores, moments))),
    },
  });
  const { app } = world;
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await world.quote('aapl', '100');
  await world.quote('msft', '50');
  await app.newOrder(owner, {
    strategyId,
    stock: 'aapl',
    action: 'buy',
    pricing: { type: 'market' },
    size: { by: 'amount', amount: decimal('0.005') },
  });
  const split = () =>
    app.newStockAction(operator, {
      stock: 'aapl',
      kind: 'split',
      ratio: { newShares: decimal('4'), oldShares: decimal('1') },
    });
  return { app, owner, strategyId, split };
}
type Scene = Awaited<ReturnType<typeof scene>>;

describe('a split that is booked while a read asks the storage', () => {
  it.each<[string, (scene: Scene) => Promise<unknown>]>([
    [
      'getPositions',
      async ({ app, owner, strategyId }) =>
        text((await app.getPositions(owner, { strategyId })).strategyValue),
    ],
    [
      'getStrategyCalculation',
      async ({ app, owner, strategyId }) => {
        const asked = { strategyId, inputValue: decimal('1000') };
        const { value, percentChange } = await app.getStrategyCalculation(owner, asked);
        return [text(value), text(percentChange)];
      },
    ],
    [
      'getMaxOrderSize',
      async ({ app, owner, strategyId }) => {
        const asked = { strategyId, stock: 'msft', action: 'buy' } as const;
        return text((await app.getMaxOrderSize(owner, asked)).total);
      },
    ],
  ])('changes no value in the answer of %s', async (_, read) => {
    const quiet = await read(await scene(new Moments(0)));
    let moment = 1;
    for (; ; moment += 1) {
      const moments = new Moments(moment);
      const world = await scene(moments);
      let answer: unknown;
      // Not from inside the read, where a storage would refuse a transaction.
      const comes = AsyncResource.bind(() => world.split());
      await moments.amid(comes, async () => {
        answer = await read(world);
      });
      expect({ moment, answer }).toEqual({ moment, answer: quiet });
      if (!moments.hasCome) break;
    }
    expect(moment).toBeGreaterThan(3);
  });
});
