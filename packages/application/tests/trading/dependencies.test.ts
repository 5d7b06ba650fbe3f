import { describe, expect, it } from '@jest/globals';
import { type Refusal, decimal, decimalText, id } from '@slipstream/domain';
import type { NewOrder } from '../../src/trading/orders.js';
import { fixture } from '../fixture.js';

const amount = (text: string) => ({ by: 'amount' as const, amount: decimal(text) });

/** A strategy whose stocks are quoted at 100, and its owner's way to place an order. */
async function trading() {
  const world = await fixture();
  const owner = await world.user('owner');
  const strategyId = await world.strategy(owner);
  await world.quote('aapl', '100');
  await world.quote('msft', '100');
  const place = async (order: Partial<NewOrder> = {}) => {
    const { order: placed } = await world.app.newOrder(owner, {
      strategyId,
      stock: 'aapl',
      action: 'buy',
      pricing: { type: 'market' },
      size: amount('0.005'),
      ...order,
    });
    return placed;
  };
  const refusal = (order: Partial<NewOrder>): Promise<Refusal> =>
    place(order).then(
      () => {
        throw new Error('the order was accepted');
      },
      (error: Refusal) => error,
    );
  const orderNow = (orderId: string) =>
    world.ports.unitOfWork.read(async ({ orders }) => orders.find(id(orderId)));
  return { ...world, owner, strategyId, place, refusal, orderNow };
}

const stop = {
  action: 'sell' as const,
  pricing: { type: 'stop_market' as const, stopPrice: decimal('85') },
};
const entryAt90 = { pricing: { type: 'limit' as const, price: decimal('90') } };

describe('order_dependencies', () => {
  it('a filled one counts as fulfilled: an entry, then its stop', async () => {
    const { place, quote, orderNow } = await trading();
    const entry = await place();
    expect((await orderNow(entry.id))?.status).toBe('filled');
    const exit = await place({ ...stop, dependsOn: [entry.id] });
    expect(exit).toMatchObject({ dependsOn: [], reduceOnly: true });
    await quote('aapl', '84');
    expect((await orderNow(exit.id))?.status).toBe('filled');
  });

  it('one that was cancelled or is unknown is refused by name, and nothing is placed', async () => {
    const { app, owner, strategyId, place, refusal } = await trading();
    const cancelled = await place(entryAt90);
    await app.deleteOrder(owner, { strategyId, orderId: cancelled.id });
    expect(await refusal({ ...stop, dependsOn: [cancelled.id] })).toMatchObject({
      code: 'order_not_open',
      message: `order ${cancelled.id} is not open: it is cancelled`,
    });
    expect(await refusal({ ...stop, dependsOn: ['nobody'] })).toMatchObject({
      code: 'not_found',
      message: 'order nobody does not exist',
    });
    expect(await app.getOrders(owner, { strategyId })).toEqual([]);
  });

  it("another strategy's order is unknown", async () => {
    const { app, owner, strategy, place, refusal } = await trading();
    const entry = await place(entryAt90);
    const strategyId = await strategy(owner);
    const attempt = { ...stop, strategyId, dependsOn: [entry.id] };
    expect((await refusal(attempt)).code).toBe('not_found');
    await expect(app.deleteOrder(owner, { strategyId, orderId: entry.id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('a cancelled entry leaves no stop that opens a short', async () => {
    const { app, owner, strategyId, place, quote, orderNow } = await trading();
    const entry = await place(entryAt90);
    const exit = await place({ ...stop, dependsOn: [entry.id] });
    expect(exit.reduceOnly).toBe(true);
    await app.deleteOrder(owner, { strategyId, orderId: entry.id });
    expect(await orderNow(exit.id)).toMatchObject({
      status: 'cancelled',
      reason: 'nothing_to_reduce',
    });
    await quote('aapl', '80');
    expect(await app.getTrades(owner, { strategyId })).toEqual([]);
  });

  it('a reduce_only order of a flat stock is cancelled at acceptance', async () => {
    const { place, orderNow } = await trading();
    const exit = await place({ ...stop, reduceOnly: true });
    expect(await orderNow(exit.id)).toMatchObject({ reason: 'nothing_to_reduce' });
  });
});

describe('getMaxOrderSize with order_dependencies', () => {
  it.each([
    ['a limit below the market', { type: 'limit' as const, price: decimal('90') }],
    ['a stop above it', { type: 'stop_market' as const, stopPrice: decimal('120') }],
    ['an OCO', { type: 'oco' as const, price: decimal('90'), stopPrice: decimal('120') }],
  ])('is the limit of newOrder: behind %s and its prerequisites', async (_, pricing) => {
    const { app, owner, strategyId, place, refusal } = await trading();
    const first = await place({ pricing, size: amount('0.002') });
    const second = await place({ stock: 'msft', pricing, dependsOn: [first.id] });
    const dependsOn = [second.id];
    const largest = await app.getMaxOrderSize(owner, {
      strategyId,
      stock: 'aapl',
      action: 'buy',
      dependsOn,
    });
    const refused = await refusal({ size: amount('9'), dependsOn });
    expect(refused.code).toBe('insufficient_buying_power');
    expect(refused.message).toContain(
      `amount 9 is larger than ${decimalText(largest.amount)}, the largest`,
    );
    await place({ size: { by: 'amount', amount: largest.amount }, dependsOn });
  });

  it('a stop-limit does not count as an OCO', async () => {
    const { app, owner, strategyId, refusal } = await trading();
    const prices = { price: decimal('95'), stopPrice: decimal('100') };
    const ask = (type?: 'stop_limit') =>
      app.getMaxOrderSize(owner, { strategyId, stock: 'aapl', action: 'buy', type, ...prices });
    const refused = await refusal({
      size: amount('9'),
      pricing: { type: 'stop_limit', ...prices },
    });
    expect(refused.message).toContain(decimalText((await ask('stop_limit')).amount));
    // On an OCO's sides and not told, it may be one: the larger price sizes.
    expect(decimalText((await ask()).price)).toBe('100');
    const sell = { strategyId, stock: 'aapl', action: 'sell' as const, ...prices };
    expect(decimalText((await app.getMaxOrderSize(owner, sell)).price)).toBe('95');
  });
});

describe('the order type given to getMaxOrderSize', () => {
  const price = decimal('95');
  const stopPrice = decimal('100');
  it.each([
    ['a limit order without its price', { type: 'limit' as const }],
    ['a market order with a price', { type: 'market' as const, price }],
    ['a stop with a limit', { type: 'stop_market' as const, price, stopPrice }],
    ['an OCO on the wrong sides', { type: 'oco' as const, price: stopPrice, stopPrice: price }],
  ])('is refused if it does not fit the prices: %s', async (_, pricing) => {
    const { app, owner, strategyId } = await trading();
    const asked = { strategyId, stock: 'aapl', action: 'buy' as const, ...pricing };
    await expect(app.getMaxOrderSize(owner, asked)).rejects.toMatchObject({
      code: 'invalid_field',
    });
  });
});

describe('deleteOrder', () => {
  it('distinguishes an unknown order from a closed one', async () => {
    const { app, owner, strategyId, place } = await trading();
    const { id: orderId } = await place();
    await expect(app.deleteOrder(owner, { strategyId, orderId })).rejects.toMatchObject({
      code: 'order_not_open',
      message: `order ${orderId} is not open: it is filled`,
    });
    const unknown = app.deleteOrder(owner, { strategyId, orderId: 'nobody' });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  });
});
