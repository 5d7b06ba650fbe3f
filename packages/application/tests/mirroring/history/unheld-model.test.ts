import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Decimal, type Quote, type StockId, decimal } from '@slipstream/domain';
import { aPlayer, numberOf } from './unheld-player.js';
import { type Setting, type Step, STOCKS, aSetting, aStep } from './unheld-stories.js';

const MORE = Number(process.env['TEST_RUNS'] ?? 1);

/** What is less than a thousandth of equity is not counted, for each of the two causes. */
const UNCOUNTED = 0.0021;

type Quotes = ReadonlyMap<StockId, Quote>;

const change = (before: Decimal, after: Decimal, factor = 1): number =>
  Math.abs((numberOf(after) * factor) / numberOf(before) - 1);

/** What a step moves of a stock, in parts of its price; its spread apart. */
function moveOf(step: Step, stockId: StockId, before: Quotes, after: Quotes) {
  const [one, two] = [before.get(stockId), after.get(stockId)];
  if (!one || !two) throw new Error('no quote');
  const action = step.do === 'action' && STOCKS[step.stock] === stockId ? step : undefined;
  const wasSplit = action?.kind === 'split' && !two.bid.eq(one.bid);
  const ratio = wasSplit ? Number(action.figure) : 1;
  const paid = action && action.kind !== 'split' ? Number(action.figure) / numberOf(one.bid) : 0;
  const move = Math.max(change(one.bid, two.bid, ratio), change(one.ask, two.ask, ratio));
  const spreadOf = ({ bid, ask }: Quote): number => numberOf(ask) / numberOf(bid);
  return {
    move: move + (action?.kind === 'delisting' ? 1 + paid : paid),
    spread: Math.abs(spreadOf(two) - spreadOf(one)),
  };
}

/** A step after which what was measured before tells nothing of the shares that it is measured by. */
const changesShares = (step: Step): boolean =>
  step.do === 'hold' || (step.do === 'update' && step.change.leverage !== undefined);

/** Plays the story. Answers where the two causes are not the difference of the returns, although nothing was traded. */
async function unexplained(setting: Setting, steps: readonly Step[]): Promise<string[]> {
  const player = await aPlayer(setting);
  const faults: string[] = [];
  let before = await player.seen();
  let quotes = player.quotes();
  let [bound, isQuiet] = [1e-7, true];
  for (const [index, step] of steps.entries()) {
    await player.play(step);
    const after = await player.seen();
    for (const stockId of STOCKS) {
      const { move, spread } = moveOf(step, stockId, quotes, player.quotes());
      // Strategies on both sides of a stock net out: the account does not pay its spread.
      bound += UNCOUNTED * move + (setting.isOfTwo ? 1.5 * spread : 0);
    }
    quotes = player.quotes();
    isQuiet &&= !changesShares(step) && after.orders === before.orders;
    if (after.at === before.at) continue;
    const isKnown = before.isKnown && after.isKnown && before.target && after.target !== null;
    const isOn = before.status !== 'off' && after.status !== 'off' && before.equity > 500;
    if (isQuiet && isKnown && isOn && !before.isFollowing) {
      const own = (after.equity - (after.flows - before.flows)) / before.equity;
      const difference = own - (after.target ?? 0) / (before.target ?? 1);
      const measured = (after.gains - before.gains) / before.equity;
      if (Math.abs(difference - measured) > bound)
        faults.push(`${index}: ${JSON.stringify({ step, difference, measured, bound })}`);
    }
    before = after;
    [bound, isQuiet] = [1e-7, true];
  }
  return faults;
}

const ALL_HELD: Setting = {
  ...{ wholeShares: false, acceptsFirst: false, joinsNew: false, keeps: false },
  ...{ isOfTwo: false, dryRun: false, hasBand: false },
};
const CAPPED: Step = { do: 'update', change: { limits: { maxGross: decimal('0.25') } } };
const DELEVERED: Step = { do: 'update', change: { leverage: decimal('0.5') } };
const MINUTE: Step = { do: 'pass', seconds: 61 };
const priced = (percent: number, spread: number): Step => ({
  ...{ do: 'price', stock: 0, percent, spread },
});

describe('what a bot does not hold of its target, beside a model', () => {
  it('is the difference of the returns as long as nothing is traded', async () => {
    await fc.assert(
      fc.asyncProperty(aSetting, fc.array(aStep, { maxLength: 12 }), async (setting, steps) => {
        expect(await unexplained(setting, steps)).toEqual([]);
      }),
      {
        numRuns: 30 * MORE,
        examples: [
          [
            { ...ALL_HELD, joinsNew: true },
            [MINUTE, { do: 'action', kind: 'cash_dividend', stock: 0, figure: '4' }],
          ],
          [ALL_HELD, [CAPPED, MINUTE, { do: 'action', kind: 'delisting', stock: 0, figure: '0' }]],
          // More is held than the target has: what values it is still the bid of a long position.
          [ALL_HELD, [{ do: 'halted', stock: 0 }, { do: 'flow', usd: '-3000' }, priced(0, 0.01)]],
          [{ ...ALL_HELD, dryRun: true }, [MINUTE, priced(10, 0)]],
          [
            { ...ALL_HELD, wholeShares: true },
            [
              { do: 'price', stock: 1, percent: 0, spread: 0.01 },
              { do: 'hold', strategy: 0, weights: [0.3, 1], trades: false },
              { do: 'hold', strategy: 0, weights: [1, 0.5], trades: true },
              priced(0, 0.01),
            ],
          ],
          [ALL_HELD, [DELEVERED, MINUTE, priced(10, 0)]],
        ],
      },
    );
  });
});
