import { describe, expect, it } from '@jest/globals';
import { LISTING_SORTS, MINUTE } from '@slipstream/domain';
import fc from 'fast-check';
import { fixture } from '../fixture.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const MOST_PRICE = 10;

const aPrice = fc.constantFrom(0, 5, MOST_PRICE, 15, 20);
const aName = fc.constantFrom('trend', 'swing');
const aStrategy = fc.record({ name: aName, price: aPrice });
/** Of the strategy of that number, or the last one shown: that is neither hidden nor deleted, and keeps its place. */
const aChange = fc.record({
  kind: fc.constantFrom('edit' as const, 'edit' as const, 'hide' as const, 'delete' as const),
  of: fc.nat(5),
  isCursor: fc.boolean(),
  to: aStrategy,
});
const aStory = fc.record({
  strategies: fc.array(aStrategy, { minLength: 3, maxLength: 6 }),
  sort: fc.constantFrom(...LISTING_SORTS),
  isMine: fc.boolean(),
  filter: fc.record({ query: aName, maxPrice: fc.constant(MOST_PRICE) }, { requiredKeys: [] }),
  limit: fc.integer({ min: 1, max: 3 }),
  /** Between the pages. */
  changes: fc.array(fc.option(aChange), { maxLength: 5 }),
});

describe('a search whose pages are read amid changes', () => {
  it('shows whatever stood the whole time once', async () => {
    await fc.assert(
      fc.asyncProperty(aStory, async ({ strategies, changes, filter, sort, isMine, limit }) => {
        const world = await fixture();
        const { app, ports } = world;
        const owner = await world.user('owner');
        const made: { id: string; name: string; price: number; stood: boolean }[] = [];
        for (const given of strategies) {
          const { strategy } = await app.newStrategy(owner, { type: 'stock', ...given });
          made.push({ ...given, id: strategy.id, stood: true });
          ports.clock.advance(MINUTE);
        }
        await app.rankStrategies();
        const shown: string[] = [];
        const change = async (drawn: (typeof changes)[number]): Promise<void> => {
          const cursor = shown.at(-1);
          const one = drawn?.isCursor
            ? made.find((other) => other.id === cursor)
            : made[(drawn?.of ?? 0) % made.length];
          if (!drawn || !one) return;
          const strategyId = one.id;
          const moves = drawn.kind !== 'edit' || sort === 'price';
          if (moves && strategyId === cursor) return;
          one.stood = false;
          if (drawn.kind === 'delete') {
            await app.deleteStrategy(owner, { strategyId }).catch(() => undefined);
            return;
          }
          const edited = drawn.kind === 'hide' ? { private: true } : drawn.to;
          await app.updateStrategy(owner, { strategyId, ...edited }).catch(() => undefined);
        };
        for (let page = 0; ; page += 1) {
          const command = { ...filter, sort, isMine, limit, cursor: shown.at(-1) };
          const found = await app.findStrategies(owner, command);
          shown.push(...found.map(({ strategy }) => strategy.id));
          if (found.length < limit || page > 20) break;
          await change(changes[page] ?? null);
        }
        const { query, maxPrice = Infinity } = filter;
        for (const { id, name, price, stood } of made) {
          if (!stood) continue;
          const fits = (query === undefined || name === query) && price <= maxPrice;
          expect([id, shown.filter((one) => one === id).length]).toEqual([id, fits ? 1 : 0]);
        }
      }),
      { numRuns: 60 * MORE },
    );
  });
});
