import { describe, expect, it } from '@jest/globals';
import { dayOf, usMarketHours } from './us-market-days.js';

const closes = (date: string): string => {
  const hours = usMarketHours(dayOf(date));
  return hours ? `${hours.opens / 60}-${hours.closes / 60}` : 'closed';
};

describe('US market days', () => {
  it.each([
    ['2024-01-06', 'closed', 'a Saturday'],
    ['2024-01-07', 'closed', 'a Sunday'],
    ['2024-01-08', '9.5-16', 'a Monday'],
    ['2021-12-31', '9.5-16', 'the Friday before a Saturday New Year'],
    ['2023-01-02', 'closed', 'the Monday after a Sunday New Year'],
    ['1997-01-20', '9.5-16', 'Martin Luther King before 1998'],
    ['1998-01-19', 'closed', 'the first Martin Luther King'],
    ['2024-03-29', 'closed', 'Good Friday'],
    ['2008-03-21', 'closed', 'an early Good Friday'],
    ['2038-04-23', 'closed', 'the latest Good Friday there can be'],
    ['2021-06-18', '9.5-16', 'Juneteenth before 2022'],
    ['2022-06-20', 'closed', 'Juneteenth of a Sunday'],
    ['2027-06-18', 'closed', 'Juneteenth of a Saturday'],
    ['2002-07-03', '9.5-16', 'the day before a Thursday 4th until 2012'],
    ['2002-07-05', '9.5-13', 'the day after a Thursday 4th until 2012'],
    ['2013-07-03', '9.5-13', 'the day before a Thursday 4th since 2013'],
    ['2013-07-05', '9.5-16', 'the day after a Thursday 4th since 2013'],
    ['2026-07-03', 'closed', 'the Friday of a Saturday 4th'],
    ['2026-11-27', '9.5-13', 'the day after Thanksgiving'],
    ['2024-12-24', '9.5-13', 'Christmas Eve'],
    ['2021-12-24', 'closed', 'the Friday of a Saturday Christmas'],
    ['2001-09-13', 'closed', 'the attack on New York'],
    ['2025-01-09', 'closed', 'a day of mourning'],
  ])('%s is %s: %s', (date, expected) => expect(closes(date)).toBe(expected));

  it('finds no day for an invalid date', () => {
    expect(dayOf('2024-1-6')).toBeNaN();
    expect(dayOf('2024-13-01')).toBeNaN();
    expect(dayOf('1970-01-02')).toBe(1);
  });
});
