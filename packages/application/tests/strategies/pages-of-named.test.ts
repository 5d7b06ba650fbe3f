import { describe, expect, it } from '@jest/globals';
import { DAY, type StrategyId } from '@slipstream/domain';
import fc from 'fast-check';
import { billingWorld } from '../billing/billing-world.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);

interface Part {
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** The ids of a list that is read page by page, each after the last item of the page before. */
async function paged(limit: number, read: (part: Part) => Promise<string[]>): Promise<string[]> {
  const shown: string[] = [];
  for (let page = limit; page === limit;) {
    const found = await read({ limit, cursor: shown.at(-1) });
    shown.push(...found);
    page = found.length;
  }
  return shown;
}

/** A follower of three strategies, who left the first and came again, and a stranger to the fourth. */
async function scene() {
  const world = await billingWorld();
  const { app } = world;
  const [owner, follower] = [await world.user('owner'), await world.user('follower')];
  await world.pay(follower, 'test_card_paid');
  const strategies: StrategyId[] = [];
  for (const price of [0, 5, 9, 9]) {
    const strategyId = await world.priced(owner, price);
    strategies.push(strategyId);
    if (strategies.length < 4) await world.subscribe(follower, strategyId);
    await world.days(1);
  }
  const [first] = strategies;
  if (first === undefined) throw new Error('there is none');
  await app.deleteStrategySubscription(follower, { strategyId: first });
  world.ports.clock.advance(DAY);
  await world.subscribe(follower, first);
  await world.days(40);
  return { app, follower, strategies };
}

describe('a list by names, read page by page', () => {
  it('shows each once, in the order of the names', async () => {
    const { app, follower, strategies } = await scene();
    const rows = await app.getStrategySubscriptions(follower, {});
    const invoices = (await app.getInvoices(follower, {})).map(({ invoice }) => invoice.id);
    const named = (names: readonly string[]) => fc.shuffledSubarray([...names], { minLength: 1 });
    const aLimit = fc.integer({ min: 1, max: 3 });
    const aStory = fc.tuple(named(strategies), named(invoices), aLimit);
    await fc.assert(
      fc.asyncProperty(aStory, async ([strategyIds, invoiceIds, limit]) => {
        const shown = await paged(limit, async (part) =>
          (await app.getStrategySubscriptions(follower, { strategyIds, ...part })).map(
            (row) => row.id,
          ),
        );
        const expected = strategyIds.flatMap((one) =>
          rows.filter(({ strategyId }) => strategyId === one).map((row) => row.id),
        );
        expect(shown).toEqual(expected);
        const billed = await paged(limit, async (part) =>
          (await app.getInvoices(follower, { invoiceIds, ...part })).map(
            ({ invoice }) => invoice.id,
          ),
        );
        expect(billed).toEqual(invoiceIds);
      }),
      { numRuns: 100 * MORE },
    );
  });
});
