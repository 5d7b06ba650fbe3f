import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decimalText } from '@slipstream/domain';
import { type Day, backtest } from '../src/backtest.js';

describe('the example host', () => {
  it('prints what its README says', async () => {
    const lines: string[] = [];
    const { log } = console;
    console.log = (line: string) => void lines.push(line);
    await import('../src/main.js').finally(() => (console.log = log));
    const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
    expect(/```text\n([^]*?)\n```/.exec(readme)?.[1]?.split('\n')).toEqual(lines);
  });

  it('is worth what its cash and shares are worth, to the last digit', () => {
    const days = ['100', '250'].map((close) => ({ date: '2026-01-05', closes: { ACME: close } }));
    const [, last] = backtest(days, { ACME: '0.5' }, 2);
    // 0.5 of the buying power but for the buffer and both sides' costs, 2.5 times as much a day later.
    expect(last && decimalText(last.value)).toMatch(/^1\.74\d+$/);
  });

  it('refuses a day without the price of what it holds', () => {
    const days: readonly Day[] = [{ ACME: '100' }, { BOLT: '40' }].map((closes) => ({
      date: '2026-01-05',
      closes: { ...closes },
    }));
    expect(() => backtest(days, { ACME: '0.5' }, 2)).toThrow(/lacks the price/);
  });
});
