import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { sha256Fingerprints } from '@slipstream/adapter-crypto';
import { fixedClock } from '@slipstream/adapter-memory/testing';
import { auditPages } from '@slipstream/adapter-sql';
import { CHAIN_BEGINNING, id, verifyAudit, verifyTrack, withBodies } from '@slipstream/domain';
import type { OperationName, ResponseOf } from '@slipstream/wire';
import { type ComposedServer, composedServer, newFolder } from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';

type Recorded = ResponseOf<'getTrackRecord'>;

interface Kept {
  readonly at: number;
  readonly secretKey: string;
  readonly email: string;
  readonly password: string;
  readonly owner: string;
  readonly follower: string;
  readonly session: string;
  readonly reads: readonly {
    readonly name: OperationName;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly as: 'owner' | 'follower';
    readonly response: object;
  }[];
}

const files = join(import.meta.dirname, 'older-database');
const kept = JSON.parse(readFileSync(join(files, 'answers.json'), 'utf8')) as Kept;
const responseOf = (name: OperationName): unknown =>
  kept.reads.find((read) => read.name === name)?.response;

/**
 * The history has had a first and a last point more since (contract 7b.8). The record goes on in a new segment, because nobody
 * knows the prices of the time before (contract 8): its entries and the timeframes have tests of their own.
 */
const reads = kept.reads.filter(
  ({ name }) => name !== 'getStrategyHistory' && name !== 'getTrackRecord',
);

/** The answer without the figures of timeframes. */
const untimed = (response: object): object =>
  JSON.parse(
    JSON.stringify(response, (key, value: unknown) => (key === 'timeframes' ? undefined : value)),
  ) as object;

/** No order meets a quote from before the start, so each waits for a new one (contract 7). */
const afterStart = (response: object): object =>
  JSON.parse(
    JSON.stringify(response).replaceAll('"waiting_reason":"price"', '"waiting_reason":"quote"'),
  ) as object;

const it = itOne('its database is an SQLite file');

describe('a database of an earlier version', () => {
  const folder = newFolder();
  const file = join(folder, 'slipstream.db');
  let server: ComposedServer;
  beforeAll(async () => {
    writeFileSync(file, gunzipSync(readFileSync(join(files, 'slipstream.db.gz'))));
    server = await composedServer({
      storage: 'sqlite',
      folder,
      clock: fixedClock(kept.at),
      environment: { SECRET_KEY: kept.secretKey },
    });
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(
    reads.map(
      (read) => [`${read.name} ${JSON.stringify(read.fields)} of the ${read.as}`, read] as const,
    ),
  )('answers as before: %s', async (_, { name, fields, as, response }) => {
    const answered = await server.attempt(name, fields, kept[as]);
    expect(answered.body).toMatchObject({ success: true, response: untimed(afterStart(response)) });
  });

  it('keeps its record, which verifies and goes on in a segment of the present market', async () => {
    const before = responseOf('getTrackRecord') as Recorded;
    const { strategy_id } = before;
    const after = await server.ask('getTrackRecord', { strategy_id }, kept.owner);
    expect(after.entries.slice(0, before.entries.length)).toEqual(before.entries);
    expect(after.entries.at(before.entries.length)).toMatchObject({ kind: 'segment' });
    const entries = after.entries.map(({ at, previous_hash: previousHash, ...entry }) => ({
      ...entry,
      strategyId: id<'strategy'>(strategy_id),
      at: Date.parse(at),
      previousHash,
    }));
    const { sha256 } = sha256Fingerprints();
    expect(verifyTrack(withBodies(entries), sha256)).toMatchObject({ intact: true });
    const [strategy] = await server.ask('getStrategies', { strategy_id: [strategy_id] });
    expect(strategy?.segments[0]).toMatchObject({ basis: 'simulated', reason: 'created' });
    expect(strategy?.segments[0]?.end).not.toBeNull();
  });

  it('has an audit log without a gap', () => {
    let head = CHAIN_BEGINNING;
    for (const page of auditPages(file, 0)) {
      const verdict = verifyAudit(head, page, sha256Fingerprints().sha256);
      expect(verdict).toMatchObject({ intact: true });
      if (verdict.intact) head = verdict.head;
    }
    expect(head.seq).toBeGreaterThan(20);
  });

  it('lets the user sign in with the same password', async () => {
    const { email, password } = kept;
    expect(await server.ask('newSession', { email, password })).toMatchObject({
      token: expect.any(String),
    });
  });

  it('continues trading', async () => {
    const { strategy_id } = responseOf('getTrackRecord') as { strategy_id: string };
    const { version } = responseOf('getPositions') as { version: number };
    await server.quotes({ 'AAPL:NASDAQ': [211, 211.2], 'MSFT:NASDAQ': [129.9, 130] });
    await server.quotes({ 'IBM:NYSE': 256 });
    const order = { strategy_id, stock_id: 'IBM:NYSE', action: 'sell', amount: '0.0001' };
    await server.ask('newOrder', order, kept.owner);
    const after = await server.ask('getPositions', { strategy_id }, kept.owner);
    expect(after.version).toBeGreaterThan(version);
  });
});
