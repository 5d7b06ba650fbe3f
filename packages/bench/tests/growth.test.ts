import { describe, expect, it } from '@jest/globals';
import type { Grown } from '../src/growth/dimension.js';
import { growthCurves, growthSentences, growthTable } from '../src/growth/growth-text.js';
import { dimensions } from '../src/growth/index.js';

const grown = (grows: 'not' | 'in proportion', figures: readonly number[]): Grown => ({
  dimension: {
    id: 'bots',
    title: 'bots of a user',
    sizes: [],
    quickSizes: [],
    costs: [{ name: 'a check', unit: 'CPU us', grows, why: 'each is looked at' }],
  },
  measured: figures.map((figure, index) => ({ size: 10 ** (index + 1), figures: [figure] })),
});

describe('the sentence about a cost', () => {
  it.each([
    [
      'not',
      [10, 11, 12],
      'A check hardly grows (1.2x with 100x the bots), because each is looked at.',
    ],
    [
      'not',
      [10, 20, 60],
      'A check grows more slowly (6x with 100x the bots), although each is looked at.',
    ],
    [
      'not',
      [10, 5, 2],
      'A check does not grow (0.2x with 100x the bots), because each is looked at.',
    ],
    [
      'in proportion',
      [1, 8, 90],
      'A check grows in proportion (90x with 100x the bots), because each is looked at.',
    ],
    [
      'in proportion',
      [1, 99, 999],
      'A check grows faster (1,000x with 100x the bots), although each is looked at.',
    ],
  ] as const)('which should grow %s, measured as %j', (grows, figures, sentence) => {
    expect(growthSentences(grown(grows, figures))).toEqual([sentence]);
  });

  it('is left out if one size says nothing about growth', () => {
    expect(growthSentences(grown('not', [10]))).toEqual([]);
  });
});

describe('a size that could not be measured', () => {
  const broken: Grown = {
    ...grown('not', [10, 11]),
    measured: [...grown('not', [10, 11]).measured, { size: 1000, reason: 'needs more files' }],
  };

  it('says why below the table', () => {
    expect(growthTable(broken)).toContain('1,000: needs more files');
  });

  it('is not a point of a curve', () => {
    expect(growthCurves(broken)[0]?.series[0]?.points).toEqual([
      [10, 10],
      [100, 11],
    ]);
  });
});

describe('a small size', () => {
  const small: Readonly<Record<string, number>> = {
    strategies: 100,
    orders: 300,
    clients: 10,
    bots: 20,
  };

  it.each(dimensions.map((dimension) => [dimension.id, dimension] as const))(
    'of %s comes to a figure a cost',
    async (id, { costs, measure }) => {
      const figures = await measure(small[id] ?? NaN, { quick: true, rounds: 1 }, () => undefined);
      expect(figures).toEqual(costs.map(() => expect.any(Number)));
      expect(figures.every(Number.isFinite)).toBe(true);
    },
  );
});
