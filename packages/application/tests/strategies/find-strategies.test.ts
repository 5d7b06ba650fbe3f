import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, type StrategyId, decimal } from '@slipstream/domain';
import type { Caller } from '../../src/index.js';
import { fixture } from '../fixture.js';

const anonymous = { kind: 'anonymous' } as const;

/** Three strategies of two days: calm (0.1 AAPL), bold (1 AAPL) and idle, each with a price; ranks are computed. */
async function world() {
  const made = await fixture();
  const { app, ports } = made;
  const owner = await made.user('owner');
  const strategy = async (name: string, more: object = {}): Promise<StrategyId> =>
    (await app.newStrategy(owner, { type: 'stock', name, ...more })).strategy.id;
  const hold = (strategyId: StrategyId, percent: string) =>
    app.newOrderAllocations(owner, {
      strategyId,
      allocations: [{ stock: 'aapl', percent: decimal(percent) }],
      slippage: decimal('0'),
    });
  const calm = await strategy('Calm Waters', { price: 5, categories: ['Defensive'] });
  ports.clock.advance(DAY);
  const bold = await strategy('Bold Moves', { price: 20, description: 'Momentum of large ones' });
  const idle = await strategy('Idle', { type: 'cryptocurrency' });
  await made.quote('aapl', '100');
  await hold(calm, '0.1');
  await hold(bold, '1');
  for (const price of ['90', '120']) {
    ports.clock.advance(DAY);
    await made.quote('aapl', price);
    await app.tick();
  }
  await app.rankStrategies();
  const names = async (command: object = {}, caller: Caller = anonymous) =>
    (await app.findStrategies(caller, command)).map((view) => view.strategy.name);
  return { ...made, owner, strategy, calm, bold, idle, names };
}

describe('findStrategies', () => {
  it.each<[string, object, readonly string[]]>([
    ['everything by rank', { sort: 'rank_performance' }, ['Bold Moves', 'Calm Waters', 'Idle']],
    ['by return', { sort: 'return' }, ['Bold Moves', 'Calm Waters', 'Idle']],
    ['by drawdown', { sort: 'drawdown' }, ['Idle', 'Calm Waters', 'Bold Moves']],
    ['by age', { sort: 'age' }, ['Calm Waters', 'Bold Moves', 'Idle']],
    ['by price', { sort: 'price' }, ['Idle', 'Calm Waters', 'Bold Moves']],
    ['by words of name, description and labels', { query: 'LARGE momentum' }, ['Bold Moves']],
    ['by words that do not all occur', { query: 'momentum small' }, []],
    ['of a type', { type: 'cryptocurrency' }, ['Idle']],
    ['of a category', { categories: ['defensive', 'other'] }, ['Calm Waters']],
    ['up to a price', { maxPrice: 5, sort: 'age' }, ['Calm Waters', 'Idle']],
    ['of an age', { minAgeDays: 3 }, ['Calm Waters']],
    ['up to a drawdown', { maxDrawdown: decimal('0.05'), sort: 'age' }, ['Calm Waters', 'Idle']],
    ['on other prices', { basis: 'hypothetical' }, []],
  ])('finds %s', async (_, command, expected) => {
    const { names } = await world();
    expect(await names(command)).toEqual(expected);
  });

  it('goes on after a cursor; an unknown one has nothing after it', async () => {
    const { names, calm } = await world();
    expect(await names({ sort: 'age', limit: 2 })).toEqual(['Calm Waters', 'Bold Moves']);
    expect(await names({ sort: 'age', cursor: calm, limit: 1 })).toEqual(['Bold Moves']);
    expect(await names({ cursor: 'not-there' })).toEqual([]);
  });

  it('finds a new strategy, and a changed one, at once and after a computation', async () => {
    const { app, ports, owner, names, strategy } = await world();
    const strategyId = await strategy('Fresh');
    expect(await names({ query: 'fresh' })).toEqual(['Fresh']);
    expect(await names({ sort: 'return' })).toContain('Fresh');
    expect(await names({ query: 'fresh', maxDrawdown: decimal('0') })).toEqual(['Fresh']);
    await app.updateStrategy(owner, { strategyId, name: 'Renamed', price: 9 });
    expect(await names({ query: 'fresh' })).toEqual([]);
    expect(await names({ query: 'renamed', maxPrice: 9 })).toEqual(['Renamed']);
    ports.clock.advance(HOUR);
    await app.rankStrategies();
    expect(await names({ query: 'renamed' })).toEqual(['Renamed']);
  });

  it('never shows private, deleted or foreign private ones, and shows the own ones to their owner', async () => {
    const { app, owner, names, calm, bold, strategy, user } = await world();
    await strategy('Secret', { private: true });
    await app.updateStrategy(owner, { strategyId: calm, private: true });
    await app.deleteStrategy(owner, { strategyId: bold });
    const stranger = await user('stranger');
    for (const caller of [anonymous, stranger, owner])
      expect(await names({ sort: 'age' }, caller)).toEqual(['Idle']);
    expect(await names({ isMine: true, sort: 'age' }, owner)).toEqual([
      ...['Calm Waters', 'Idle', 'Secret'],
    ]);
    expect(await names({ isMine: true, query: 'secret' }, owner)).toEqual(['Secret']);
    expect(await names({ isMine: true }, stranger)).toEqual([]);
    await expect(names({ isMine: true })).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('shows the records of getStrategies', async () => {
    const { app, bold } = await world();
    const [found] = await app.findStrategies(anonymous, { sort: 'return', limit: 1 });
    const [known] = await app.getStrategies(anonymous, { strategyIds: [bold] });
    expect(found).toEqual(known);
    const [one] = await app.findStrategies(anonymous, { sort: 'return', timeframe: 'week' });
    expect(one?.timeframes.map(({ timeframe }) => timeframe)).toEqual(['week']);
  });
});
