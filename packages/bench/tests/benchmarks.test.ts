import { describe, expect, it } from '@jest/globals';
import { benchmarks } from '../src/benchmarks/index.js';
import { triggerCheck } from '../src/benchmarks/trigger-check.js';
import { changesSince, comparisonText } from '../src/measure/comparison.js';
import { measure, rowOf } from '../src/measure/measure.js';
import { gateText, tableText } from '../src/measure/table.js';

const lines = benchmarks.flatMap((benchmark) => benchmark.lines);

describe('the table of benchmarks', () => {
  it('has P1 to P31, and the hostile neighbour', () => {
    expect(benchmarks.at(-1)?.id).toBe('hostile');
    const ids = benchmarks
      .map(({ id }) => id)
      .filter((id) => id.startsWith('P'))
      .sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
    expect(ids).toEqual(Array.from({ length: 31 }, (_, index) => `P${index + 1}`));
  });

  it.each(lines.map((line) => [line.benchmark, line] as const))(
    'says all of a line of %s',
    (_, line) => {
      expect(line.what).not.toBe('');
      expect(line.baseline).not.toBe('');
      expect(gateText(line.gate)).toMatch(/^(>=|<=) [\d.,]+x?$/);
    },
  );
});

describe('a row', () => {
  const line = {
    benchmark: 'P0',
    what: 'calls a second',
    baseline: 'a loop',
    gate: { of: 'ratio', is: 'at least', limit: 2 },
  } as const;

  it('has the median of the ratios, not the ratio of the medians', () => {
    const samples = [
      { figure: 10, baseline: 1 },
      { figure: 30, baseline: 10 },
      { figure: 20, baseline: 20 },
    ];
    const row = rowOf(line, samples);
    expect(row).toMatchObject({
      figure: 20,
      baselineFigure: 10,
      ratio: 3,
      verdict: 'met',
      spread: 3,
    });
  });

  it.each([
    ['at least', 2, 'met'],
    ['at least', 2.1, 'missed'],
    ['at most', 2, 'met'],
    ['at most', 1.9, 'missed'],
  ] as const)('whose ratio is 2 and must be %s %d is %s', (is, limit, verdict) => {
    const gate = { of: 'ratio', is, limit } as const;
    expect(rowOf({ ...line, gate }, [{ figure: 4, baseline: 2 }]).verdict).toBe(verdict);
  });

  it('is judged by the worst round of its own figure if the gate says so', () => {
    const gate = { of: 'figure', is: 'at most', limit: 0 } as const;
    const samples = [{ figure: 0 }, { figure: 1 }, { figure: 0 }];
    expect(rowOf({ ...line, gate }, samples)).toMatchObject({ figure: 1, verdict: 'missed' });
  });

  it("is judged by the trial's own figure over all rounds, if it has one", async () => {
    const gate = { of: 'figure', is: 'at most', limit: 20 } as const;
    const trial = {
      round: async () => [{ figure: 35 }],
      judged: () => [{ figure: 12 }],
      close: () => undefined,
    };
    const together = { id: 'P0', lines: [{ ...line, gate }], open: async () => trial };
    const { rows } = await measure(together, { quick: true }, 3, () => undefined);
    expect(rows).toMatchObject([{ figure: 12, verdict: 'met' }]);
  });

  it('shows the error', async () => {
    const broken = { id: 'P0', lines: [line], open: () => Promise.reject(new Error('no port')) };
    const { rows } = await measure(broken, { quick: true }, 1, () => undefined);
    expect(rows).toMatchObject([{ verdict: 'failed', reason: 'no port' }]);
    expect(tableText(rows)).toContain('failed');
  });
});

describe('a comparison with a recorded run', () => {
  const line = { benchmark: 'P0', what: 'calls a second', baseline: 'a loop' };
  const row = (ratio: number, is: 'at least' | 'at most', spread = 0.1, what = line.what) =>
    ({
      ...line,
      what,
      gate: { of: 'ratio', is, limit: 2 },
      verdict: 'met',
      ratio,
      spread,
    }) as const;

  it.each([
    [2, 3, 'at least', 'better'],
    [2, 3, 'at most', 'worse'],
    [2, 1, 'at least', 'worse'],
    [2, 1.9, 'at least', 'as before'],
  ] as const)('says of %d and then %d, to be %s a limit: %s', (was, is, gate, verdict) => {
    expect(changesSince([row(was, gate)], [row(is, gate)])).toMatchObject([{ verdict }]);
  });

  it('takes a change within the spread of one of the runs for none', () => {
    expect(changesSince([row(2, 'at least', 0.8)], [row(3, 'at least')])).toMatchObject([
      { verdict: 'as before' },
    ]);
  });

  it('names only lines that both runs measured', () => {
    const now = { quick: false, rows: [row(3, 'at least'), row(3, 'at least', 0.1, 'others')] };
    const text = comparisonText({ quick: true, rows: [row(2, 'at least')] }, now);
    expect(text).toContain('+50 %');
    expect(text).not.toContain('others');
    expect(text).toContain('One of the runs was quick.');
  });
});

describe('P11, quickly', () => {
  it('measures both of its lines and a curve', async () => {
    const { rows, curves } = await measure(triggerCheck, { quick: true }, 1, () => undefined);
    expect(
      rows.map(({ figure, baselineFigure, ratio }) => [figure, baselineFigure, ratio]),
    ).toEqual([
      [expect.any(Number), expect.any(Number), expect.any(Number)],
      [expect.any(Number), expect.any(Number), expect.any(Number)],
    ]);
    expect(curves[0]?.series[0]?.points).toHaveLength(3);
  });
});
