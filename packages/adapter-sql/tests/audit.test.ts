import { describe, expect, it } from '@jest/globals';
import { type AuditEvent, CHAIN_BEGINNING, nextAuditEntry } from '@slipstream/domain';
import { auditPages, openSqlite } from '../src/index.js';
import { temporaryPaths } from './storage/temporary-folder.js';
import { openHandle } from '../src/storage/connection.js';

const newPath = temporaryPaths();

const anEvent = (at: number): AuditEvent => ({
  at,
  actor: 'system',
  tokenId: null,
  ip: null,
  action: 'settle',
  objects: [`strategy:${at}`],
  outcome: 'ok',
  code: null,
  requestId: null,
});

/** A storage whose log has that many entries. */
async function storageWith(entries: number) {
  const path = newPath();
  const storage = await openSqlite({ path });
  const append = (count: number): Promise<void> =>
    storage.run(async ({ audit }) => {
      let last = (await audit.last()) ?? CHAIN_BEGINNING;
      for (let more = 0; more < count; more += 1) {
        const entry = nextAuditEntry(last, anEvent(last.seq), (text) => text.slice(-64));
        await audit.save(entry);
        last = entry;
      }
    });
  await append(entries);
  return { path, storage, append };
}

const seqsIn = (path: string, after: number): number[] =>
  [...auditPages(path, after)].flat().map(({ seq }) => seq);

describe('the audit log in the database', () => {
  it.each([
    ['changed', `UPDATE audit_entries SET actor = 'nobody' WHERE seq = 2`],
    ['removed', 'DELETE FROM audit_entries WHERE seq = 3'],
    [
      'replaced',
      `INSERT OR REPLACE INTO audit_entries
       SELECT seq, at, 'nobody', token_id, ip, action, objects, outcome, code, request_id, prev_hash, hash
       FROM audit_entries WHERE seq = 2`,
    ],
  ])('has no entry that can be %s', async (_, sql) => {
    const { path, storage } = await storageWith(3);
    await storage.close();
    const handle = openHandle(path);
    expect(() => handle.exec(sql)).toThrow('audit entries');
    handle.close();
    expect(seqsIn(path, 0)).toEqual([1, 2, 3]);
  });

  it('is read beside the process that writes it, including later commits', async () => {
    const { path, storage, append } = await storageWith(2);
    expect(seqsIn(path, 0)).toEqual([1, 2]);
    await append(1);
    expect(seqsIn(path, 1)).toEqual([2, 3]);
    await storage.close();
  });

  it.each([
    [
      'was changed so that it cannot be read',
      2,
      `UPDATE audit_entries SET objects = '[' WHERE seq = 2`,
    ],
    [
      'was inserted before the first one',
      -1,
      `INSERT INTO audit_entries
       SELECT -1, at, actor, token_id, ip, action, objects, outcome, code, request_id, prev_hash, hash
       FROM audit_entries WHERE seq = 1`,
    ],
  ])('names an entry whose row %s', async (_, seq, sql) => {
    const { path, storage } = await storageWith(3);
    await storage.close();
    const handle = openHandle(path);
    handle.exec('DROP TRIGGER audit_entries_stay; DROP TRIGGER audit_entries_follow');
    handle.exec(sql);
    handle.close();
    expect(() => seqsIn(path, 0)).toThrow(expect.objectContaining({ seq }));
  });

  it('is read page by page', async () => {
    const { path, storage } = await storageWith(2_100);
    const pages = [...auditPages(path, 50)].map((page) => page.length);
    expect(pages).toEqual([1_000, 1_000, 50]);
    await storage.close();
  });

  it('continues in every transaction of a group, also when one of them is rolled back', async () => {
    const { path, storage } = await storageWith(1);
    const work = (name: string, fails = false): Promise<void> =>
      storage.run(async ({ audit, brokerAccounts }) => {
        await brokerAccounts.save(name, '{}');
        const last = await audit.last();
        await audit.save(nextAuditEntry(last, anEvent(0), (text) => text.slice(-64)));
        if (fails) throw new Error(`${name} fails`);
      });
    await Promise.allSettled([work('a'), work('b', true), work('c')]);
    expect(seqsIn(path, 0)).toEqual([1, 2, 3]);
    await storage.close();
  });
});
