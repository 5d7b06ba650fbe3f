import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimal, decimalText } from '../../numbers/decimal.js';
import { DAY, HOUR, MINUTE } from '../../time.js';
import { dayBody, valueBody } from '../track-bodies.js';
import { type ValueDay, type ValueSample, dayOf, heldFraction, withSample } from './value-day.js';

const sample = (at: number, value: string, gross = '0'): ValueSample => ({
  at,
  value: decimal(value),
  gross: decimal(gross),
});
const dayAfter = (...samples: readonly ValueSample[]): ValueDay | undefined =>
  samples.reduce<ValueDay | undefined>(withSample, undefined);
const bodyOf = (day: ValueDay | undefined): unknown => day && JSON.parse(dayBody(day));

describe('the record of a day', () => {
  it('has close, high, low, the deepest fall, the exposure at the close and the part with a position', () => {
    const day = dayAfter(
      sample(6 * HOUR, '1', '0.5'),
      sample(8 * HOUR, '1.2', '0.6'),
      sample(9 * HOUR, '0.9', '0'),
      sample(18 * HOUR, '1.1', '0.8'),
    );
    expect(bodyOf(day)).toEqual({
      format: 2,
      strategy_value: '1.1',
      high: '1.2',
      low: '0.9',
      drawdown: '0.25',
      gross: '0.8',
      // From 6 to 9 and from 18 to 24 o'clock.
      held: '0.375',
    });
  });

  it('counts a position that was held since an earlier day from midnight on', () => {
    const day = dayAfter(sample(HOUR, '1', '1'), sample(3 * DAY + 6 * HOUR, '1', '0'));
    expect(bodyOf(day)).toMatchObject({ held: '0.25', drawdown: '0' });
  });

  it('begins again with the first sample of another day', () => {
    const day = dayAfter(sample(HOUR, '5'), sample(DAY + HOUR, '1'), sample(DAY + 2 * HOUR, '2'));
    expect(bodyOf(day)).toMatchObject({ high: '2', low: '1', strategy_value: '2', held: '0' });
  });

  it('has only the last value of a day that was not measured', () => {
    expect(valueBody(decimal('1.25'))).toBe('{"strategy_value":"1.25"}');
  });

  it('holds a part between 0 and 1 and the extremes of its samples, whatever the samples', () => {
    const arbitrary = fc.record({
      minutes: fc.integer({ min: 0, max: 4000 }),
      value: fc.integer({ min: 1, max: 300 }),
      gross: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 12 }), (steps) => {
        const samples = steps
          .toSorted((one, other) => one.minutes - other.minutes)
          .map(({ minutes, value, gross }) =>
            sample(minutes * MINUTE, String(value / 100), String(gross)),
          );
        const day = dayAfter(...samples);
        const last = samples.at(-1);
        if (!day || !last) throw new Error('there is no day');
        const today = samples.filter(({ at }) => dayOf(at) === dayOf(last.at));
        const values = today.map(({ value }) => Number(decimalText(value)));
        expect(decimalText(day.high)).toBe(decimalText(decimal(String(Math.max(...values)))));
        expect(decimalText(day.low)).toBe(decimalText(decimal(String(Math.min(...values)))));
        const begin = dayOf(last.at) * DAY;
        const minutesHeld = Array.from(
          { length: 1440 },
          (_, minute) => begin + minute * MINUTE,
        ).filter((at) => samples.findLast((one) => one.at <= at)?.gross.gt('0')).length;
        expect(Number(decimalText(heldFraction(day)))).toBeCloseTo(minutesHeld / 1440, 12);
      }),
      { numRuns: 200 },
    );
  });
});
