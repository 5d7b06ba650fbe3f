import { describe, expect, it } from '@jest/globals';
import { Throttle } from './throttle.js';

describe('a throttle', () => {
  it.each<[string, number, boolean]>([
    ['one millisecond before its interval is over', 1_099, false],
    ['when its interval is over', 1_100, true],
    ['at the moment it was done', 1_000, false],
    ['after the clock was set back', 999, true],
    ['after the clock was set back by long', 0, true],
  ])('says %s whether the work is due', (_, now, isDue) => {
    const throttle = new Throttle();
    throttle.done(1_000, 100);
    expect(throttle.isDue(now)).toBe(isDue);
  });

  it('says of work that was never done that it is due', () => {
    expect(new Throttle().isDue(0)).toBe(true);
  });
});
