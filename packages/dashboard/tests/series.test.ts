import { describe, expect, it } from '@jest/globals';
import { type Sample, curvesOf, drawdownOf, withLive } from '../src/figures/series.js';

describe('a curve', () => {
  const [own, before] = [
    [
      { at: '2026-03-04T15:00:00.000Z', strategy_value: '1' },
      { at: '2026-03-04T15:01:00.000Z', strategy_value: '1.1' },
    ],
    [{ at: '2026-03-04T14:00:00.000Z', strategy_value: '0.9' }],
  ];

  it('has seconds, values and falls', () => {
    const curves = curvesOf(own);
    expect(curves.at).toEqual([1772636400, 1772636460]);
    expect(curves.values).toEqual([1, 1.1]);
    expect(curves.drawdown).toEqual([0, 0]);
    expect(curves.claimed).toEqual([null, null]);
  });

  it('never joins what is claimed with the record: an empty moment is between them', () => {
    const { at, values, claimed, drawdown } = curvesOf(own, before);
    expect(at).toEqual([1772632800, 1772634600, 1772636400, 1772636460]);
    expect(claimed).toEqual([0.9, null, null, null]);
    expect(values).toEqual([null, null, 1, 1.1]);
    expect(drawdown).toEqual([null, null, 0, 0]);
  });

  it('puts the benchmark at the value where its first close is, and keeps its last one', () => {
    const closes = [null, '50', '60', undefined];
    const samples = closes.map((benchmark, index) => ({
      at: `2026-03-04T15:0${index}:00.000Z`,
      strategy_value: '2',
      ...(benchmark !== undefined && { benchmark }),
    }));
    expect(curvesOf(samples).benchmark).toEqual([null, 2, 2.4, 2.4]);
    expect(curvesOf(own).benchmark).toEqual([null, null]);
  });

  it.each([
    [
      [1, 1.25, 1, 1.5],
      [0, 0, -0.2, 0],
    ],
    [[], []],
    [
      [0, -1, 1, 0.5],
      [0, 0, 0, -0.5],
    ],
  ])('%j falls by %j below its peak', (values, falls) => {
    expect(drawdownOf(values)).toHaveLength(falls.length);
    for (const [index, fall] of drawdownOf(values).entries())
      expect(fall).toBeCloseTo(falls[index] ?? NaN, 12);
  });
});

describe('the live samples of a page', () => {
  const BEGIN = Date.parse('2026-03-04T15:00:00.000Z');
  const after = (tenths: number): Sample => ({
    at: new Date(BEGIN + tenths * 100).toISOString(),
    strategy_value: String(1 + tenths / 10),
  });
  const told = (events: number): readonly Sample[] =>
    Array.from({ length: events }, (_, event) => after(event)).reduce<readonly Sample[]>(
      withLive,
      [],
    );

  it('are one for each second, of which the newest is what was told last', () => {
    expect(told(25)).toEqual([after(9), after(19), after(24)]);
  });

  it('take nothing that is older than the newest', () => {
    const kept = told(12);
    expect(withLive(kept, after(5))).toBe(kept);
    expect(withLive(kept, after(11))).toBe(kept);
  });

  it('stay few in an hour of events, and span all of that time', () => {
    const kept = told(3_600 * 10);
    expect(kept.length).toBeLessThanOrEqual(301);
    expect(kept[0]).toEqual(after(9));
    expect(kept.at(-1)).toEqual(after(36_000 - 1));
  });
});
