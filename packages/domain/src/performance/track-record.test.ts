import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decimal } from '../numbers/decimal.js';
import { id } from '../ids.js';
import { FIRST_HASH } from '../hash-chain.js';
import { valueBody } from './track-bodies.js';
import { type TrackEntry, nextEntry, verifyTrack } from './track-record.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const recordOf = (values: readonly string[]): TrackEntry[] => {
  const entries: TrackEntry[] = [];
  for (const [day, value] of values.entries()) {
    const body = valueBody(decimal(value));
    const event = { strategyId: id<'strategy'>('s'), kind: 'value', at: day, body } as const;
    entries.push(nextEntry(entries.at(-1), event, sha256));
  }
  return entries;
};

const record = recordOf(['1', '1.1', '0.9', '1.3']);
const head = record.at(-1)?.hash ?? '';

const changed = (index: number, change: Partial<TrackEntry>): TrackEntry[] =>
  record.map((entry, at) => (at === index ? { ...entry, ...change } : entry));

/** The entry rewritten together with its own hash, as a forger would. */
const forged = (index: number, body: string): TrackEntry[] => {
  const entry = { ...(record[index] as TrackEntry), body };
  const { hash } = nextEntry(record[index - 1], entry, sha256);
  return changed(index, { body, hash });
};

describe('a track record', () => {
  it('is intact as it was made, and names its head', () => {
    expect(verifyTrack(record, sha256)).toEqual({ intact: true, entries: 4, head });
    expect(verifyTrack([], sha256)).toEqual({ intact: true, entries: 0, head: FIRST_HASH });
  });

  it('begins after 64 zeros and counts from 1', () => {
    expect(record[0]).toMatchObject({ seq: 1, previousHash: FIRST_HASH });
  });

  it.each<[string, TrackEntry[], number]>([
    ['a changed value', changed(1, { body: valueBody(decimal('5')) }), 2],
    ['a changed time', changed(2, { at: 99 }), 3],
    ['a forged entry with its own hash', forged(1, valueBody(decimal('5'))), 3],
    ['an entry left out', record.filter((_, index) => index !== 1), 3],
    ['entries swapped', [record[1], record[0], record[2], record[3]] as TrackEntry[], 2],
    ['another strategy', changed(3, { strategyId: id('other') }), 4],
  ])('shows %s', (_, tampered, seq) => {
    expect(verifyTrack(tampered, sha256)).toMatchObject({ intact: false, seq });
  });

  it('shows a rewritten record to the holder of an earlier head', () => {
    const rewritten = recordOf(['1', '1.2', '1.4', '1.6']);
    expect(verifyTrack(rewritten, sha256)).toMatchObject({ intact: true });
    expect(verifyTrack(rewritten, sha256, record[1]?.hash)).toMatchObject({ intact: false });
    expect(verifyTrack(record, sha256, record[1]?.hash)).toMatchObject({ intact: true, head });
  });

  it('shows a missing end to the holder of its head', () => {
    expect(verifyTrack(record.slice(0, 3), sha256, head)).toMatchObject({ intact: false });
  });
});
