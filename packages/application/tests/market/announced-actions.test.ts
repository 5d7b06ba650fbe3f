import { describe, expect, it } from '@jest/globals';
import { StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import { DAY, HOUR, MINUTE, decimal, type SourcedAction } from '@slipstream/domain';
import { createApp } from '../app.js';
import { AAPL, DUE, anAction, dividend, none, operator, scene } from './announced-scene.js';

describe('an announced split', () => {
  it('is booked once, at its time: values stay, orders and holdings are in new shares', async () => {
    const { announce, rest, view, pass, quote, trades } = await scene();
    await rest('180');
    await announce(anAction());
    const before = await view();
    await pass(DUE - 1);
    expect(await view()).toEqual(before);
    await pass(DUE);
    const after = { ...before, amount: '0.01', bid: '50', limit: '45', cashOf: [['split', '0']] };
    expect(await view()).toEqual(after);
    for (let hour = 1; hour < 5; hour += 1) await pass(DUE + hour * HOUR);
    expect(await view()).toEqual(after);
    await quote('50.5');
    expect((await view()).value).toBe('1.005');
    await quote('44');
    expect(await trades()).toEqual(['45', '200']);
  });

  it('takes no quote between its time and its booking: they are in new shares', async () => {
    const { announce, view, pass, quote, clock, world } = await scene();
    await announce(anAction({ newShares: decimal('1.25'), name: 'stock dividend' }));
    const { value } = await view();
    clock.advance(DUE + MINUTE - clock.now());
    await quote('161');
    expect(await view()).toMatchObject({ value, bid: '200' });
    await world.app.tick();
    expect(await view()).toMatchObject({ value, bid: '160' });
    await pass(DUE + 2 * MINUTE);
    await quote('161');
    expect((await view()).bid).toBe('161');
  });

  // The row and the action, then the book, then the end.
  it.each([0, 1, 2])('is booked once over a fault or a restart in between (%i)', async (works) => {
    const { announce, view, world, clock, fail, repair } = await scene();
    await announce(anAction());
    await world.app.tick();
    const { value } = await view();
    clock.advance(DUE - clock.now());
    fail(works);
    await expect(world.app.tick()).rejects.toThrow('full');
    repair();
    const app = await world.restart();
    expect(await view(app)).toMatchObject({ value, amount: '0.01', cashOf: [['split', '0']] });
    await app.tick();
    await world.app.tick();
    await world.app.followMarket();
    expect(await view(app)).toMatchObject({ value, amount: '0.01', cashOf: [['split', '0']] });
  });

  it('is booked by the next start, before any quote, when the server was down at its time', async () => {
    const { announce, view, world, clock } = await scene();
    await announce(anAction());
    await world.app.tick();
    clock.advance(DUE + 5 * HOUR - clock.now());
    const app = await world.restart();
    expect(await view(app)).toMatchObject({ amount: '0.01', bid: '50' });
  });

  it('is booked once by two cores over one storage', async () => {
    const { announce, world, clock, view } = await scene();
    await announce(anAction());
    const other = createApp(world.ports);
    await other.start();
    clock.advance(DUE - clock.now());
    await Promise.all([world.app.tick(), other.tick()]);
    await Promise.all([world.app.tick(), other.tick()]);
    expect(await view(await world.restart())).toMatchObject({
      amount: '0.01',
      cashOf: [['split', '0']],
    });
  });

  it('leaves its stock as it was when its source takes it back at the last moment', async () => {
    let inBetween = async (_: UnitOfWork): Promise<void> => undefined;
    const { announce, world, clock, view } = await scene((storage) => ({
      ...storage,
      run: async (work, options) => {
        const takeBack = inBetween;
        inBetween = async () => undefined;
        await takeBack(storage);
        return storage.run(work, options);
      },
    }));
    await announce(anAction());
    const before = await view();
    clock.advance(DUE - clock.now());
    inBetween = (storage) =>
      storage.run(async ({ announcedActions }) => {
        for (const row of await announcedActions.open())
          await announcedActions.save({ ...row, status: 'withdrawn' });
      });
    await world.app.tick();
    expect(await view()).toEqual(before);
  });

  it('follows its source: another day, another ratio, taken back', async () => {
    const { announce, view, pass } = await scene();
    await announce(anAction());
    await announce(anAction({ dueAt: DUE + DAY, newShares: decimal('2') }));
    await pass(DUE);
    expect((await view()).amount).toBe('0.0025');
    await announce();
    await pass(DUE + DAY);
    expect((await view()).amount).toBe('0.0025');
  });

  it('waits while the clock that has come to its time is in doubt, however often its source is asked', async () => {
    const { announce, view, pass, clock, world } = await scene();
    await announce(anAction({ dueAt: DUE + 7 * DAY }));
    const before = await view();
    const now = clock.now();
    clock.doubt(true);
    await pass(DUE + 8 * DAY);
    await pass(DUE + 8 * DAY + HOUR);
    expect(await view()).toEqual(before);
    clock.set(now + MINUTE);
    clock.doubt(false);
    await pass(now + 2 * MINUTE);
    expect(await view()).toEqual(before);
    expect((await view(await world.restart())).amount).toBe('0.0025');
    await pass(DUE + 7 * DAY);
    expect((await view()).amount).toBe('0.01');
  });

  it('stays when its source refuses the stock for a moment', async () => {
    const { announce, view, pass, silent } = await scene();
    await announce(anAction());
    silent(AAPL);
    await announce();
    await pass(DUE);
    expect((await view()).amount).toBe('0.01');
  });

  it('is not booked again when the operator booked it', async () => {
    const { announce, view, pass, splitByHand, clock } = await scene();
    clock.advance(DUE - HOUR - 2 * MINUTE - clock.now());
    await splitByHand('4');
    await announce(anAction());
    await pass(DUE);
    expect(await view()).toMatchObject({ amount: '0.01', status: 'active' });
  });

  it.each([
    ['named before it', ['symbol', 'split']],
    ['named after it', ['split', 'symbol']],
  ])(
    'is booked although the symbol changes with it, %s: then its stock is held',
    async (_, ids) => {
      const { announce, view, pass, errors, quote, says, world } = await scene();
      const renamed = { kind: 'other', ...none, name: 'change of the symbol' } as const;
      await announce(
        ...ids.map((sourceId) => anAction({ sourceId, ...(sourceId === 'symbol' && renamed) })),
      );
      const { value } = await view();
      await pass(DUE);
      expect(await view()).toMatchObject({ value, amount: '0.01', bid: '50', status: 'halted' });
      expect(errors.join()).toContain('change of the symbol');
      await quote('40');
      expect(await view(await world.restart())).toMatchObject({ value, status: 'halted' });
      await says('active');
      expect((await view()).status).toBe('active');
    },
  );

  it('that is a stock dividend keeps the value too', async () => {
    const { announce, view, pass } = await scene();
    await announce(anAction({ newShares: decimal('1.05'), name: 'stock dividend' }));
    const { value } = await view();
    await pass(DUE);
    const after = await view();
    expect(after).toMatchObject({ amount: '0.002625' });
    expect(
      decimal(after.value ?? '0')
        .minus(value ?? '0')
        .abs()
        .lte('1e-17'),
    ).toBe(true);
  });
});

describe('a split that is announced after its time', () => {
  it('is booked if the stock was not quoted since', async () => {
    const { announce, view, clock } = await scene();
    clock.advance(DUE - clock.now());
    await announce(anAction());
    expect(await view()).toMatchObject({ amount: '0.01', status: 'active' });
  });

  it('holds the stock if it was: which books bought new shares is for the operator to say', async () => {
    const { announce, view, clock, quote, errors, says, world, rest, trades } = await scene();
    clock.advance(DUE - clock.now());
    await quote('190');
    await announce(anAction({ newShares: decimal('1.05') }));
    expect(await view()).toMatchObject({ amount: '0.0025', status: 'halted' });
    expect(errors.join()).toContain('updateStocks');
    expect(await view(await world.restart())).toMatchObject({ status: 'halted' });
    await quote('180');
    await rest('185');
    expect(await trades()).toHaveLength(1);
    await says('active');
    expect((await view()).status).toBe('active');
    expect(await view(await world.restart())).toMatchObject({ status: 'active', amount: '0.0025' });
  });
});

describe('after a stop of weeks', () => {
  it('the source is asked for all that came since the server ran last, and what it announces is booked in its order', async () => {
    const { source, view, clock, world } = await scene();
    await world.app.tick();
    clock.advance(40 * DAY);
    const { value } = await view();
    source(
      anAction({ dueAt: DUE + 9 * DAY }),
      anAction({ ...dividend, sourceId: 'source-2', dueAt: DUE + 3 * DAY }),
    );
    const app = await world.restart();
    await app.followMarket();
    await app.tick();
    expect(await view(app)).toMatchObject({
      ...{ value, amount: '0.01', status: 'active' },
      cashOf: [
        ['split', '0'],
        ['cash_dividend', '0.005'],
      ],
    });
  });
});

describe('other announced actions', () => {
  it('a dividend is paid once on the holding at its time', async () => {
    const { announce, view, pass } = await scene();
    await announce(anAction(dividend));
    await pass(DUE);
    await pass(DUE + HOUR);
    expect(await view()).toMatchObject({ value: '1', cashOf: [['cash_dividend', '0.005']] });
  });

  it.each([
    ['', false],
    [', over a restart', true],
  ])(
    'a dividend makes neither gain nor drawdown%s: its price is that of before until the next quote',
    async (_, restarts) => {
      const { announce, pass, world, quote, view, clock, rest, trades } = await scene();
      await rest('170');
      await announce(anAction({ ...dividend, amount: decimal('30') }));
      await pass(DUE);
      const app = restarts ? await world.restart() : world.app;
      const minutes = async (): Promise<void> => {
        for (let minute = 0; minute < 3; minute += 1) {
          clock.advance(MINUTE);
          await app.tick();
        }
      };
      await minutes();
      expect(await view(app)).toMatchObject({ value: '1', bid: '170' });
      await pass(DUE + 6 * HOUR, app);
      expect(await trades()).toEqual(['200']);
      await quote('172');
      await minutes();
      expect((await view(app)).value).toBe('1.005');
      const [strategy] = await app.findStrategies(await world.user('someone'), {});
      for (const { maxDrawdown } of strategy?.timeframes ?? [])
        expect(maxDrawdown?.toFixed()).toBe('0');
    },
  );

  it('a dividend is taken from no quote of its own day', async () => {
    const { announce, pass, clock, quote, view } = await scene();
    await announce(anAction(dividend));
    clock.advance(DUE - clock.now());
    await quote('198');
    await pass(DUE + 1000);
    expect(await view()).toMatchObject({ value: '1', bid: '198' });
  });

  it('two dividends and a split of one day leave the value as it was, and the close of the day before', async () => {
    const { announce, pass, view, world, quote } = await scene();
    await announce(
      anAction(),
      anAction({ ...dividend, sourceId: 'source-2' }),
      anAction({ ...dividend, sourceId: 'source-3', name: 'special cash dividend' }),
    );
    await pass(DUE);
    expect(await view()).toMatchObject({ value: '1', bid: '49', amount: '0.01' });
    await quote('49');
    await world.app.tick();
    const closes = await world.ports.unitOfWork.read(({ dailyCloses }) =>
      dailyCloses.listAfter(AAPL, -1, 9),
    );
    expect(closes.map(({ last }) => last.toFixed())).toEqual(['200']);
  });

  it('a dividend of the day of a split is paid on the old shares', async () => {
    const { announce, view, pass } = await scene();
    await announce(anAction(), anAction({ ...dividend, sourceId: 'source-2' }));
    await pass(DUE);
    expect((await view()).cashOf).toEqual([
      ['split', '0'],
      ['cash_dividend', '0.005'],
    ]);
  });

  it.each<[string, readonly Partial<SourcedAction>[], number]>([
    ['a special one of the same amount and day', [{ name: 'special cash dividend' }], 2],
    ['one of the same amount two days later', [{ dueAt: DUE + 2 * DAY }], 2],
    ['the same under another id', [{}], 1],
  ])('a dividend is paid beside %s', async (_, others, paid) => {
    const { announce, view, pass } = await scene();
    const more = others.map((changes, index) =>
      anAction({ ...dividend, sourceId: `other-${index}`, ...changes }),
    );
    await announce(anAction(dividend), ...more);
    for (let day = 0; day < 4; day += 1) await pass(DUE + day * DAY);
    expect((await view()).cashOf).toHaveLength(paid);
  });

  it('a dividend that its source names by another id and day, once it is paid, is not paid again', async () => {
    const { announce, view, pass } = await scene();
    await announce(anAction(dividend));
    await pass(DUE);
    await announce(anAction({ ...dividend, sourceId: 'corrected', dueAt: DUE + DAY }));
    await pass(DUE + DAY);
    expect((await view()).cashOf).toHaveLength(1);
  });

  it.each<[string, SourcedAction, SourcedAction]>([
    ['a dividend', anAction(dividend), anAction({ ...dividend, amount: decimal('2.5') })],
    ['a split', anAction(), anAction({ newShares: decimal('5') })],
    [
      'a stock dividend',
      anAction({ newShares: decimal('1.05') }),
      anAction({ newShares: decimal('1.06') }),
    ],
  ])(
    '%s that its source corrects under another id, once it is booked, is not booked beside it: the operator is told',
    async (_, first, corrected) => {
      const { announce, view, pass, errors } = await scene();
      await announce(first);
      await pass(DUE);
      const before = await view();
      // Nothing was quoted since.
      await announce({ ...corrected, sourceId: 'corrected' });
      await pass(DUE + HOUR);
      const { cashOf, amount, value } = await view();
      expect([cashOf.length, amount, value]).toEqual([1, before.amount, before.value]);
      expect(errors.join()).toContain('says otherwise');
    },
  );

  it.each<[string, readonly SourcedAction[], number]>([
    ['other figures', [anAction({ ...dividend, amount: decimal('2.5') })], 1],
    ['another day', [anAction({ ...dividend, dueAt: DUE + DAY })], 1],
    ['nothing any more, as after a change of its symbol', [], 0],
    [
      'another one of another day',
      [anAction({ ...dividend, sourceId: 'other', amount: decimal('2.5'), dueAt: DUE + DAY })],
      0,
    ],
    ['the same', [anAction(dividend)], 0],
    ['the same by another id', [anAction({ ...dividend, sourceId: 'other' })], 0],
  ])(
    'a booked dividend of which the source tells %s stays, and the operator is told once',
    async (_, said, told) => {
      const { announce, view, pass, errors, silent } = await scene();
      await announce(anAction(dividend));
      await pass(DUE);
      silent(AAPL);
      await announce();
      expect(errors).toEqual([]);
      silent();
      for (let hour = 0; hour < 3; hour += 1) await announce(...said);
      expect((await view()).cashOf).toHaveLength(1);
      expect(errors.filter((text) => text.includes('says otherwise'))).toHaveLength(told);
    },
  );

  it.each(['announcedActions', 'stockActions', 'adjustments'] as const)(
    'a dividend of the day of a split comes before it also when the storage (%s) fails at it once',
    async (table) => {
      let fails = 1;
      const failing = (storage: UnitOfWork): UnitOfWork => ({
        ...storage,
        run: (work, options) =>
          storage.run((stores) => {
            const save = async (row: { readonly kind: string }): Promise<void> => {
              const isIt = row.kind === 'cash_dividend' && clock.now() >= DUE && fails > 0;
              if (isIt) fails -= 1;
              if (isIt) throw new StorageUnavailable('full');
              await stores[table].save(row as never);
            };
            return work({ ...stores, [table]: { ...stores[table], save } });
          }, options),
      });
      const { announce, view, pass, clock } = await scene(failing);
      await announce(anAction(), anAction({ ...dividend, sourceId: 'source-2' }));
      await pass(DUE).catch(() => undefined);
      await pass(DUE + MINUTE);
      expect(fails).toBe(0);
      expect((await view()).cashOf).toEqual([
        ['split', '0'],
        ['cash_dividend', '0.005'],
      ]);
    },
  );

  it('a dividend that is announced too late is left to the operator', async () => {
    const { announce, view, clock, quote, errors } = await scene();
    clock.advance(DUE - clock.now());
    await quote('190');
    await announce(anAction(dividend));
    expect(await view()).toMatchObject({ cashOf: [], status: 'active' });
    expect(errors.join()).toContain('cash dividend');
  });

  it('a worthless removal closes the holding at nothing; a stock that is still quoted is held instead', async () => {
    const removal = anAction({ kind: 'worthless', ...none, name: 'worthless removal' });
    const first = await scene();
    await first.announce(removal);
    await first.pass(DUE + 4 * DAY);
    expect(await first.view()).toMatchObject({ amount: null, status: 'delisted', value: '0.5' });
    const second = await scene();
    await second.announce(removal);
    await second.pass(DUE);
    expect(await second.view()).toMatchObject({ amount: '0.0025', status: 'halted' });
  });

  it('one that is not booked halts its stock until the operator sets it active', async () => {
    const { announce, view, pass, errors, says } = await scene();
    await announce(anAction({ kind: 'other', ...none, name: 'cash merger' }));
    expect((await view()).status).toBe('active');
    await pass(DUE);
    expect((await view()).status).toBe('halted');
    expect(errors.join()).toContain('cash merger');
    await says('halted');
    await says('active');
    expect((await view()).status).toBe('active');
    await pass(DUE + HOUR);
    expect((await view()).status).toBe('active');
  });

  it('one that is not booked keeps orders waiting until the operator sets its stock active: then they execute at once', async () => {
    const { announce, pass, quote, rest, says, trades } = await scene();
    await announce(anAction({ kind: 'other', ...none, name: 'cash merger' }));
    await pass(Date.UTC(2026, 0, 6, 14, 30));
    await rest('190');
    await quote('180');
    expect(await trades()).toEqual(['200']);
    await says('active');
    expect(await trades()).toEqual(['180', '200']);
  });

  it('one that was held when its stock was delisted by a version that ended no hold is held no more', async () => {
    const { announce, pass, world } = await scene();
    await announce(anAction({ kind: 'other', ...none, name: 'cash merger' }));
    await pass(DUE);
    await world.ports.unitOfWork.run(async ({ stocks }) => {
      const [stock] = (await stocks.all()).filter(({ id: stockId }) => stockId === AAPL);
      if (stock) await stocks.save([{ ...stock, status: 'delisted' }]);
    });
    expect((await world.restart()).heldStocks()).toEqual([]);
  });

  it.each<[string, object]>([
    ['active', { stockStatus: 'active' }],
    ['delisted', { stockStatus: 'delisted' }],
    ['delisted at a price', { stockStatus: 'delisted', settlePrice: decimal('210') }],
  ])('one that is not booked is held no more once the operator says %s', async (_, word) => {
    const { announce, pass, world, says, view } = await scene();
    await announce(anAction({ kind: 'other', ...none, name: 'cash merger' }));
    await pass(DUE);
    expect(world.app.heldStocks()).toEqual([{ symbol: 'AAPL', reason: 'cash merger, not booked' }]);
    await world.app.updateStocks(operator, { stocks: [{ stockId: 'aapl', ...word }] });
    expect(world.app.heldStocks()).toEqual([]);
    await pass(DUE + HOUR);
    expect(world.app.heldStocks()).toEqual([]);
    expect((await world.restart()).heldStocks()).toEqual([]);
    await says('active');
    expect((await view()).status).toBe('active');
  });

  it.each<[string, Partial<SourcedAction>]>([
    ['a split', none],
    ['a split of no shares', { newShares: decimal('0') }],
    ['a dividend', { ...dividend, amount: null }],
  ])('%s without its figures halts the stock and delists nothing', async (_, changes) => {
    const { announce, view, pass, errors } = await scene();
    await announce(anAction(changes));
    await pass(DUE);
    expect(await view()).toMatchObject({ amount: '0.0025', status: 'halted', cashOf: [] });
    expect(errors.join()).toContain('is not booked');
  });

  it('the source is asked each hour, and again after a failure', async () => {
    const { pass, clock, asked } = await scene();
    const start = clock.now();
    await pass(start);
    await pass(start + HOUR - 1);
    expect(asked()).toBe(1);
    await pass(start + HOUR);
    expect(asked()).toBe(2);
  });
});

describe('a first quote of a day that looks like a split', () => {
  /** The next morning, with the first quote of the day. */
  const morning = async (price: string) => {
    const made = await scene();
    await made.rest('60');
    made.clock.advance(Date.UTC(2026, 0, 6, 14, 30) - made.clock.now());
    await made.quote(price);
    return made;
  };

  it('values and trades nothing, until the split is announced and booked', async () => {
    const { view, quote, trades, announce, clock, errors } = await morning('50');
    expect(await view()).toMatchObject({ value: '1', bid: '200', status: 'halted', limit: '60' });
    clock.advance(MINUTE);
    await quote('50.1');
    expect(await trades()).toEqual(['200']);
    expect(errors.filter((text) => text.includes('looks like a split of 4:1'))).toHaveLength(1);
    await announce(anAction());
    expect(await view()).toMatchObject({ value: '1', bid: '50', status: 'active', limit: '15' });
    await quote('50.2');
    expect(await view()).toMatchObject({ value: '1.002', bid: '50.2' });
    expect(await trades()).toEqual(['200']);
  });

  it('asks the source at once, and every five minutes while it holds', async () => {
    const { world, clock, asked } = await morning('50');
    const before = asked();
    for (let minute = 0; minute < 20; minute += 1) {
      await world.app.followMarket();
      clock.advance(MINUTE);
    }
    expect(asked() - before).toBe(4);
  });

  it('is released when quotes stay near the price before for five minutes, and held again by the same jump', async () => {
    const { view, quote, clock } = await morning('50');
    const quoted = async (price: string, seconds: number) => {
      clock.advance(seconds * 1_000);
      await quote(price);
      return (await view()).status;
    };
    expect(await quoted('199', 1)).toBe('halted');
    expect(await quoted('50', 200)).toBe('halted');
    expect(await quoted('190', 100)).toBe('halted');
    expect(await quoted('179', 200)).toBe('halted');
    expect(await quoted('185', 1)).toBe('halted');
    expect(await quoted('201', 299)).toBe('halted');
    expect(await quoted('198', 1)).toBe('active');
    expect((await view()).bid).toBe('198');
    expect(await quoted('100', 1)).toBe('halted');
    expect((await view()).bid).toBe('198');
  });

  it('is released by newStockAction', async () => {
    const { view, quote, splitByHand, clock } = await morning('50');
    await splitByHand('4');
    clock.advance(1);
    await quote('50.2');
    expect(await view()).toMatchObject({ value: '1.002', status: 'active', amount: '0.01' });
  });

  it('is held again when another split was booked', async () => {
    const { view, quote, splitByHand, clock } = await morning('50');
    await splitByHand('2');
    clock.advance(1);
    await quote('50');
    expect(await view()).toMatchObject({ bid: '100', status: 'halted' });
  });

  it("is released by the operator's word, after half an hour", async () => {
    const { view, says, quote, clock, trades } = await morning('50');
    clock.advance(30 * MINUTE - 1);
    await expect(says('active')).rejects.toMatchObject({ code: 'conflict' });
    expect((await view()).status).toBe('halted');
    clock.advance(1);
    await says('active');
    expect(await trades()).toEqual(['200']);
    await quote('50');
    expect(await view()).toMatchObject({ value: '0.625', bid: '50', status: 'active' });
    expect(await trades()).toEqual(['60', '200']);
  });

  it('is held again after a restart', async () => {
    const { world, view, quote, clock } = await morning('50');
    const app = await world.restart();
    clock.advance(1);
    await quote('50');
    expect(await view(app)).toMatchObject({ value: '1', status: 'halted' });
  });

  it.each([
    ['held', 'a stream beside its source', true, 'halted'],
    ['not held', 'another source, whose prices say nothing of splits', false, 'active'],
  ])('is %s after a restart with %s', async (_, __, isBeside, status) => {
    const { world, view, quote, clock, hears } = await scene();
    hears('other', isBeside);
    clock.advance(MINUTE);
    const app = await world.restart();
    clock.advance(Date.UTC(2026, 0, 6, 14, 30) - clock.now());
    await quote('50');
    expect(await view(app)).toMatchObject({ status });
  });

  it.each([
    ['within a quarter', '151', 'active'],
    ['more than a quarter', '149', 'halted'],
  ])('%s', async (_, price, status) => {
    const { view } = await morning(price);
    expect((await view()).status).toBe(status);
  });

  it('is none on the same day, and none after a large dividend', async () => {
    const sameDay = await scene();
    sameDay.clock.advance(HOUR);
    await sameDay.quote('100');
    expect(await sameDay.view()).toMatchObject({ bid: '100', status: 'active' });
    const { announce, pass, quote, view } = await scene();
    await announce(anAction({ ...dividend, amount: decimal('60') }));
    await pass(DUE);
    await quote('140');
    expect(await view()).toMatchObject({ bid: '140', status: 'active' });
  });

  it('is none after a large dividend that the operator booked, such as the worth of a spin-off', async () => {
    const { world, clock, quote, view } = await scene();
    await world.app.newStockAction(operator, {
      stock: 'aapl',
      kind: 'cash_dividend',
      amount: decimal('60'),
    });
    clock.advance(DUE + 5 * HOUR - clock.now());
    await quote('140');
    expect(await view()).toMatchObject({ bid: '140', status: 'active', value: '1' });
  });
});
