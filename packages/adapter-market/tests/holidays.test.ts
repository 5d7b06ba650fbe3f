import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { dayOf, usMarketHours } from '../src/hours/us-market-days.js';
import { sharedFile, withSharedData } from './shared-data.js';
import { DAY } from '@slipstream/domain';

const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);

function byRule(): string[] {
  const rows: string[] = [];
  for (let day = dayOf('1998-01-01'); day <= dayOf('2028-12-31'); day += 1) {
    const weekday = new Date(day * DAY).getUTCDay();
    if (weekday === 0 || weekday === 6) continue;
    const hours = usMarketHours(day);
    if (!hours) rows.push(`${dateOf(day)},closed,`);
    else if (hours.closes === 13 * 60) rows.push(`${dateOf(day)},early_close,13:00`);
  }
  return rows;
}

describe('holidays by rule', () => {
  withSharedData(() => {
    const recorded = readFileSync(sharedFile('nyse-holidays.csv'), 'utf8')
      .trim()
      .split(/\r?\n/)
      .slice(1);

    it('are exactly the recorded closures and early closes of 1998 to 2028', () => {
      expect(recorded.length).toBeGreaterThan(300);
      expect(byRule()).toEqual(recorded);
    });
  });
});
