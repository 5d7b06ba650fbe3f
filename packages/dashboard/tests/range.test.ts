import { describe, expect, it } from '@jest/globals';
import { returnAt, spanOf } from '../src/figures/range.js';
import type { Strategy } from '../src/service/records.js';

const worth = (strategy_value: string | null) => ({ strategy_value }) as Strategy;

describe('a return up to now', () => {
  it.each([
    ['1.1', '0.1', '1.21', '0.21'],
    ['1.1', '0.1', '1.1', '0.1'],
    ['2', '1', '0.5', '-0.5'],
    ['1', '0', '-1', '-2'],
    ['-1', '-2', '1', '0'],
  ])('at the value %s was %s, and at %s it is %s', (then, read, now, moved) => {
    expect(returnAt(worth(then), read, now)).toBe(moved);
  });

  it.each([
    ['1.1', '0.1', undefined],
    ['1.1', '0.1', null],
    [null, '0.1', '1.2'],
    ['0', '-1', '1.2'],
    ['1.1', null, '1.2'],
  ])('is as it was read without a value of then or of now: %s, %s, %s', (then, read, now) => {
    expect(returnAt(worth(then), read, now)).toBe(read);
  });
});

describe('the figures of own dates', () => {
  const dayAgo = '2026-11-29T02:00:00.000Z';
  it.each([
    ['2026-11-29', '2026-11-29'],
    ['2026-11-30', undefined],
    ['2026-12-24', undefined],
    [undefined, undefined],
  ])('that end on %s are asked for until %s: today is not over', (to, asked) => {
    const range = { from: '2026-11-01', ...(to !== undefined && { to }) };
    expect(spanOf(range, dayAgo)).toMatchObject({ from: '2026-11-01' });
    expect((spanOf(range, dayAgo) as { readonly to?: string }).to).toBe(asked);
  });
});
