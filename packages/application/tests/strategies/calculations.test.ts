import { describe, expect, it } from '@jest/globals';
import { decimal, HOUR } from '@slipstream/domain';
import { fixture, text } from '../fixture.js';

/** A strategy worth 1 for an hour, then all in a stock that goes from 100 to 150 and to 120. */
const world = async () => {
  const made = await fixture();
  const owner = await made.user('owner');
  const strategyId = await made.strategy(owner);
  const start = made.ports.clock.now();
  made.ports.clock.advance(HOUR);
  await made.quote('aapl', '100');
  await made.app.newOrderAllocations(owner, {
    strategyId,
    allocations: [{ stock: 'aapl', percent: decimal('1') }],
    slippage: decimal('0'),
  });
  for (const price of ['150', '120']) {
    made.ports.clock.advance(HOUR);
    await made.quote('aapl', price);
    await made.app.tick();
  }
  made.ports.clock.advance(HOUR);
  const follower = await made.user('follower');
  return { ...made, owner, follower, strategyId, start };
};
const inputValue = decimal('3000');

describe('a calculation', () => {
  it.each([
    ['the beginning', 0, '3000', '3600', '0.2'],
    ['a moment before any trade', HOUR - 1, '3000', '3600', '0.2'],
    ['between two samples: the earlier counts', 2.5 * HOUR, '2000', '2400', '-0.2'],
    ['now', 4 * HOUR, '2500', '3000', '0'],
  ])('from %s', async (_, after, multiplier, value, change) => {
    const { app, follower, strategyId, start } = await world();
    const found = await app.getStrategyCalculation(follower, {
      strategyId,
      inputValue,
      inputDate: start + after,
    });
    expect([found.inputMultiplier, found.value, found.percentChange].map(text)).toEqual([
      multiplier,
      value,
      change,
    ]);
    expect(text(found.strategyValue)).toBe('1.2');
  });

  it('is from now on without a date', async () => {
    const { app, follower, strategyId, ports } = await world();
    const found = await app.getStrategyCalculation(follower, { strategyId, inputValue });
    expect(found.inputDate).toBe(ports.clock.now());
    expect(text(found.value)).toBe('3000');
  });

  it('shows displayed positions only to those who may see positions', async () => {
    const { app, follower, strategyId } = await world();
    const ask = () => app.getStrategyCalculation(follower, { strategyId, inputValue });
    expect((await ask()).positions).toBeNull();
    await app.newStrategySubscription(follower, { strategyId });
    const [position] = (await ask()).positions ?? [];
    expect([position?.stockId, text(position?.amount), text(position?.value)]).toEqual([
      'aapl',
      '25',
      '3000',
    ]);
  });

  it.each([
    ['before the strategy', -1],
    ['in the future', 4 * HOUR + 5_001],
  ])('is refused for a date %s', async (_, after) => {
    const { app, follower, strategyId, start } = await world();
    const inputDate = start + after;
    await expect(
      app.getStrategyCalculation(follower, { strategyId, inputValue, inputDate }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
  });

  it('is from now on for a client whose clock is a little ahead', async () => {
    const { app, follower, strategyId, ports } = await world();
    const now = ports.clock.now();
    const inputDate = now + 5_000;
    const view = await app.getStrategyCalculation(follower, { strategyId, inputValue, inputDate });
    expect(view.inputDate).toBe(now);
  });

  it('is unavailable while a value is missing', async () => {
    const { app, owner, strategyId, ports } = await world();
    await ports.unitOfWork.run(async ({ books }) => {
      const book = await books.find(strategyId);
      if (!book) throw new Error('no book');
      const [held] = book.positions.values();
      if (!held) throw new Error('no position');
      const unquoted = { ...held, stockId: 'msft' as typeof held.stockId };
      const positions = new Map([[unquoted.stockId, unquoted]]);
      await books.save({ ...book, version: book.version + 1, positions }, []);
    });
    await expect(
      app.getStrategyCalculation(owner, { strategyId, inputValue }),
    ).rejects.toMatchObject({ code: 'value_unavailable' });
  });
});

describe('updateStrategyCalculation', () => {
  it('keeps the multiplier in the row of a follower and of the owner', async () => {
    const { app, owner, follower, strategyId, start } = await world();
    await app.newStrategySubscription(follower, { strategyId });
    for (const caller of [follower, owner]) {
      await app.updateStrategyCalculation(caller, { strategyId, inputValue, inputDate: start });
      const [row] = await app.getStrategySubscriptions(caller, {});
      expect([row?.inputValue, row?.inputMultiplier].map(text)).toEqual(['3000', '3000']);
      expect(row?.inputDate).toBe(start);
    }
  });

  it('needs a subscription', async () => {
    const { app, follower, strategyId } = await world();
    await expect(
      app.updateStrategyCalculation(follower, { strategyId, inputValue }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('changes nothing when it is refused', async () => {
    const { app, follower, strategyId, start } = await world();
    await app.newStrategySubscription(follower, { strategyId });
    await expect(
      app.updateStrategyCalculation(follower, { strategyId, inputValue, inputDate: start - 1 }),
    ).rejects.toMatchObject({ code: 'invalid_field' });
    const [row] = await app.getStrategySubscriptions(follower, {});
    expect(row?.inputMultiplier).toBeNull();
  });
});

describe('newAlertTemplate', () => {
  it('has a new token, which can only trade in that strategy', async () => {
    const { app, owner, strategyId } = await world();
    const template = await app.newAlertTemplate(owner, { strategyId, stock: 'aapl' });
    const [token] = (await app.getTokens(owner, {})).filter(({ type }) => type === 'api');
    expect(token).toMatchObject({
      name: 'alerts of AAPL',
      scope: ['newOrder'],
      strategyIds: [strategyId],
      renewedByUse: true,
    });
    expect(await app.authenticate(template.token ?? '')).toMatchObject({ tokenId: token?.id });
  });

  it('is refused to others and for stocks that do not trade, and leaves no token', async () => {
    const { app, owner, follower, strategyId } = await world();
    const ask = (caller: typeof owner, stock: string) =>
      app.newAlertTemplate(caller, { strategyId, stock });
    await expect(ask(follower, 'aapl')).rejects.toMatchObject({ code: 'not_owner' });
    await expect(ask(owner, 'btc')).rejects.toMatchObject({ code: 'invalid_field' });
    for (const caller of [owner, follower]) {
      const tokens = await app.getTokens(caller, {});
      expect(tokens.filter(({ name }) => name.startsWith('alerts'))).toEqual([]);
    }
  });
});

describe('getAlertTemplate', () => {
  it('is for the owner, and a stock that the strategy can trade', async () => {
    const { app, owner, follower, strategyId } = await world();
    const ask = (caller: typeof owner, stock: string) =>
      app.getAlertTemplate(caller, { strategyId, stock, pyramiding: 3 });
    const template = await ask(owner, 'aapl:nasdaq');
    expect({ ...template, leverage: text(template.leverage) }).toEqual({
      strategyId,
      stockId: 'aapl',
      leverage: '1',
      pyramiding: 3,
      token: null,
    });
    await expect(ask(follower, 'aapl')).rejects.toMatchObject({ code: 'not_owner' });
    await expect(ask(owner, 'btc')).rejects.toMatchObject({ code: 'invalid_field' });
    await expect(ask(owner, 'none')).rejects.toMatchObject({ code: 'not_found' });
  });
});
