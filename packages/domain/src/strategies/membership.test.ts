import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Membership, gainedSince, nextGain } from '../index.js';

const NOON = 1000;
const stays = (since: number): Membership => ({ since, until: null });
const left = (since: number, until: number): Membership => ({ since, until });

describe('what a strategy gained since a moment', () => {
  it.each<[string, Membership, number]>([
    ['one who came later counts', stays(NOON + 1), 1],
    ['one who was there does not', stays(NOON), 0],
    ['one who was there and left later is lost', left(NOON, NOON + 1), -1],
    ['one who had left is not', left(NOON - 1, NOON), 0],
    ['one who came and left later is neither', left(NOON + 1, NOON + 2), 0],
  ])('%s', (_, membership, gained) => {
    expect(gainedSince([membership], NOON)).toBe(gained);
  });

  it('stays the same until the next gain', () => {
    const membership = fc.oneof(
      fc.nat(20).map(stays),
      fc.tuple(fc.nat(20), fc.nat(20)).map(([since, length]) => left(since, since + length)),
    );
    fc.assert(
      fc.property(fc.array(membership, { maxLength: 5 }), fc.nat(40), (memberships, from) => {
        const next = Math.min(nextGain(memberships, from), 50);
        for (let at = from; at < next; at += 1)
          expect(gainedSince(memberships, at)).toBe(gainedSince(memberships, from));
      }),
    );
  });
});
