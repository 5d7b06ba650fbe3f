import { AsyncResource } from 'node:async_hooks';
import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { type PlanPreviewView, decimal } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { fixture, text } from '../fixture.js';
import { Moments } from '../moments.js';

const operator: Caller = { kind: 'operator' };
const MARKET = { type: 'market' } as const;

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
    pricing: MARKET,
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

/** The value that a preview tells, and the sizes of its orders of MSFT: those of AAPL are in its present shares. */
const planned = ({ strategyValue, orders }: PlanPreviewView) => [
  text(strategyValue),
  ...orders.flatMap(({ order: { stockId, size } }) =>
    stockId === 'msft' ? [text(size.by === 'amount' ? size.amount : size.total)] : [],
  ),
];

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
    [
      'preparePlan of newOrder',
      async ({ app, owner, strategyId }) => {
        const size = { by: 'total', total: decimal('0.2') } as const;
        const asked = { strategyId, stock: 'msft', action: 'buy', size, pricing: MARKET } as const;
        const plan = await app.preparePlan(owner, { operation: 'newOrder', command: asked });
        return planned(plan.preview as PlanPreviewView);
      },
    ],
    [
      'previewOrderAllocations',
      async ({ app, owner, strategyId }) => {
        const allocations = [{ stock: 'msft', percent: decimal('0.9') }];
        return planned(await app.previewOrderAllocations(owner, { strategyId, allocations }));
      },
    ],
    [
      'previewOrderWebhook',
      async ({ app, owner, strategyId }) => {
        const asked = {
          strategyId,
          stock: 'msft',
          action: 'buy',
          leverage: decimal('0.4'),
        } as const;
        return planned(await app.previewOrderWebhook(owner, asked));
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
