import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { decimal, type StrategyId } from '@slipstream/domain';
import { StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { type Fixture, fixture, text } from '../fixture.js';

/** A strategy whose order the last quote, of 200 after 100, concerns: the storage failed as it was matched. */
async function behind() {
  const storage = openMemory();
  const failing = { next: 0 };
  const unitOfWork: UnitOfWork = {
    ...storage,
    run: (work, options) => {
      if (failing.next === 0) return storage.run(work, options);
      failing.next -= 1;
      return Promise.reject(new StorageUnavailable('full'));
    },
  };
  const world = await fixture({ unitOfWork });
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner, { type: 'cryptocurrency' });
  await world.quote('btc', '100');
  const { order } = await world.app.newOrder(owner, {
    strategyId,
    stock: 'btc',
    action: 'buy',
    pricing: { type: 'stop_market', stopPrice: decimal('150') },
    size: { by: 'amount', amount: decimal('0.001') },
    reduceOnly: false,
    dependsOn: [],
  });
  failing.next = 1;
  await world.quote('btc', '200');
  return { world, owner, strategyId, waiting: order.id, failing };
}

interface Sent {
  readonly owner: Caller;
  readonly strategyId: StrategyId;
}

/** Each command that is sized at a quote. */
const SIZED: readonly (readonly [
  name: string,
  send: (app: Fixture['app'], sent: Sent) => Promise<unknown>,
])[] = [
  [
    'newOrderWebhook',
    (app, { owner, strategyId }) =>
      app.newOrderWebhook(owner, {
        strategyId,
        stock: 'BTC:COINBASE',
        action: 'buy',
        leverage: decimal('1'),
        pyramiding: 2,
      }),
  ],
  [
    'newOrderAllocations',
    (app, { owner, strategyId }) =>
      app.newOrderAllocations(owner, {
        strategyId,
        allocations: [{ stock: 'BTC:COINBASE', percent: decimal('0.5') }],
      }),
  ],
];

const exposure = async ({ app }: Fixture, { owner, strategyId }: Sent): Promise<number> => {
  const { positions } = await app.getPositions(owner, { strategyId });
  return Number(text(positions[0]?.percent?.round(2)));
};

describe('a command on a book whose matching failed at the storage', () => {
  it.each(SIZED)('%s comes after the quote: it is sized at 200', async (_, send) => {
    const { world, ...sent } = await behind();
    await send(world.app, sent);
    const trades = (await world.app.getTrades(sent.owner, sent)).toReversed();
    expect(trades.map(({ price }) => text(price))).toEqual(['200.2', '200.2']);
    expect(await exposure(world, sent)).toBeLessThan(0.75);
  });

  it.each(SIZED)('%s is refused and changes nothing while that fails again', async (_, send) => {
    const { world, failing, waiting, ...sent } = await behind();
    failing.next = 1;
    await expect(send(world.app, sent)).rejects.toThrow(StorageUnavailable);
    const open = await world.app.getOrders(sent.owner, sent);
    expect(open.map(({ order }) => order.id)).toEqual([waiting]);
    expect(await world.app.getTrades(sent.owner, sent)).toEqual([]);
  });

  it('newOrder may use the buying power at 200, not that at 100', async () => {
    const { world, ...sent } = await behind();
    const order = {
      ...sent,
      stock: 'btc',
      action: 'buy' as const,
      pricing: { type: 'market' as const },
      size: { by: 'amount' as const, amount: decimal('0.012') },
    };
    await expect(world.app.newOrder(sent.owner, order)).rejects.toThrow('the largest that');
  });

  it('cannot cancel an order that the quote has executed', async () => {
    const { world, owner, strategyId, waiting } = await behind();
    await expect(world.app.deleteOrder(owner, { strategyId, orderId: waiting })).rejects.toThrow();
    const trades = await world.app.getTrades(owner, { strategyId });
    expect(trades.map(({ price }) => text(price))).toEqual(['200.2']);
  });
});
