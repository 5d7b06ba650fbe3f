import { describe, expect, it } from '@jest/globals';
import { alwaysOpen, exchangeHours } from './exchange-hours.js';
import { instruments } from '../instruments.js';

const at = (text: string): number => Date.parse(text);
const aStock = (symbol: string) => {
  const found = instruments().find((stock) => stock.symbol === symbol);
  if (!found) throw new Error(`no ${symbol}`);
  return found;
};
const apple = aStock('AAPL');
const bitcoin = aStock('BTCUSD');
const text = (session: { opensAt: number; closesAt: number } | undefined) =>
  session &&
  `${new Date(session.opensAt).toISOString()} ${new Date(session.closesAt).toISOString()}`;

describe('exchange hours', () => {
  const hours = exchangeHours();

  it.each([
    ['2026-03-06T14:30:00Z', '2026-03-06T14:30:00.000Z 2026-03-06T21:00:00.000Z', 'winter time'],
    ['2026-03-09T13:30:00Z', '2026-03-09T13:30:00.000Z 2026-03-09T20:00:00.000Z', 'summer time'],
    ['2026-10-30T19:59:59Z', '2026-10-30T13:30:00.000Z 2026-10-30T20:00:00.000Z', 'summer time'],
    ['2026-11-02T20:59:59Z', '2026-11-02T14:30:00.000Z 2026-11-02T21:00:00.000Z', 'winter time'],
    ['2026-11-27T17:00:00Z', '2026-11-27T14:30:00.000Z 2026-11-27T18:00:00.000Z', 'early close'],
  ])('%s is in the session %s (%s)', (moment, session) =>
    expect(text(hours.sessionAt(apple, at(moment)))).toBe(session),
  );

  it.each([
    ['2026-03-09T13:29:59.999Z', 'before the opening'],
    ['2026-03-09T20:00:00Z', 'the closing itself'],
    ['2026-11-27T18:00:00Z', 'an early closing'],
    ['2026-03-08T15:00:00Z', 'a Sunday when clocks change'],
    ['2026-12-25T16:00:00Z', 'Christmas'],
  ])('%s is outside of sessions: %s', (moment) =>
    expect(hours.sessionAt(apple, at(moment))).toBeUndefined(),
  );

  it('gives the same session object all day, so that a call on every tick costs nothing', () => {
    const opening = hours.sessionAt(apple, at('2026-03-09T13:30:00Z'));
    expect(hours.sessionAt(apple, at('2026-03-09T19:00:00Z'))).toBe(opening);
  });

  it.each([
    ['2026-03-06T14:29:59Z', '2026-03-06T14:30:00.000Z', 'later the same day'],
    ['2026-03-06T14:30:00Z', '2026-03-09T13:30:00.000Z', 'not the one that opens right now'],
    ['2026-07-02T20:30:00Z', '2026-07-06T13:30:00.000Z', 'over a holiday and a weekend'],
    ['2001-09-10T21:00:00Z', '2001-09-17T13:30:00.000Z', 'over the longest closure'],
  ])('after %s the next session opens at %s: %s', (moment, opening) =>
    expect(hours.nextSession(apple, at(moment))?.opensAt).toBe(at(opening)),
  );

  it('follows days that differ from the rules', () => {
    const days = exchangeHours();
    const [opensAt, closesAt] = [at('2026-03-10T13:30:00Z'), at('2026-03-10T17:00:00Z')];
    days.sessionAt(apple, at('2026-03-09T13:30:00Z'));
    days.override?.([
      { date: '2026-03-09', session: null },
      { date: '2026-03-10', session: { opensAt, closesAt } },
    ]);
    expect(days.sessionAt(apple, at('2026-03-09T14:00:00Z'))).toBeUndefined();
    expect(days.nextSession(apple, at('2026-03-06T22:00:00Z'))).toEqual({ opensAt, closesAt });
    expect(days.sessionAt(apple, closesAt)).toBeUndefined();
    expect(days.sessionAt(bitcoin, closesAt)).toBeDefined();
    expect(alwaysOpen().override).toBeUndefined();
  });

  it('never closes for a cryptocurrency', () => {
    const session = hours.sessionAt(bitcoin, at('2026-12-25T03:00:00Z'));
    expect(session).toEqual({
      opensAt: Number.MIN_SAFE_INTEGER,
      closesAt: Number.MAX_SAFE_INTEGER,
    });
    expect(hours.nextSession(bitcoin, at('2026-12-25T03:00:00Z'))).toBeUndefined();
  });

  it('never closes for anything when always open', () => {
    const always = alwaysOpen();
    expect(always.sessionAt(apple, at('2026-12-25T03:00:00Z'))?.closesAt).toBe(
      Number.MAX_SAFE_INTEGER,
    );
    expect(always.nextSession(apple, 0)).toBeUndefined();
  });
});
