import { describe, expect, it } from '@jest/globals';
import { HOUR, decimal, sum } from '@slipstream/domain';
import type { ReadStores, UnitOfWork } from '@slipstream/ports';
import fc from 'fast-check';
import type { Fixture } from '../fixture.js';
import { DUE, anAction, dividend, scene } from './announced-scene.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const RUNS = 60;

/** The true split: four for one at `DUE`. What a source says of it may come early or late, be wrong, doubled or taken back. */
const SAID = {
  right: [anAction()],
  wrongRatio: [anAction({ newShares: decimal('2') })],
  dayLate: [anAction({ dueAt: DUE + 24 * HOUR })],
  doubled: [anAction(), anAction({ sourceId: 'source-2' })],
  underAnotherId: [anAction({ sourceId: 'source-2' })],
  nothing: [],
} as const;

type Event =
  | { readonly do: 'pass'; readonly hours: number }
  | { readonly do: 'quote'; readonly percent: number }
  | { readonly do: 'say'; readonly what: keyof typeof SAID }
  | { readonly do: 'fail'; readonly after: number }
  | { readonly do: 'restart' };

const events = fc.array(
  fc.oneof<fc.WeightedArbitrary<Event>[]>(
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('pass'), hours: fc.constantFrom(1, 5, 14) }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ do: fc.constant('quote'), percent: fc.integer({ min: -2, max: 2 }) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('say'),
        what: fc.constantFrom('right', 'right', ...(Object.keys(SAID) as (keyof typeof SAID)[])),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('fail'), after: fc.nat({ max: 4 }) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('restart') }) },
  ),
  { minLength: 12, maxLength: 30, size: 'max' },
);

/** Stocks are quoted from 10:00 to 15:00 of New York in winter. */
const isSession = (now: number): boolean => {
  const hour = new Date(now).getUTCHours();
  return hour >= 15 && hour < 20;
};

const HAIR = decimal('0.00000000000000001');

/** Plays the events. The strategy holds half its value in a stock that stays within 2 % of its price. */
async function play(story: readonly Event[], around?: (storage: UnitOfWork) => UnitOfWork) {
  const { world, clock, quote, view, pass, source, fail, repair } = await scene(around);
  let app: Fixture['app'] = world.app;
  let largest = 0;
  // A quote that is not stored yet may be lost at a restart.
  let isStored = true;
  const check = async (before: string | null | undefined): Promise<void> => {
    const { value, cashOf } = await view(app);
    const splits = cashOf.filter(([kind]) => kind === 'split').length;
    largest = Math.max(largest, splits);
    // A split of another ratio is another split.
    expect(splits).toBeLessThanOrEqual(2);
    if (!value) return;
    expect(decimal(value).minus('1').abs().lte('0.0101')).toBe(true);
    if (before) expect(decimal(value).minus(before).abs().lte(HAIR)).toBe(true);
  };
  for (const event of story) {
    const { value } = await view(app);
    switch (event.do) {
      case 'pass':
        await pass(clock.now() + event.hours * HOUR, app);
        isStored = true;
        await check(value);
        break;
      case 'quote': {
        if (!isSession(clock.now())) break;
        const price = clock.now() < DUE ? 200 : 50;
        await quote(`${(price * (100 + event.percent)) / 100}`);
        await check(undefined);
        isStored = false;
        break;
      }
      case 'say':
        source(...SAID[event.what]);
        break;
      case 'fail':
        fail(event.after);
        await app.tick().catch(() => undefined);
        repair();
        await check(value);
        break;
      case 'restart':
        app = await world.restart();
        await check(isStored ? value : undefined);
        break;
    }
  }
  return largest;
}

/** Forgets that an announced action is booked, and every action that was booked. */
const forgetful = (storage: UnitOfWork): UnitOfWork => {
  const blind = <AnyStores extends ReadStores>(stores: AnyStores): AnyStores => ({
    ...stores,
    stockActions: { ...stores.stockActions, ofStock: async () => [] },
  });
  return {
    ...storage,
    read: (work) => storage.read((stores) => work(blind(stores))),
    run: (work, options) =>
      storage.run(
        (stores) =>
          work({
            ...blind(stores),
            adjustments: { ...stores.adjustments, find: async () => undefined },
            announcedActions: {
              ...stores.announcedActions,
              save: async (row) =>
                stores.announcedActions.save(
                  row.status === 'booked' ? { ...row, status: 'pending' } : row,
                ),
            },
          }),
        options,
      ),
  };
};

describe('announced splits, whatever is said of them and whenever (contract 11)', () => {
  it(
    'are booked once: no value moves but with its quotes',
    async () => {
      let booked = 0;
      const property = fc.asyncProperty(events, async (story) => {
        booked += await play(story);
      });
      await fc.assert(property, { numRuns: RUNS * MORE, seed: 20260106 });
      expect(booked).toBeGreaterThan(RUNS / 4);
    },
    60_000 * MORE,
  );

  it(
    'are found when they are booked twice',
    async () => {
      const property = fc.asyncProperty(events, async (story) => {
        await play(story, forgetful);
      });
      const { failed } = await fc.check(property, { numRuns: RUNS, seed: 1, endOnFailure: true });
      expect(failed).toBe(true);
    },
    60_000 * MORE,
  );
});

/** Of few amounts and days, so that many are alike; each is named by one or two ids. */
const dividends = fc.uniqueArray(
  fc.record({
    day: fc.nat({ max: 5 }),
    cents: fc.constantFrom(50, 100),
    name: fc.constantFrom('cash dividend', 'special cash dividend'),
    ids: fc.constantFrom(1, 1, 2),
  }),
  { selector: ({ day, cents, name }) => `${day} ${cents} ${name}`, minLength: 1, maxLength: 8 },
);

describe('announced dividends, however alike (contract 11)', () => {
  it('are each paid once', async () => {
    const property = fc.asyncProperty(dividends, fc.nat({ max: 5 }), async (given, restartsOn) => {
      const { world, pass, announce, view } = await scene();
      const told = given.flatMap(({ day, cents, name, ids }, index) =>
        Array.from({ length: ids }, (_, copy) =>
          anAction({
            ...dividend,
            sourceId: `${index}-${copy}`,
            name,
            amount: decimal(`${cents}`).times('0.01'),
            dueAt: DUE + day * 24 * HOUR,
          }),
        ),
      );
      await announce(...told);
      let app = world.app;
      for (let day = 0; day <= 6; day += 1) {
        if (day === restartsOn) app = await world.restart();
        await pass(DUE + day * 24 * HOUR, app);
      }
      const paid = (await view(app)).cashOf.map(([, cash]) => decimal(cash ?? '0'));
      // The strategy holds 0.0025 shares.
      const owed = given.map(({ cents }) => decimal(`${cents}`).times('0.000025'));
      expect(sum(paid).toFixed()).toBe(sum(owed).toFixed());
    });
    await fc.assert(property, { numRuns: RUNS * MORE, seed: 20260107 });
  });

  it.each(Array.from({ length: 12 }, (_, works) => works))(
    'are paid on the shares before the split of their day, over a fault after %i transactions',
    async (works) => {
      const { world, announce, pass, view, fail, repair } = await scene();
      await announce(anAction(), anAction({ ...dividend, sourceId: 'source-2' }));
      fail(works);
      await pass(DUE).catch(() => undefined);
      repair();
      const app = works % 2 === 0 ? world.app : await world.restart();
      await pass(DUE + HOUR, app);
      expect((await view(app)).cashOf).toEqual([
        ['split', '0'],
        ['cash_dividend', '0.005'],
      ]);
    },
  );
});
