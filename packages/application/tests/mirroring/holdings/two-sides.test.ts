import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import fc from 'fast-check';
import { follower } from '../bot-world.js';
import { type Ratio, STOCKS, twoSides } from './two-sides.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);

const ratioOf = (newShares: number, oldShares: number): Ratio => ({ newShares, oldShares });
const aStock = fc.constantFrom(...STOCKS);
const aWeight = fc.constantFrom(0, 0.1, 0.25, 0.4);
const aStep = fc.oneof(
  fc.record({ kind: fc.constant('check' as const), minutes: fc.constantFrom(1, 2, 60, 600) }),
  fc.record({
    kind: fc.constant('by hand' as const),
    stock: aStock,
    action: fc.constantFrom('buy' as const, 'sell' as const),
    usd: fc.constantFrom(137, 311, 753, 1111),
  }),
  fc.record({ kind: fc.constant('follow' as const), weights: fc.tuple(aWeight, aWeight) }),
  fc.record({
    kind: fc.constant('split' as const),
    stock: aStock,
    ratio: fc.constantFrom(
      ratioOf(2, 1),
      ratioOf(3, 2),
      ratioOf(20, 1),
      ratioOf(1, 4),
      ratioOf(1, 7),
    ),
    first: fc.constantFrom('both' as const, 'broker' as const, 'service' as const),
  }),
  // Prices do not tell it, so who has it first sees a trade by hand.
  fc.record({
    kind: fc.constant('split' as const),
    stock: aStock,
    ratio: fc.constantFrom(ratioOf(21, 20), ratioOf(19, 20)),
    first: fc.constant('both' as const),
  }),
  fc.record({
    kind: fc.constantFrom('catch up' as const, 'rename' as const, 'name' as const),
    stock: aStock,
  }),
  fc.record({
    kind: fc.constant('delist' as const),
    stock: aStock,
    minutes: fc.constantFrom(1, 200, 2000),
  }),
  fc.record({ kind: fc.constant('restart' as const) }),
);
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never;
const aStory = fc.record({
  existing: fc.constantFrom('keep' as const, 'keep' as const, 'take_over' as const),
  steps: fc.array(aStep, { minLength: 3, maxLength: 12, size: 'max' }),
});

/** What the owner may spend: the bot's part must not go away. */
const BUDGET = 4000;
/** A split is waited for as long. */
const LATEST = 4000;

async function play({ existing, steps }: { existing: 'keep' | 'take_over'; steps: Step[] }) {
  const sides = await twoSides(existing);
  const { world, bot, oneSided, renamed, delisted, atBroker } = sides;
  const look = async (after: string): Promise<void> => {
    const { breach } = await world.find(bot.id);
    expect([after, breach]).toEqual([after, null]);
    if (existing === 'take_over') return;
    const { positions } = await world.bots.account(follower, { botId: bot.id });
    for (const stockId of STOCKS) {
      const shown = positions.find((one) => one.stockId === stockId)?.kept.toFixed() ?? '0';
      const off = Math.abs(Number(shown) - sides.keptHere(stockId));
      expect([after, stockId, shown, off < 1e-5]).toEqual([after, stockId, shown, true]);
      expect(await atBroker(stockId)).toBeGreaterThan((sides.kept.get(stockId) ?? 0) - 1e-6);
    }
  };
  let [spent, waited] = [0, 0];
  const isClear = (stock: (typeof STOCKS)[number]): boolean =>
    !oneSided.has(stock) && !renamed.has(stock) && !delisted.has(stock);
  const perform = async (step: Step): Promise<void> => {
    if (step.kind === 'check') {
      waited += step.minutes;
      if (oneSided.size === 0 || waited < LATEST) await sides.check(step.minutes);
    } else if (step.kind === 'follow') await sides.follow(step.weights);
    else if (step.kind === 'restart') {
      if (oneSided.size > 0 || renamed.size > 0) return;
      await world.bots.stop(follower, { botId: bot.id, closeOnStop: false });
      await world.run();
      await world.bots.start(follower, { botId: bot.id });
    } else if (step.kind === 'catch up') await sides.catchUp(step.stock);
    else if (step.kind === 'name') renamed.delete(step.stock);
    else if (!isClear(step.stock)) return;
    else if (step.kind === 'rename') renamed.add(step.stock);
    else if (step.kind === 'by hand') {
      if (step.action === 'buy') spent += step.usd;
      if (step.action === 'sell' || spent <= BUDGET)
        await sides.byHand(step.stock, step.action, step.usd);
    } else if (step.kind === 'split') {
      // The next split of a stock comes another day.
      await sides.check(10);
      waited = 0;
      await sides.split(step.stock, step.ratio, step.first);
    } else if (step.kind === 'delist') {
      await sides.delist(step.stock);
      await sides.check(step.minutes);
      await sides.payOut(step.stock);
    }
  };
  for (const stock of STOCKS) await sides.byHand(stock, 'buy', 1000);
  await world.bots.start(follower, { botId: bot.id });
  await world.run();
  for (const step of steps) {
    await perform(step);
    await sides.check();
    await look(JSON.stringify(step));
  }
  renamed.clear();
  for (const stock of STOCKS) await sides.catchUp(stock);
  for (let n = 0; n < 4; n += 1) await sides.check(2);
  await look('the end');
  expect((await world.find(bot.id)).status).toBe('running');
  expect((await world.drift(bot))?.lt(decimal('0.01'))).toBe(true);
}

describe('an account whose broker has splits, symbols and delistings at other moments', () => {
  it('is divided truly between the bot and its owner, loses nothing by them, and comes into line', async () => {
    await fc.assert(fc.asyncProperty(aStory, play), { numRuns: 60 * MORE });
  });
});
