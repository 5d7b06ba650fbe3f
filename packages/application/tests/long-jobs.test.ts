import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { DAY, MINUTE, type StrategyId, decimal, id } from '@slipstream/domain';
import { userOf } from './accounts.js';
import { aBucket, aRefusedAlert } from '@slipstream/port-contracts';
import type { UnitOfWork } from '@slipstream/ports';
import { billingWorld } from './billing/billing-world.js';
import { type Fixture, fixture } from './fixture.js';

/** More than one transaction samples. */
const STRATEGIES = 60;

/** A storage that calls `noted` before each transaction and read. */
function noting(noted: (kind: 'run' | 'read') => void): UnitOfWork {
  const storage = openMemory();
  return {
    ...storage,
    run: (work, options) => {
      noted('run');
      return storage.run(work, options);
    },
    read: (work) => {
      noted('read');
      return storage.read(work);
    },
  };
}

/** Strategies that all hold a stock, which has a price that was not sampled. */
async function fill(world: Fixture): Promise<void> {
  const owner = await world.user('owner');
  await world.quote('aapl', '100');
  for (let one = 0; one < STRATEGIES; one += 1)
    await world.app.newOrderAllocations(owner, {
      strategyId: await world.strategy(owner),
      allocations: [{ stock: 'aapl', percent: decimal('1') }],
      slippage: decimal('0'),
    });
  world.ports.clock.advance(2 * MINUTE);
  await world.quote('aapl', '110');
}

/** How many strategies have a sample at the price of now. */
const sampled = ({ ports }: Fixture): Promise<number> =>
  ports.unitOfWork.read(async ({ books, valueHistory }) => {
    let count = 0;
    for (const { strategyId } of await books.all())
      if ((await valueHistory.last(strategyId))?.last.eq(decimal('1.1'))) count += 1;
    return count;
  });

/** Removed samples of each transaction that removed some. */
function countingMerges(counts: number[]): UnitOfWork {
  const storage = openMemory();
  return {
    ...storage,
    run: (work, options) =>
      storage.run(async (stores) => {
        let count = 0;
        const { valueHistory } = stores;
        const counted = Object.create(stores, {
          valueHistory: {
            value: {
              ...valueHistory,
              remove: (strategyId: StrategyId, starts: readonly number[]) => {
                count += starts.length;
                return valueHistory.remove(strategyId, starts);
              },
            },
          },
        }) as typeof stores;
        const answer = await work(counted);
        if (count > 0) counts.push(count);
        return answer;
      }, options),
  };
}

describe('samples that grew old during a stop', () => {
  it('are merged in transactions of a strategy or two each, and together where they are few', async () => {
    const counts: number[] = [];
    const world = await fixture({ unitOfWork: countingMerges(counts) });
    await fill(world);
    const { clock, unitOfWork } = world.ports;
    const began = clock.now() - DAY;
    const minutes = Array.from({ length: 1_440 }, (_, index) => index);
    const ids = (await unitOfWork.read(({ books }) => books.all())).map((book) => book.strategyId);
    await unitOfWork.run(async ({ valueHistory }) => {
      for (const [index, strategyId] of ids.entries())
        for (const minute of index < 3 ? minutes : minutes.slice(0, 10))
          await valueHistory.save(strategyId, aBucket({ start: began + minute * MINUTE }));
    });
    counts.length = 0;
    clock.advance(40 * DAY);
    await world.app.tick();
    expect(Math.max(...counts)).toBeLessThan(2 * minutes.length);
    expect(counts.length).toBeGreaterThan(2);
    expect(counts.length).toBeLessThan(8);
  });
});

describe('a tick after a stop of weeks', () => {
  it('merges some samples, and the next ones the others', async () => {
    const counts: number[] = [];
    const world = await fixture({ unitOfWork: countingMerges(counts) });
    await fill(world);
    const { clock, unitOfWork } = world.ports;
    const began = clock.now() - DAY;
    const ids = (await unitOfWork.read(({ books }) => books.all())).map((book) => book.strategyId);
    await unitOfWork.run(async ({ valueHistory }) => {
      for (const strategyId of ids.slice(0, 12))
        for (let minute = 0; minute < 1_200; minute += 1)
          await valueHistory.save(strategyId, aBucket({ start: began + minute * MINUTE }));
    });
    clock.advance(40 * DAY);
    const ticks: number[] = [];
    for (let tick = 0; tick < 3; tick += 1) {
      counts.length = 0;
      await world.app.tick();
      ticks.push(counts.reduce((total, count) => total + count, 0));
    }
    const [first = 0, second = 0, third] = ticks;
    expect([first > 9_000 && first < 12_000, second > 1_000, third]).toEqual([true, true, 0]);
  });

  it('removes some of what is too old, and the next ones the others', async () => {
    const { app, ports, user, strategy } = await fixture();
    const owner = userOf(await user('owner'));
    const strategyId = await strategy(await user('other'));
    await ports.unitOfWork.run(async ({ alerts }) => {
      for (let count = 0; count < 12_000; count += 1)
        await alerts.add(
          aRefusedAlert({
            ...{ id: id(`alert-${count}`), userId: owner, strategyId, fingerprint: null },
            createdAt: ports.clock.now() - 100 * DAY,
          }),
        );
    });
    const left = async () => {
      await app.tick();
      return ports.unitOfWork.read(
        async ({ alerts }) => (await alerts.expired(ports.clock.now() - DAY, 20_000)).length,
      );
    };
    expect([await left(), await left(), await left()]).toEqual([2_000, 0, 0]);
  });
});

describe('a process that ends', () => {
  it('ends a job over all strategies after its present part, and the next process does the rest', async () => {
    let onRun = (): void => undefined;
    const world = await fixture({ unitOfWork: noting((kind) => kind === 'run' && onRun()) });
    await fill(world);
    let runs = 0;
    onRun = () => {
      runs += 1;
      if (runs === 2) world.app.end();
    };
    await world.app.tick();
    const first = await sampled(world);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(STRATEGIES);
    await world.app.stop();
    const again = await world.restart();
    await world.quote('aapl', '110');
    await again.tick();
    expect(await sampled(world)).toBe(STRATEGIES);
  });

  it.each(['rankStrategies', 'measureOwnerTrades', 'makeAnchors'] as const)(
    'begins no part of %s',
    async (job) => {
      let count = 0;
      const world = await fixture({ unitOfWork: noting(() => (count += 1)) });
      await fill(world);
      world.ports.clock.advance(2 * DAY);
      world.app.end();
      const before = count;
      await world.app[job]();
      expect(count).toBe(before);
    },
  );

  it('leaves a split to the next process, and answers that it is pending', async () => {
    const world = await fixture();
    await fill(world);
    world.ports.unitOfWork.subscribe((event) => {
      if (event.kind === 'book_changed') world.app.end();
    });
    const ratio = { newShares: decimal('2'), oldShares: decimal('1') };
    const command = { stock: 'aapl', kind: 'split', ratio } as const;
    const { status } = await world.app.newStockAction({ kind: 'operator' }, command);
    expect(status).toBe('pending');
    const adjusted = () =>
      world.ports.unitOfWork.read(async ({ books, adjustments }) => {
        const counts = [];
        for (const { strategyId } of await books.all())
          counts.push((await adjustments.list(strategyId, { limit: 9 })).length);
        return counts;
      });
    expect(new Set(await adjusted())).toEqual(new Set([0, 1]));
    await world.app.stop();
    await world.restart();
    expect(new Set(await adjusted())).toEqual(new Set([1]));
  });

  it('charges nothing more, and the next process does', async () => {
    const world = await billingWorld();
    const [owner, follower] = [await world.confirmed('owner'), await world.confirmed('fan')];
    await world.pay(follower, 'test_card_paid');
    await world.subscribe(follower, await world.priced(owner));
    const invoices = async () => (await world.app.getInvoices(follower, {})).length;
    world.ports.clock.advance(35 * DAY);
    world.app.end();
    await world.app.runBilling();
    expect(await invoices()).toBe(1);
    await (await world.restart()).runBilling();
    expect(await invoices()).toBe(2);
  });

  it('still stores the latest quotes', async () => {
    const world = await fixture();
    await world.quote('aapl', '100');
    world.app.end();
    await world.app.stop();
    const stored = await world.ports.unitOfWork.read(({ quotes }) => quotes.all());
    expect(stored.map(({ bid }) => bid.toFixed())).toEqual(['100']);
  });

  it('refuses who waits for such a job, as nothing was done', async () => {
    const world = await fixture();
    await fill(world);
    world.app.end();
    await expect(world.app.newAnchor({ kind: 'operator' }, {})).rejects.toThrow('the process ends');
  });
});
