import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { id } from '../../ids.js';
import { HOUR, MINUTE, SECOND } from '../../time.js';
import {
  AUDIT_CHAIN,
  type Anchor,
  type AnchorLeaf,
  LEAVES_OF_BRANCH,
  branchOf,
  branchesOfLeaves,
  daysToAnchor,
  isLate,
  leafText,
  newAnchor,
  proofOf,
  rootOfProof,
  trackChain,
} from './anchor.js';

const sha256 = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex');

const DAY_OF_ANCHOR = '2026-11-22';
const MADE_AT = Date.parse('2026-11-23T00:10:00Z');

const leavesOf = (size: number): AnchorLeaf[] =>
  Array.from({ length: size }, (_, at) => ({
    chain: at === 0 ? AUDIT_CHAIN : trackChain(id(`strategy-${at}`)),
    seq: at + 1,
    hash: sha256(`head ${at}`),
  }));

function anchored(leaves: readonly AnchorLeaf[]): {
  anchor: Anchor;
  parts: AnchorLeaf[][];
} {
  const parts = branchesOfLeaves(leaves);
  const branches = parts.map((part) => branchOf(DAY_OF_ANCHOR, part, sha256));
  const size = leaves.length;
  const anchor = newAnchor({ day: DAY_OF_ANCHOR, madeAt: MADE_AT, size, branches }, sha256);
  return { anchor, parts };
}

describe('an anchor', () => {
  it('has a leaf for each chain, that names the day', () => {
    const leaf = { chain: trackChain(id('s')), seq: 7, hash: 'ab' };
    expect(leafText(DAY_OF_ANCHOR, leaf)).toBe(
      'slipstream anchor leaf 1\n2026-11-22\ntrack:s\n7\nab',
    );
  });

  it('has one root, whatever the order of the heads', () => {
    const leaves = leavesOf(300);
    expect(anchored([...leaves].reverse()).anchor).toEqual(anchored(leaves).anchor);
  });

  it('proves every head by its branch alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 * LEAVES_OF_BRANCH }), fc.nat(), (size, which) => {
        const leaves = leavesOf(size);
        const { anchor, parts } = anchored(leaves);
        const leaf = leaves[which % size] as AnchorLeaf;
        const branch = parts.findIndex((part) => part.includes(leaf));
        const proof = proofOf(anchor, branch, parts[branch] ?? [], leaf.chain, sha256);
        expect(proof?.leaf).toEqual(leaf);
        expect(proof && rootOfProof(DAY_OF_ANCHOR, proof, sha256)).toBe(anchor.root);
      }),
      { numRuns: 40 },
    );
  });

  it('proves neither another head, nor another chain, nor another day', () => {
    const { anchor, parts } = anchored(leavesOf(5));
    const proof = proofOf(anchor, 0, parts[0] ?? [], AUDIT_CHAIN, sha256);
    if (!proof) throw new Error('there is no proof');
    const rootWith = (changes: Partial<AnchorLeaf>): string | undefined =>
      rootOfProof(DAY_OF_ANCHOR, { ...proof, leaf: { ...proof.leaf, ...changes } }, sha256);
    expect(rootWith({})).toBe(anchor.root);
    expect(rootWith({ hash: sha256('forged') })).not.toBe(anchor.root);
    expect(rootWith({ seq: 2 })).not.toBe(anchor.root);
    expect(rootWith({ chain: trackChain(id('strategy-1')) })).not.toBe(anchor.root);
    expect(rootOfProof('2026-11-21', proof, sha256)).not.toBe(anchor.root);
  });

  it('has no proof of a chain that it does not know', () => {
    const { anchor, parts } = anchored(leavesOf(3));
    expect(proofOf(anchor, 0, parts[0] ?? [], 'track:unknown', sha256)).toBeUndefined();
  });
});

describe('the days to anchor', () => {
  const since = Date.parse('2026-11-01T15:00:00Z');
  const midnight = Date.parse('2026-11-23T00:00:00Z');

  it.each<[string, number, string | undefined, string[]]>([
    ['yesterday, ten minutes after its end', midnight + 10 * MINUTE, '2026-11-21', ['2026-11-22']],
    ['not before', midnight + 10 * MINUTE - SECOND, '2026-11-21', []],
    ['none twice', midnight + 10 * MINUTE, '2026-11-22', []],
    [
      'after a stop, all that can still be in time',
      midnight + 5 * HOUR,
      '2026-11-10',
      ['2026-11-21', '2026-11-22'],
    ],
    ['with none before, the same', midnight + HOUR, undefined, ['2026-11-21', '2026-11-22']],
    ['none when today has one already', midnight + HOUR, '2026-11-23', []],
  ])('are: %s', (_, now, last, days) => {
    expect(daysToAnchor(now, since, last)).toEqual(days);
  });

  it('begin with the first day of the service', () => {
    const now = midnight + HOUR;
    expect(daysToAnchor(now, midnight - HOUR, undefined)).toEqual(['2026-11-22']);
    expect(daysToAnchor(now, midnight + MINUTE, undefined)).toEqual([]);
  });
});

describe('a stamp', () => {
  it('is late more than 48 hours after the end of its day', () => {
    const end = Date.parse('2026-11-23T00:00:00Z');
    expect(isLate('2026-11-22', end + 48 * HOUR)).toBe(false);
    expect(isLate('2026-11-22', end + 48 * HOUR + 1)).toBe(true);
  });
});
