import { describe, expect, it } from '@jest/globals';
import { aBook, aMarket, START } from '../../tests/builders.js';
import { FILL_MARKETS, type FillMarket } from '../market/source.js';
import { ONE, decimal } from '../numbers/decimal.js';
import { DAY, MINUTE } from '../time.js';
import {
  type Basis,
  type Segmented,
  type SegmentKind,
  baselineOf,
  basisOfKind,
  currentSegment,
  earlierDrawdown,
  firstSegments,
  firstValue,
  kindNow,
  openSegment,
  openingAtStart,
  poolOf,
  segmentKind,
  segmentStarts,
  startSegment,
} from './segments.js';

const NOW = START + 30 * DAY;
const end = (value: string, maxDrawdown = '0') => ({
  at: NOW,
  value: decimal(value),
  maxDrawdown: decimal(maxDrawdown),
});
const opening = (kind: SegmentKind, reason: 'market' | 'gap' = 'market') =>
  ({ kind, reason, openedAt: NOW }) as const;

/** A record on `first`, then on the others: each segment ends at 2 with that drawdown, and the next one starts at 1.5. */
const recordOn = (first: FillMarket, ...others: readonly [SegmentKind, string][]): Segmented =>
  others.reduce<Segmented>(
    (record, [kind, drawdown], index) => {
      const open = opening(kind);
      const opened = openSegment(record, open, end('2', drawdown));
      return startSegment(opened, open, NOW + index, decimal('1.5'));
    },
    firstSegments(first, START),
  );

describe('the kind of prices', () => {
  it.each<[FillMarket, SegmentKind, Basis]>([
    ['demo', 'simulated', 'simulated'],
    ['replay', 'simulated', 'simulated'],
    ['push', 'supplied', 'supplied'],
    ['live', 'live', 'hypothetical'],
    ['unknown', 'unknown', 'simulated'],
  ])('of market %s is %s, its basis %s', (market, kind, basis) => {
    expect([segmentKind(market), basisOfKind(segmentKind(market))]).toEqual([kind, basis]);
  });

  it.each<[SegmentKind, boolean, string]>([
    ['simulated', true, 'simulated'],
    ['unknown', true, 'simulated'],
    ['supplied', false, 'supplied'],
    ['supplied', true, 'hypothetical'],
    ['live', false, 'hypothetical'],
  ])('%s with PUSH_TRUSTED %s ranks among the %s', (kind, isTrusted, pool) => {
    expect(poolOf(kind, isTrusted)).toBe(pool);
  });
});

describe('a start of the server', () => {
  const at = (market: FillMarket, stoppedAt: number | null) => ({ market, now: NOW, stoppedAt });

  it.each(FILL_MARKETS.flatMap((before) => FILL_MARKETS.map((after) => [before, after] as const)))(
    'from %s to %s opens a segment exactly if the kinds differ',
    (before, after) => {
      const opened = openingAtStart(firstSegments(before, START), at(after, NOW - 1), true);
      const isOther = segmentKind(before) !== segmentKind(after);
      expect(opened?.reason).toBe(isOther ? 'market' : undefined);
    },
  );

  it.each<[string, number | null, boolean, string | undefined]>([
    ['a stop of seven days', NOW - 7 * DAY, true, undefined],
    ['a longer stop with positions', NOW - 7 * DAY - 1, true, 'gap'],
    ['a longer stop without positions', NOW - 7 * DAY - 1, false, undefined],
    ['the first start', null, true, undefined],
    ['a clock that was set back', NOW + DAY, true, undefined],
  ])('after %s', (_, stoppedAt, isOpen, reason) => {
    const opened = openingAtStart(firstSegments('live', START), at('live', stoppedAt), isOpen);
    expect(opened?.reason).toBe(reason);
  });

  it('does not open a segment twice for one stop', () => {
    const stopped = at('live', NOW - 8 * DAY);
    const record = firstSegments('live', START);
    const open = opening('live', 'gap');
    const opened = openSegment(record, open, end('2'));
    expect(openingAtStart(opened, stopped, true)).toBeUndefined();
    const started = startSegment(opened, open, NOW, ONE);
    expect(openingAtStart(started, stopped, true)).toBeUndefined();
  });

  it.each<[string, number]>([
    ['just before the moment that was kept', -1],
    ['at that moment', 0],
    ['just after it', 1],
    ['almost a minute after it', MINUTE - 1],
    ['while the clock of that run was in doubt', 2 * MINUTE],
  ])('opens a segment after a stop of a record that began %s', (_, later) => {
    const stoppedAt = NOW - 8 * DAY;
    const record = firstSegments('live', stoppedAt + later);
    expect(openingAtStart(record, at('live', stoppedAt), true)?.reason).toBe('gap');
  });
});

describe('a new segment', () => {
  const open = opening('live');
  const opened = openSegment(recordOn('demo'), open, end('1.2', '0.3'));

  it('ends the one before, and has no figures until its first value', () => {
    expect(opened.segments).toMatchObject([{ kind: 'simulated', end: { value: decimal('1.2') } }]);
    expect([currentSegment(opened), baselineOf(opened)]).toEqual([undefined, undefined]);
    expect(kindNow(opened)).toBe('live');
  });

  it('starts at its first value; the jump belongs to no segment', () => {
    const record = startSegment(opened, open, NOW + 5, decimal('0.9'));
    expect(currentSegment(record)).toMatchObject({
      kind: 'live',
      startedAt: NOW + 5,
      startValue: decimal('0.9'),
      jump: decimal('-0.3'),
      end: null,
    });
    expect(baselineOf(record)).toEqual({ since: NOW + 5, value: decimal('0.9') });
    expect(segmentStarts(record)).toEqual([NOW + 5]);
  });

  it('of a third kind, before a first value, replaces the one that opens', () => {
    const again = openSegment(opened, opening('supplied'), end('7'));
    expect(again.segments).toEqual(opened.segments);
    expect(kindNow(again)).toBe('supplied');
  });

  it('keeps the worst earlier drawdown of its kind beside its own', () => {
    const record = recordOn('live', ['live', '0.2'], ['supplied', '0.1'], ['live', '0.9']);
    const worst = record.segments.map((_, index) => earlierDrawdown(record.segments, index));
    expect(worst.map((one) => one?.toFixed() ?? null)).toEqual([null, '0.2', null, '0.2']);
  });

  it('the first of a record counts from the strategy on, at 1', () => {
    expect(baselineOf(recordOn('demo'))).toEqual({ since: -Infinity, value: ONE });
  });
});

describe('the first value of a segment', () => {
  const book = aBook({ cash: '1', positions: { AAA: '1', BBB: '2' } });
  const market = aMarket({ quotes: { AAA: '10', BBB: '20' } });

  it('is computed wholly from fresh quotes', () => {
    expect(firstValue(book, market)?.toFixed()).toBe('51');
  });

  it('is not known while a holding has only an old quote', () => {
    const stale = { ...market, freshQuote: () => undefined };
    expect(firstValue(book, stale)).toBeUndefined();
  });

  it('needs no quote without holdings', () => {
    const without = { ...aMarket({ quotes: {} }), freshQuote: () => undefined };
    expect(firstValue(aBook({ cash: '1.5' }), without)?.toFixed()).toBe('1.5');
  });
});
