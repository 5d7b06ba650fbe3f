import { describe, expect, it } from '@jest/globals';
import { type ClaimedPoint, DAY, decimal } from '@slipstream/domain';
import { fixture, text } from '../fixture.js';

const anonymous = { kind: 'anonymous' } as const;

async function world(settings: { readonly private?: boolean } = {}) {
  const made = await fixture();
  const { app, ports } = made;
  const owner = await made.user('owner');
  const strategyId = await made.strategy(owner, settings);
  const created = ports.clock.now();
  await made.quote('aapl', '100');
  const point = (day: number, value: string): ClaimedPoint => ({
    at: created - day * DAY,
    value: decimal(value),
  });
  const points = [point(30, '5000'), point(20, '6000'), point(10, '4000')];
  const importing = (given = points, caller = owner) =>
    app.newClaimedHistory(caller, { strategyId, points: given });
  const claims = (command: object = {}, caller: Parameters<typeof app.getTrades>[0] = owner) =>
    app.getStrategyHistory(caller, { strategyId, isClaimed: true, ...command });
  const shown = async () => (await app.getStrategies(owner, { strategyIds: [strategyId] }))[0];
  return { ...made, owner, strategyId, created, point, points, importing, claims, shown };
}

describe('An imported history', () => {
  it('is read apart from the strategy, in units of its first point, each point as claimed', async () => {
    const { importing, claims, created } = await world();
    await importing();
    const read = await claims({ interval: '7d' });
    expect(read.map(({ at, value }) => [(created - at) / DAY, text(value)])).toEqual([
      [30, '1'],
      [23, '1'],
      [16, '1.2'],
      [10, '0.8'],
    ]);
    expect(read.every(({ claimed }) => claimed)).toBe(true);
    const part = await claims({ from: created - 21 * DAY, to: created - 15 * DAY, interval: '1d' });
    expect(part.map(({ value }) => text(value))).toEqual(['1', ...Array<string>(6).fill('1.2')]);
    expect(await claims({ from: created - DAY })).toEqual([]);
  });

  it('changes no figure, no rank and no entry of the record', async () => {
    const { app, owner, strategyId, importing, shown, ports } = await world();
    ports.clock.advance(3 * DAY);
    await app.tick();
    const all = async () => {
      const { strategy: _, ...view } = (await shown()) ?? {};
      return {
        view,
        own: await app.getStrategyHistory(owner, { strategyId, timeframe: 'all' }),
        record: await app.getTrackRecord(owner, { strategyId }),
      };
    };
    const before = await all();
    await importing();
    expect(await all()).toEqual(before);
  });

  it('shows its span on the strategy, is replaced whole and removed', async () => {
    const { importing, claims, shown, point, app, owner, strategyId, ports, created } =
      await world();
    expect((await shown())?.strategy.claimed).toBeNull();
    await importing();
    ports.clock.advance(DAY);
    const view = await importing([point(9, '1'), point(8, '2')]);
    expect(view.strategy.claimed).toEqual({
      start: created - 9 * DAY,
      end: created - 8 * DAY,
      importedAt: created + DAY,
    });
    expect((await shown())?.strategy.claimed).toEqual(view.strategy.claimed);
    expect((await claims({ interval: '1d' })).map(({ value }) => text(value))).toEqual(['1', '2']);
    await app.deleteClaimedHistory(owner, { strategyId });
    expect((await shown())?.strategy.claimed).toBeNull();
    expect(await claims()).toEqual([]);
    await expect(app.deleteClaimedHistory(owner, { strategyId })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is seen by those who see the strategy, and imported and removed by its owner alone', async () => {
    const open = await world();
    await open.importing();
    expect(await open.claims({}, anonymous)).toEqual(await open.claims());
    const other = await open.user('other');
    const refused = { code: 'not_owner' };
    await expect(open.importing(open.points, other)).rejects.toMatchObject(refused);
    await expect(
      open.app.deleteClaimedHistory(other, { strategyId: open.strategyId }),
    ).rejects.toMatchObject(refused);
    const closed = await world({ private: true });
    await closed.importing();
    await expect(closed.claims({}, anonymous)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('that is refused changes nothing', async () => {
    const { importing, claims, shown, point } = await world();
    await importing();
    const before = [await claims(), await shown()];
    await expect(importing([point(5, '1'), point(0, '2')])).rejects.toMatchObject({
      code: 'invalid_field',
    });
    expect([await claims(), await shown()]).toEqual(before);
  });

  it('has no timeframe but all, because those end now', async () => {
    const { importing, claims } = await world();
    await importing();
    await expect(claims({ timeframe: 'month' })).rejects.toMatchObject({ code: 'invalid_field' });
    expect(await claims({ timeframe: 'all' })).toEqual(await claims());
  });
});
