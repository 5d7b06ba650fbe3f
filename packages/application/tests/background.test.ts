import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { HOUR, type StockId, decimal, id } from '@slipstream/domain';
import { runEach } from '../src/run-each.js';
import { fixture } from './fixture.js';

describe('parts that run one after the other', () => {
  const runs = (...failing: readonly number[]) => {
    const ran: number[] = [];
    const parts = [0, 1, 2].map((part) => async () => {
      ran.push(part);
      if (failing.includes(part)) throw new Error(`part ${part}`);
    });
    return { ran, done: runEach(parts) };
  };

  it.each<[string, number[], string]>([
    ['one fails', [0], 'part 0'],
    ['two fail', [0, 2], 'Error: part 0; Error: part 2'],
  ])('all run though %s', async (_, failing, message) => {
    const { ran, done } = runs(...failing);
    await expect(done).rejects.toThrow(message);
    expect(ran).toEqual([0, 1, 2]);
  });
});

describe('the work of each second', () => {
  it('goes on behind a part that fails, and within it', async () => {
    const storage = openMemory();
    const broken: StockId = id('aapl');
    const none = { newShares: null, oldShares: null } as const;
    const world = await fixture({
      unitOfWork: {
        ...storage,
        run: (work, options) =>
          storage.run(
            (stores) =>
              work({
                ...stores,
                announcedActions: {
                  ...stores.announcedActions,
                  save: async (row) => {
                    if (row.stockId === broken && row.status === 'booked')
                      throw new Error('a row that cannot be saved');
                    await stores.announcedActions.save(row);
                  },
                },
              }),
            options,
          ),
      },
      announcedActions: {
        source: 'own',
        between: async (stocks) => ({
          unanswered: [],
          actions: stocks.map(({ id: stockId }) => ({
            ...none,
            sourceId: `dividend of ${stockId}`,
            stockId,
            kind: 'cash_dividend',
            amount: decimal('2'),
            name: 'cash dividend',
            dueAt: world.ports.clock.now() + HOUR,
          })),
        }),
      },
    });
    const { app, ports } = world;
    const owner = await world.user('owner');
    await world.strategy(owner);
    for (const stock of ['aapl', 'msft']) await world.quote(stock, '200');
    await app.followMarket();
    ports.clock.advance(HOUR);
    const at = ports.clock.now();
    await expect(app.tick()).rejects.toThrow('a row that cannot be saved');
    const rows = await ports.unitOfWork.read(({ announcedActions }) =>
      announcedActions.dueSince(0),
    );
    expect(new Map(rows.map(({ stockId, status }) => [String(stockId), status]))).toEqual(
      new Map([
        ['aapl', 'pending'],
        ['msft', 'booked'],
      ]),
    );
    const runs = await ports.unitOfWork.read(({ marketRuns }) => marketRuns.last());
    expect(runs?.at).toBe(at);
  });
});
