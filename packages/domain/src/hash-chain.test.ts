import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type AuditEntry, type AuditEvent, nextAuditEntry, verifyAudit } from './audit/audit.js';
import { CHAIN_BEGINNING } from './hash-chain.js';
import { id } from './ids.js';
import { decimal } from './numbers/decimal.js';
import { valueBody } from './performance/track-bodies.js';
import { type TrackEntry, nextEntry, verifyTrack } from './performance/track-record.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Stored chains must stay valid forever: these are the hashes of entries as first written. */
describe('the chains that are stored', () => {
  it('hash the entries of an audit log as before', () => {
    const event: AuditEvent = {
      at: 1_700_000_000_000,
      actor: 'user-1',
      tokenId: id('token-1'),
      ip: '192.0.2.1',
      action: 'newOrder',
      objects: ['strategy:s', 'order:o'],
      outcome: 'ok',
      code: null,
      requestId: 'request-1',
    };
    const many = Array.from({ length: 22 }, (_, index) => `post:${index}`);
    const events: readonly AuditEvent[] = [
      event,
      { ...event, tokenId: null, ip: null, outcome: 'denied', code: 'not_owner' },
      { ...event, objects: many, requestId: null },
    ];
    const log: AuditEntry[] = [];
    for (const one of events) log.push(nextAuditEntry(log.at(-1), one, sha256));
    expect(log.map(({ hash }) => hash)).toEqual([
      '9f61505cd45092aab00f6dad5cfffda6acd47e9fa4f8c70ae8f1c7f2dcc5438b',
      '98425c290e86b078b5ae96ce27b4d7d7031eca0cd28433515f55a2631233822d',
      'f9fba99a7595e7f5d35d468bc0fe8496e70f35f0e86e033fc5665ad08ba7aab2',
    ]);
    expect(verifyAudit(CHAIN_BEGINNING, log, sha256)).toMatchObject({ intact: true });
  });

  it('hash the entries of a track record as before', () => {
    const record: TrackEntry[] = [];
    for (const [day, value] of ['1', '1.1', '0.9'].entries()) {
      const at = 1_700_000_000_000 + day;
      const body = valueBody(decimal(value));
      const event = { strategyId: id<'strategy'>('s'), kind: 'value', at, body } as const;
      record.push(nextEntry(record.at(-1), event, sha256));
    }
    expect(record.map(({ hash }) => hash)).toEqual([
      '92d31097150542e3abaec6e04c9daf4c257f23122991fcd09f89d04bc9a5c910',
      'e413cc528f4f26241cfb9ceebfed39c227abf54043394dcde6aed409b630a51c',
      'b126cc031c6a670e2372287f3d4a0f4661a3e5542104959a453106b97d9b5be4',
    ]);
    expect(verifyTrack(record, sha256)).toMatchObject({ intact: true });
  });
});
