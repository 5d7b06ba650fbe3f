import { describe, expect, it } from '@jest/globals';
import type { TrackEntryKind } from './track-bodies.js';
import { namesQuote, sourceCheck } from './track-sources.js';

type Entry = readonly [kind: TrackEntryKind, body: object];

const AT = 1_000;
const old: Entry = ['trade', { price: '1' }];
const fill = (market: string, more: object = {}): Entry => [
  'trade',
  { format: 2, market, provider: null, quote_bid: '1', quote_ask: '2', quote_at: AT, ...more },
];
const segment = (state: 'opened' | 'started', kind: string): Entry => [
  'segment',
  { format: 2, state, kind },
];
const value: Entry = ['value', { strategy_value: '1' }];

/** The index of the first faulty entry with its fault. */
function firstFault(entries: readonly Entry[]): readonly [number, string] | undefined {
  const faultOf = sourceCheck();
  for (const [index, [kind, body]] of entries.entries()) {
    const fault = faultOf({ kind, at: AT, body: JSON.stringify(body) });
    if (fault !== undefined) return [index, fault];
  }
  return undefined;
}

describe('the sources in a track record', () => {
  it.each<[string, readonly Entry[]]>([
    ['a record without a source', [old, value, old]],
    ['a record of one kind of market', [fill('demo'), value, fill('replay'), fill('demo')]],
    ['an old record that goes on', [old, segment('opened', 'live'), fill('live'), fill('live')]],
    ['an old record of a host that names no market', [old, fill('unknown')]],
    [
      'a segment for each kind',
      [fill('demo'), segment('opened', 'live'), segment('started', 'live'), fill('live')],
    ],
    [
      'a delisting, which has no quote',
      [fill('live', { quote_bid: null, quote_ask: null, quote_at: null })],
    ],
  ])('are in order: %s', (_, entries) => {
    expect(firstFault(entries)).toBeUndefined();
  });

  it.each<[string, readonly Entry[], number, RegExp]>([
    ['another kind of market without a segment', [fill('demo'), fill('live')], 1, /of market live/],
    ['an old record continued on real prices', [old, fill('live')], 1, /kind unknown/],
    ['a fill without a source after one with it', [fill('live'), old], 1, /does not name/],
    ['one after a fill whose market nobody knows', [fill('unknown'), old], 1, /does not name/],
    ['a fill of before in a segment', [segment('opened', 'live'), old], 1, /does not name/],
    ['a market that does not exist', [fill('moon')], 0, /does not name/],
    ['a format that does not exist', [fill('live', { format: 3 })], 0, /does not name/],
    ['a crossed quote', [fill('live', { quote_bid: '3' })], 0, /above the ask/],
    ['a quote from the future', [fill('live', { quote_at: AT + 1 })], 0, /later/],
    ['half a quote', [fill('live', { quote_ask: null })], 0, /incomplete/],
    ['a quote of unknown time', [fill('live', { quote_at: null })], 0, /incomplete/],
    ['a bid that is no text', [fill('live', { quote_bid: 1 })], 0, /incomplete/],
    ['a bid that is no price', [fill('live', { quote_bid: '-1' })], 0, /incomplete/],
    ['a time without a quote', [fill('live', { quote_bid: null, quote_ask: null })], 0, /incompl/],
    ['a quote that is no price', [fill('live', { quote_ask: 'NaN' })], 0, /incomplete/],
    ['a segment of no kind', [segment('opened', 'best')], 0, /no known kind/],
    [
      'a segment that starts as another kind',
      [fill('demo'), segment('opened', 'supplied'), segment('started', 'live')],
      2,
      /another kind/,
    ],
  ])('are not: %s', (_, entries, index, fault) => {
    expect(firstFault(entries)).toEqual([index, expect.stringMatching(fault)]);
  });

  it('are not, when a body cannot be read', () => {
    expect(sourceCheck()({ kind: 'trade', at: AT, body: 'null' })).toMatch(/JSON/);
    expect(sourceCheck()({ kind: 'segment', at: AT, body: '{' })).toMatch(/JSON/);
  });

  it.each<[boolean, string, Entry]>([
    [true, 'a fill', fill('live')],
    [false, 'one from before fills named it', old],
    [false, 'a delisting', fill('live', { quote_bid: null, quote_ask: null, quote_at: null })],
  ])('name a quote (%p): %s', (expected, _, [, body]) => {
    expect(namesQuote(JSON.stringify(body))).toBe(expected);
  });
});
