import { describe, expect, it } from '@jest/globals';
import { type ReportContent, decimal } from '@slipstream/domain';
import { userOf } from '../accounts.js';
import type { App } from '../app.js';
import { fixture } from '../fixture.js';
import { outcomesAmid } from '../interleavings.js';

/** A private strategy with a follower, and a server whose pages have only how many trades they show. */
async function world() {
  const made = await fixture({
    reportPages: {
      *ofStrategy({ trades, refused }: ReportContent) {
        yield;
        return JSON.stringify([trades?.length ?? null, refused?.length ?? null]);
      },
      *ofBot() {
        yield;
        return '';
      },
    },
  });
  const { app } = made;
  const [owner, follower] = [await made.user('owner'), await made.user('follower')];
  const strategyId = await made.strategy(owner);
  await app.newStrategySubscription(follower, { strategyId });
  await app.updateStrategy(owner, { strategyId, private: true });
  return { ...made, owner, follower, strategyId };
}
type World = Awaited<ReturnType<typeof world>>;

async function trades(app: App, { owner, strategyId }: World): Promise<void> {
  const price = decimal('100');
  const quote = { stock: 'aapl', bid: price, ask: price, last: price };
  await app.newQuotes({ kind: 'operator' }, { quotes: [quote] });
  await app.newOrderAllocations(owner, {
    ...{ strategyId, slippage: decimal('0') },
    allocations: [{ stock: 'aapl', percent: decimal('0.5') }],
  });
}

describe('getReport', () => {
  it.each<[string, boolean, (app: App, world: World) => Promise<unknown>]>([
    [
      'the owner ends the subscription',
      true,
      (app, { owner, follower, strategyId }) =>
        app.deleteStrategySubscription(owner, { strategyId, userId: userOf(follower) }),
    ],
    [
      'the follower ends the subscription',
      false,
      (app, { follower, strategyId }) => app.deleteStrategySubscription(follower, { strategyId }),
    ],
  ])('shows no trade of after %s, at every moment of it', async (_, isPrivate, ends) => {
    const outcomes = await outcomesAmid({
      async begin() {
        const begun = await world();
        const { app, owner, strategyId } = begun;
        if (!isPrivate) await app.updateStrategy(owner, { strategyId, private: false });
        return { ...begun, pages: [] as unknown[] };
      },
      async flow(app, { follower, strategyId, pages }) {
        pages.push(await app.getReport(follower, { strategyId }));
      },
      async other(app, begun) {
        await ends(app, begun);
        await trades(app, begun);
      },
      outcome: async (_app, { pages }, { flow }) => pages[0] ?? flow,
    });
    expect(outcomes.map(({ became }) => became)).toEqual([
      isPrivate ? 'not_found' : '[null,null]',
      '[0,0]',
    ]);
  });
});
