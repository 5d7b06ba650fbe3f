import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ZERO, decimal, decimalText, sum } from '../../numbers/decimal.js';
import { id } from '../../ids.js';
import { limitedTarget } from './limited-target.js';
import { type BotLimits, NO_LIMITS } from './limits.js';

type Figures = Readonly<Record<string, string>>;
type Sizes = Partial<Record<'maxCapital' | 'maxGross' | 'maxPerStock', string>>;

const weightsOf = (figures: Figures) =>
  new Map(Object.entries(figures).map(([key, weight]) => [id<'stock'>(key), decimal(weight)]));
const limitsOf = (sizes: Sizes): BotLimits => ({
  ...NO_LIMITS,
  ...Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, decimal(size)])),
});
const limited = (weights: Figures, equity: string, sizes: Sizes) =>
  limitedTarget(weightsOf(weights), decimal(equity), limitsOf(sizes), (stockId) => stockId);
const figures = (weights: ReadonlyMap<string, ReturnType<typeof decimal>>) =>
  Object.fromEntries([...weights].map(([key, weight]) => [key, decimalText(weight)]));

describe('the target within the limits of a bot (contract 10)', () => {
  it.each<[string, Figures, string, Sizes, Figures, string]>([
    ['none', { A: '1' }, '10000', {}, { A: '1' }, ''],
    ['capital above equity', { A: '1' }, '10000', { maxCapital: '20000' }, { A: '1' }, ''],
    ['capital', { A: '0.5' }, '10000', { maxCapital: '5000' }, { A: '0.25' }, 'max_capital'],
    [
      'capital is never borrowed against',
      { A: '2' },
      '10000',
      { maxCapital: '5000' },
      { A: '0.5' },
      'max_capital',
    ],
    ['a stock', { A: '0.8', B: '0.2' }, '1', { maxPerStock: '0.3' }, { A: '0.3', B: '0.2' }, 'A'],
    ['a short', { A: '-0.8' }, '1', { maxPerStock: '0.3' }, { A: '-0.3' }, 'max_per_stock'],
    ['gross', { A: '1', B: '-0.5' }, '1', { maxGross: '0.75' }, { A: '0.5', B: '-0.25' }, 'gross'],
    [
      'the stock first, then gross',
      { A: '1', B: '0.4' },
      '1',
      { maxPerStock: '0.6', maxGross: '0.5' },
      { A: '0.3', B: '0.2' },
      'max_gross, 0.5x',
    ],
    ['no equity', { A: '1' }, '0', { maxCapital: '5' }, { A: '1' }, ''],
  ])('%s', (_, weights, equity, sizes, after, told) => {
    const found = limited(weights, equity, sizes);
    expect(figures(found.weights)).toEqual(after);
    expect(found.notes.join(' ')).toContain(told);
    expect(found.notes.length === 0).toBe(told === '');
  });

  it('never passes a limit, never turns or raises a weight, and tells every change', () => {
    const hundredths = (least: number, most: number) =>
      fc.integer({ min: least, max: most }).map((count) => decimal(`${count}`).div(decimal('100')));
    const size = fc.option(hundredths(1, 200), { nil: null });
    fc.assert(
      fc.property(
        fc.array(hundredths(-150, 150), { maxLength: 5 }),
        hundredths(1, 1_000_000),
        fc.option(hundredths(1, 1_000_000), { nil: null }),
        size,
        size,
        (list, equity, maxCapital, maxGross, maxPerStock) => {
          const wanted = new Map(list.map((weight, index) => [id<'stock'>(`S${index}`), weight]));
          const limits = { maxCapital, maxGross, maxPerStock };
          const { weights, notes } = limitedTarget(wanted, equity, limits, (stockId) => stockId);
          const gross = sum([...weights.values()].map((weight) => weight.abs()));
          if (maxGross) expect(gross.lte(maxGross)).toBe(true);
          if (maxCapital) expect(gross.times(equity).lte(maxCapital)).toBe(true);
          for (const [stockId, weight] of weights) {
            const before = wanted.get(stockId) ?? ZERO;
            if (maxPerStock) expect(weight.abs().lte(maxPerStock)).toBe(true);
            expect(weight.abs().lte(before.abs()) && weight.times(before).gte(ZERO)).toBe(true);
            if (!weight.eq(before)) expect(notes).not.toEqual([]);
          }
        },
      ),
    );
  });
});
