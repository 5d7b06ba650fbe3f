import { describe, expect, it } from '@jest/globals';
import { axisTime } from '../src/figures/axis-time.js';

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

describe('the marks of an axis of time', () => {
  // The steps of uPlot.
  const short = [1, 5, 10, 15, 30, MINUTE, 5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR];
  it.each([...short, DAY, 10 * DAY, 365 * DAY])(
    'differ from their neighbours at a step of %i s',
    (step) => {
      const from = Date.UTC(2026, 2, 4, 15) / 1000;
      const marks = Array.from({ length: 12 }, (_, index) => axisTime(from + index * step, step));
      const repeated = marks.filter((mark, index) => mark === marks[index - 1]);
      expect(repeated).toEqual([]);
    },
  );

  it.each([0.001, 0.05, 0.1, 0.25, 0.5])(
    'name each second once at a step of %d s, as a curve of a few seconds has',
    (step) => {
      const from = Date.UTC(2026, 2, 4, 15) / 1000;
      const marks = Array.from({ length: 12 }, (_, index) => axisTime(from + index * step, step));
      const named = marks.filter((mark) => mark !== '');
      expect(new Set(named).size).toBe(named.length);
    },
  );

  it('name the day at midnight, in the zone of the reader', () => {
    const midnight = new Date(2026, 2, 4).getTime() / 1000;
    const marks = [-12, 0, 12].map((hours) => axisTime(midnight + hours * HOUR, 12 * HOUR));
    expect(marks).toEqual([
      expect.stringMatching(/^12:00/),
      'Mar 4',
      expect.stringMatching(/^12:00/),
    ]);
  });
});
