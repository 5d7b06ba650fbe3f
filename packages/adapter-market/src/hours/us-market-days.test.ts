import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
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

  it('closes early on the days of its rules from 1998 to 2028, and on no other', () => {
    const earlyCloses = [
      ...['1998-11-27', '1998-12-24', '1999-11-26', '2000-07-03', '2000-11-24'],
      ...['2001-07-03', '2001-11-23', '2001-12-24', '2002-07-05', '2002-11-29', '2002-12-24'],
      ...['2003-07-03', '2003-11-28', '2003-12-24', '2003-12-26', '2004-11-26', '2005-11-25'],
      ...['2006-07-03', '2006-11-24', '2007-07-03', '2007-11-23', '2007-12-24', '2008-07-03'],
      ...['2008-11-28', '2008-12-24', '2009-11-27', '2009-12-24', '2010-11-26', '2011-11-25'],
      ...['2012-07-03', '2012-11-23', '2012-12-24', '2013-07-03', '2013-11-29', '2013-12-24'],
      ...['2014-07-03', '2014-11-28', '2014-12-24', '2015-11-27', '2015-12-24', '2016-11-25'],
      ...['2017-07-03', '2017-11-24', '2018-07-03', '2018-11-23', '2018-12-24', '2019-07-03'],
      ...['2019-11-29', '2019-12-24', '2020-11-27', '2020-12-24', '2021-11-26', '2022-11-25'],
      ...['2023-07-03', '2023-11-24', '2024-07-03', '2024-11-29', '2024-12-24', '2025-07-03'],
      ...['2025-11-28', '2025-12-24', '2026-11-27', '2026-12-24', '2027-11-26', '2028-07-03'],
      '2028-11-24',
    ];
    const found: string[] = [];
    for (let day = dayOf('1998-01-01'); day < dayOf('2029-01-01'); day += 1) {
      const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
      if (closes(date) === '9.5-13') found.push(date);
    }
    expect(found).toEqual(earlyCloses);
  });

  it('finds no day for an invalid date', () => {
    expect(dayOf('2024-1-6')).toBeNaN();
    expect(dayOf('2024-13-01')).toBeNaN();
    expect(dayOf('1970-01-02')).toBe(1);
  });

  it('finds a day for the dates that there are, and for no other', () => {
    const number = fc.integer({ min: 1, max: 31 });
    fc.assert(
      fc.property(fc.integer({ min: 1900, max: 2100 }), number, number, (year, month, date) => {
        const text = [year, month, date].map((part) => String(part).padStart(2, '0')).join('-');
        const made = new Date(Date.UTC(year, month - 1, date));
        const isThere = month <= 12 && made.getUTCDate() === date;
        expect(dayOf(text)).toBe(isThere ? made.getTime() / 86_400_000 : Number.NaN);
      }),
      {
        examples: [
          [2026, 2, 29],
          [2028, 2, 29],
          [2026, 4, 31],
        ],
      },
    );
  });
});
