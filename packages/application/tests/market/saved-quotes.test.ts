import { AsyncResource } from 'node:async_hooks';
import { setImmediate as hostPause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { decimal } from '@slipstream/domain';
import { type Broker, StorageUnavailable, type Stores } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { type Fixture, fixture, text } from '../fixture.js';
import { type Moments, wrongMoments } from '../moments.js';
import { DUE, anAction, dividend, scene } from './announced-scene.js';

const operator: Caller = { kind: 'operator' };

/** A world whose storage takes its time for the next work: until `letIt`, which says what comes of it. */
async function slowScene() {
  const storage = openMemory();
  let held: { readonly done: Promise<boolean>; reached: boolean } | undefined;
  let letIt = (_: boolean): void => undefined;
  const world = await fixture({
    unitOfWork: {
      ...storage,
      run: async (work, options) => {
        if (held && !held.reached) {
          held.reached = true;
          if (!(await held.done)) throw new StorageUnavailable('full');
        }
        return storage.run(work, options);
      },
    },
  });
  /** Saves the quotes; meanwhile `other` happens. */
  const saving = async (other: () => Promise<unknown>, succeeds: boolean): Promise<void> => {
    held = { done: new Promise((done) => (letIt = done)), reached: false };
    const ticking = world.app.tick();
    while (!held.reached) await hostPause();
    await other();
    letIt(succeeds);
    await ticking.catch(() => undefined);
  };
  return { world, saving };
}

const split = ({ app }: Fixture) =>
  app.newStockAction(operator, {
    stock: 'aapl',
    kind: 'split',
    ratio: { newShares: decimal('4'), oldShares: decimal('1') },
  });

describe('quotes that are being saved while a split is done', () => {
  it.each([
    ['saved', true],
    ['not saved, because the storage failed', false],
  ])(
    'leave the quote in new shares for the next start, whether they are %s',
    async (_, succeeds) => {
      const { world, saving } = await slowScene();
      const owner = await world.user('owner');
      const strategyId = await world.strategy(owner);
      await world.quote('aapl', '100');
      await world.quote('msft', '50');
      await world.app.newOrderAllocations(owner, {
        strategyId,
        allocations: [{ stock: 'aapl', percent: decimal('1') }],
      });
      await saving(() => split(world), succeeds);
      await world.app.tick();
      const app = await world.restart();
      const { strategyValue } = await app.getPositions(owner, { strategyId });
      const bids = (await app.getStocks(operator, { stocks: ['aapl', 'msft'] })).map(({ quote }) =>
        text(quote?.bid),
      );
      expect([text(strategyValue), ...bids]).toEqual(['1', '25', '50']);
    },
  );
});

it('quotes are saved while a split of another stock is being done', async () => {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => (finish = resolve));
  const slow = { adjust: () => done } as unknown as Broker;
  const world = await fixture({ brokers: new Map([['slow', slow]]) });
  await world.quote('aapl', '100');
  const splitting = split(world);
  await hostPause();
  await world.quote('msft', '50');
  let hasTicked = false;
  const ticking = world.app.tick().then(() => (hasTicked = true));
  for (let turn = 0; turn < 20 && !hasTicked; turn += 1) await hostPause();
  const stored = await world.ports.unitOfWork.read(({ quotes }) => quotes.all());
  expect(hasTicked).toBe(true);
  expect(stored.map(({ stockId, bid }) => [stockId, text(bid)])).toContainEqual(['msft', '50']);
  finish();
  await Promise.all([splitting, ticking]);
});

it('a quote whose save failed is not stored after a later one', async () => {
  const { world, saving } = await slowScene();
  await world.quote('aapl', '100');
  let later: Promise<void> | undefined;
  const other = async () => {
    await world.quote('aapl', '101');
    later = world.app.saveQuotes();
    await hostPause();
  };
  await saving(other, false);
  await later;
  await world.app.tick();
  const stored = await world.ports.unitOfWork.read(({ quotes }) => quotes.all());
  expect(stored.map(({ bid }) => text(bid))).toEqual(['101']);
});

/** The stores of a storage in another process: other work runs while each is asked. */
const far = (stores: Stores, moments: Moments): Stores =>
  new Proxy(stores, {
    get: (target, name): unknown => {
      const found: unknown = Reflect.get(target, name);
      return typeof found === 'object' && found !== null ? moments.watched(found) : found;
    },
  });

it('quotes that are saved while a dividend is booked leave the price less the dividend for the next start', async () => {
  const wrong = await wrongMoments(async (moments) => {
    const { announce, clock, quote, view, world } = await scene((storage) => ({
      ...storage,
      run: (work, options) => storage.run((stores) => work(far(stores, moments)), options),
    }));
    await announce(anAction({ ...dividend, amount: decimal('30') }));
    clock.advance(DUE - 1 - clock.now());
    await quote('210');
    clock.advance(1);
    let saved: Promise<void> | undefined;
    // Not from inside the transaction, where a storage would refuse another one.
    const save = AsyncResource.bind((): void => void (saved = world.app.saveQuotes()));
    await moments.amid(save, () => world.app.tick());
    await saved;
    const bids = [await view(), await view(await world.restart())].map(({ bid }) => bid);
    return bids.every((bid) => bid === '180');
  });
  expect(wrong).toEqual([]);
});
