import { describe, expect, it } from '@jest/globals';
import { figureText } from '@slipstream/domain';
import { presentFigure } from './present-statistics.js';
import { drawdownResource, figureResource, monthlyReturnResource } from './statistics-resources.js';

const [from, to] = ['2026-01-05', '2026-01-06'];

describe('the description of statistics', () => {
  const texts = [0, 1 / 3, -1e9 / 7, 1e-7 / 3, -1e-19 / 3].map(figureText);
  it.each(texts)('holds for a figure of %s', (text) => {
    const figure = presentFigure({ value: text, n: 1, from, to, gap: null });
    expect(figureResource.parse(figure)).toEqual(figure);
    const fall = { start: from, valley: from, end: null, depth: text, days: 1 };
    expect(drawdownResource.parse(fall)).toEqual(fall);
    const month = { year: 2026, month: 1, return: text, partial: true };
    expect(monthlyReturnResource.parse(month)).toEqual(month);
  });
});
