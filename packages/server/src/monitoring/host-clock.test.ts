import { describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { DAY, HOUR, MINUTE, SECOND } from '@slipstream/domain';
import { hostClock } from './host-clock.js';

const START = Date.parse('2026-03-04T15:00:00Z');

/** A machine's clock, of which the service thinks something; `goesBy` moves it on as it should, `set` as a time server does. */
function machine() {
  const time = fixedClock(START);
  let [elapsed, slept, looks] = [0, 0, 0];
  const told: string[] = [];
  const note =
    (level: string) =>
    (_: object, text: string): void =>
      void told.push(`${level}: ${text}`);
  const clock = hostClock({
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    now: time.now,
    elapsed: () => {
      looks += 1;
      return elapsed;
    },
    awake: () => elapsed - slept,
  });
  return {
    clock,
    told,
    set: (by: number) => time.advance(by),
    sleeps(milliseconds: number) {
      slept += milliseconds;
      elapsed += milliseconds;
      time.advance(milliseconds);
      return clock.isSure();
    },
    looks: () => looks,
    goesBy(milliseconds: number) {
      elapsed += milliseconds;
      time.advance(milliseconds);
      return clock.isSure();
    },
  };
}

describe('the clock of the machine', () => {
  it('is believed while it goes on, however long nobody looks', () => {
    const { goesBy, told } = machine();
    expect([goesBy(SECOND), goesBy(10 * MINUTE), goesBy(400 * DAY)]).toEqual([true, true, true]);
    expect(told).toEqual([]);
  });

  it('is believed after the machine slept', () => {
    const { sleeps, told } = machine();
    expect([sleeps(SECOND), sleeps(20 * DAY)]).toEqual([true, true]);
    expect(told).toEqual([]);
  });

  it('is not looked at again within a second in which it went on as it should', () => {
    const { clock, goesBy, looks, set } = machine();
    goesBy(SECOND);
    const before = looks();
    for (let times = 0; times < 100; times += 1) goesBy(9);
    expect(looks()).toBe(before);
    set(2 * MINUTE);
    expect(clock.isSure()).toBe(false);
  });

  it('is believed when it is slewed, and when a time server corrects it, which is told once', () => {
    const { set, goesBy, told } = machine();
    for (let second = 0; second < 100; second += 1) {
      set(40);
      expect(goesBy(SECOND)).toBe(true);
    }
    set(5 * SECOND);
    expect([goesBy(SECOND), goesBy(SECOND)]).toEqual([true, true]);
    set(-HOUR);
    expect([goesBy(SECOND), goesBy(SECOND)]).toEqual([true, true]);
    expect(told).toEqual([
      'warn: the clock was set ahead by 5 seconds',
      'warn: the clock was set back by 60 minutes',
    ]);
  });

  it.each([
    ['two hours', 2 * HOUR, 2 * HOUR],
    ['a year', 366 * DAY, DAY],
  ])('is in doubt after a jump ahead by %s, at most for a day', (_, jump, doubted) => {
    const { clock, set, goesBy, told } = machine();
    set(jump);
    expect(clock.isSure()).toBe(false);
    expect(clock.doubt()).toContain('jumped ahead by');
    expect(goesBy(doubted - SECOND)).toBe(false);
    expect(goesBy(SECOND)).toBe(true);
    expect(clock.doubt()).toBeNull();
    expect(told.map((text) => text.split(':')[0])).toEqual(['error', 'warn']);
  });

  it('is believed again as soon as it is back, and in doubt again when it jumps again', () => {
    const { clock, set, goesBy, told } = machine();
    set(366 * DAY);
    expect(goesBy(MINUTE)).toBe(false);
    set(-366 * DAY);
    expect(goesBy(SECOND)).toBe(true);
    set(DAY);
    expect(goesBy(SECOND)).toBe(false);
    set(HOUR);
    expect([goesBy(SECOND), goesBy(DAY - SECOND)]).toEqual([false, false]);
    expect(goesBy(SECOND)).toBe(true);
    expect(clock.doubt()).toBeNull();
    expect(told[1]).toBe('warn: the clock was set back by 366 days');
    expect(told[2]).toMatch(/^warn: the clock is back/);
  });

  it.each([
    ['an hour', HOUR, HOUR],
    ['a year', 366 * DAY, DAY],
  ])('is believed when it was set back by %s and comes back soon', (_, jump, settles) => {
    const { set, goesBy } = machine();
    set(-jump);
    expect(goesBy(settles / 2)).toBe(true);
    set(jump);
    expect(goesBy(SECOND)).toBe(true);
    set(-jump);
    expect([goesBy(SECOND), goesBy(settles)]).toEqual([true, true]);
    set(jump);
    expect(goesBy(SECOND)).toBe(false);
  });

  it('is in doubt for two minutes when it starts more than a day after what the database knows', () => {
    const { clock, goesBy } = machine();
    clock.knewOf(START - DAY);
    expect(clock.isSure()).toBe(true);
    clock.knewOf(START - 2 * DAY);
    expect(clock.doubt()).toContain('2 days ahead of the last moment in the database');
    expect([goesBy(2 * MINUTE - SECOND), goesBy(SECOND)]).toEqual([false, true]);
  });

  it('is told to be behind what the database knows', () => {
    const { clock, told } = machine();
    clock.knewOf(START + MINUTE);
    expect(told).toEqual([]);
    clock.knewOf(START + 3 * HOUR);
    expect(told).toEqual([
      'error: the clock is 3 hours behind the last moment in the database: it is wrong, or was',
    ]);
  });
});
