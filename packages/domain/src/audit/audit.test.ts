import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type AuditEntry, type AuditEvent, nextAuditEntry, verifyAudit } from './audit.js';
import { id } from '../ids.js';
import { CHAIN_BEGINNING, FIRST_HASH } from '../hash-chain.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const anEvent = (changes: Partial<AuditEvent> = {}): AuditEvent => ({
  at: 1,
  actor: 'user-1',
  tokenId: id('token-1'),
  ip: '192.0.2.1',
  action: 'newOrder',
  objects: ['strategy:s', 'order:o'],
  outcome: 'ok',
  code: null,
  requestId: 'request-1',
  ...changes,
});

const logOf = (...actions: readonly string[]): AuditEntry[] => {
  const entries: AuditEntry[] = [];
  for (const action of actions)
    entries.push(nextAuditEntry(entries.at(-1), anEvent({ action }), sha256));
  return entries;
};

const log = logOf('newUser', 'newStrategy', 'newOrder', 'deleteOrder');
const last = log.at(-1) as AuditEntry;

const changed = (index: number, change: Partial<AuditEntry>): AuditEntry[] =>
  log.map((entry, at) => (at === index ? { ...entry, ...change } : entry));

/** The entry rewritten together with its own hash, as a forger would. */
const forged = (index: number, change: Partial<AuditEvent>): AuditEntry[] =>
  changed(
    index,
    nextAuditEntry(log[index - 1], { ...(log[index] as AuditEntry), ...change }, sha256),
  );

describe('the audit log', () => {
  it('begins after 64 zeros and counts from 1', () => {
    expect(log[0]).toMatchObject({ seq: 1, prevHash: FIRST_HASH });
    expect(log[1]).toMatchObject({ seq: 2, prevHash: log[0]?.hash });
  });

  it('is intact as it was made, and names its head', () => {
    expect(verifyAudit(CHAIN_BEGINNING, log, sha256)).toEqual({
      intact: true,
      head: { seq: 4, hash: last.hash },
    });
  });

  it('can be checked in parts, each from the head of the one before', () => {
    const first = verifyAudit(CHAIN_BEGINNING, log.slice(0, 2), sha256);
    if (!first.intact) throw new Error(first.reason);
    expect(verifyAudit(first.head, log.slice(2), sha256)).toMatchObject({ intact: true });
    expect(verifyAudit(first.head, log.slice(3), sha256)).toMatchObject({ intact: false, seq: 3 });
  });

  it.each<[string, Partial<AuditEntry>]>([
    ['time', { at: 2 }],
    ['actor', { actor: 'user-2' }],
    ['token', { tokenId: null }],
    ['address', { ip: null }],
    ['action', { action: 'newPost' }],
    ['objects', { objects: ['strategy:s order:o'] }],
    ['outcome', { outcome: 'refused' }],
    ['code', { code: 'not_owner' }],
    ['request', { requestId: null }],
  ])('shows a changed %s', (_, change) => {
    expect(verifyAudit(CHAIN_BEGINNING, changed(1, change), sha256)).toMatchObject({
      intact: false,
      seq: 2,
    });
  });

  it.each<[string, AuditEntry[], number]>([
    ['an entry forged with its own hash', forged(1, { actor: 'user-2' }), 3],
    ['an entry left out', log.filter((_, index) => index !== 1), 2],
    ['the beginning cut off', log.slice(1), 1],
    ['entries swapped', [log[1], log[0], log[2], log[3]] as AuditEntry[], 1],
    ['an entry of another log', [...log.slice(0, 3), ...logOf('a', 'b', 'c', 'd').slice(3)], 4],
  ])('shows %s', (_, tampered, seq) => {
    expect(verifyAudit(CHAIN_BEGINNING, tampered, sha256)).toMatchObject({ intact: false, seq });
  });
});
