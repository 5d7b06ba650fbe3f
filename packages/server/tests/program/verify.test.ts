import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256Fingerprints } from '@slipstream/adapter-crypto';
import { id, nextEntry } from '@slipstream/domain';
import { type TimestampStandIn, timestampAuthority } from '@slipstream/stand-ins';
import type { ResponseOf } from '@slipstream/wire';
import {
  type ComposedServer,
  IN_SESSION,
  OPERATOR_TOKEN,
  composedServer,
} from '../helpers/composed-server.js';
import { runCommand } from '../helpers/run-command.js';

const AAPL = 'AAPL:NASDAQ';
const DAY = 86_400_000;
const MINUTE = 60_000;
/** The first day of the record, and those that follow. */
const [FIRST, SECOND, THIRD] = ['2026-03-04', '2026-03-05', '2026-03-06'];

type RecordFile = ResponseOf<'getTrackRecord'>;
type Anchor = NonNullable<RecordFile['proof']>['anchors'][number];
type Entries = RecordFile['entries'];

/** An entry that follows `last` as if it were of the second day. */
function follower(last: Entries[number] | undefined, strategy: string): Entries[number] {
  const at = Date.parse(SECOND);
  const event = { strategyId: id<'strategy'>(strategy), at, kind: 'value' as const, body: '{}' };
  const entry = nextEntry(last, event, sha256Fingerprints().sha256);
  const { seq, kind, body, previousHash, hash } = entry;
  return {
    ...{ seq, kind, body, hash },
    at: new Date(at).toISOString(),
    previous_hash: previousHash,
  };
}

describe('verify', () => {
  let server: ComposedServer;
  let authority: TimestampStandIn;
  let listening: { readonly url: string; close(): Promise<void> };
  let token: string;
  let strategy_id: string;
  let record: RecordFile;
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-verify-'));
  const path = (name: string): string => join(folder, name);
  const write = (name: string, content: unknown): string => {
    writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content));
    return path(name);
  };
  const run = (...args: string[]) =>
    runCommand(args, { SLIPSTREAM_URL: server.url, SLIPSTREAM_TOKEN: token });
  const verify = (file: string, ...flags: string[]) => run('verify', path(file), ...flags);
  const work = async () => {
    await server.application.background.tick();
    await server.application.background.makeAnchors();
  };
  const endDay = async () => {
    await work();
    const now = server.clock.now();
    server.clock.advance(Math.floor(now / DAY) * DAY + DAY + 10 * MINUTE - now);
    await work();
  };
  const trade = async (percent: string) => {
    await server.quotes({ [AAPL]: [200, 200.1] });
    const allocations = [{ stock_id: AAPL, percent }];
    await server.ask('newOrderAllocations', { strategy_id, allocations }, token);
  };
  /** The record with one anchor changed. */
  const withAnchor = (day: string, change: (anchor: Anchor) => object): unknown => ({
    ...record,
    proof: {
      ...record.proof,
      anchors: (record.proof?.anchors ?? []).map((anchor) =>
        anchor.day === day ? { ...anchor, ...change(anchor) } : anchor,
      ),
    },
  });

  beforeAll(async () => {
    let now = (): number => IN_SESSION;
    authority = await timestampAuthority({ now: () => now() });
    const other = await timestampAuthority({ now: () => IN_SESSION });
    listening = await authority.listen();
    server = await composedServer({
      environment: { TIMESTAMP_URL: listening.url, TRADING_HOURS: 'always' },
    });
    now = () => server.clock.now();
    token = await server.user('ada');
    ({ strategy_id } = await server.ask('newStrategy', { type: 'stock', name: 'Proven' }, token));
    for (const percent of ['0.5', '0.4', '0.3']) {
      await trade(percent);
      await endDay();
      const kept = await run(
        ...['anchor', '--token', OPERATOR_TOKEN, '--day'],
        new Date(server.clock.now() - DAY).toISOString().slice(0, 10),
        ...['--out', path(`anchor-${percent}.json`)],
      );
      expect(kept).toMatchObject({ code: 0, out: expect.stringContaining('STAMPED') });
    }
    expect((await run('track', strategy_id, path('record.json'))).code).toBe(0);
    record = JSON.parse(readFileSync(path('record.json'), 'utf8')) as RecordFile;
    const seen = await runCommand(['track', strategy_id, path('seen.json')], {
      SLIPSTREAM_URL: server.url,
    });
    expect(seen).toMatchObject({ code: 0 });
    write('ca.pem', authority.ca);
    write('other.pem', other.ca);
  });
  afterAll(async () => {
    await server.close();
    await listening.close();
    rmSync(folder, { recursive: true });
  });

  it('says what a record alone does not prove', async () => {
    const { out, code } = await verify('record.json');
    expect(code).toBe(0);
    expect(out).toMatch(/^The record is intact: 6 entries/);
    expect(out).toContain('It was not checked against anchors');
  });

  it('claims nothing of quotes that fills do not name: those of earlier versions, which are the first ones of a record that goes on', async () => {
    const kept = join(import.meta.dirname, '../storage/older-database/answers.json');
    const { reads } = JSON.parse(readFileSync(kept, 'utf8')) as {
      readonly reads: readonly { readonly name: string; readonly response: RecordFile }[];
    };
    const older = reads.find(({ name }) => name === 'getTrackRecord')?.response;
    const fills = older?.entries.filter(({ kind }) => kind === 'trade').length;
    expect(fills).toBeGreaterThan(2);
    write('older.json', older);
    const { out, code } = await verify('older.json');
    expect(code).toBe(0);
    expect(out).toContain(`${fills} of its ${fills} fills name no quote`);
    expect(out).not.toContain('at quotes that they could have met');
    expect((await verify('record.json')).out).toMatch(
      /Its \d+ fills are .* at quotes that they could have met/,
    );
  });

  it('proves by the authority when the entries existed', async () => {
    const { out, complaints, code } = await verify('record.json', '--ca', path('ca.pem'));
    expect([code, complaints]).toEqual([0, '']);
    expect(out).toContain('3 anchors of 2026-03-04 to 2026-03-06 hold; they have 6 of 6 entries.');
    expect(out).toContain('Entries 1 to 6 existed at 2026-03-07T00:10:00.000Z');
    expect(out).toContain('an authority of your --ca');
  });

  it('proves by kept anchors, and says that their authority was not checked', async () => {
    const kept = ['0.5', '0.4', '0.3'].map((name) => path(`anchor-${name}.json`));
    const { out, code } = await verify('record.json', '--anchors', ...kept);
    expect(code).toBe(0);
    expect(out).toContain('an authority that was not checked: give its certificate by --ca');
  });

  it('proves by anchors alone, without those of the record', async () => {
    const { proof: _, ...bare } = record;
    write('bare.json', bare);
    const kept = ['0.5', '0.4', '0.3'].map((name) => path(`anchor-${name}.json`));
    const { complaints, code } = await verify('bare.json', '--anchors', ...kept);
    expect([code, complaints]).toEqual([0, '']);
  });

  it('proves to a stranger the hashes that the owner later shows', async () => {
    expect(readFileSync(path('seen.json'), 'utf8')).not.toContain('strategy_value');
    const hashes = await verify('seen.json', '--ca', path('ca.pem'));
    expect(hashes).toMatchObject({ code: 0, out: expect.stringContaining('hashes only') });
    const shown = await verify('record.json', '--anchors', path('seen.json'));
    expect(shown.code).toBe(0);
  });

  it.each<[string, () => unknown, string]>([
    [
      'a changed entry',
      () => ({
        ...record,
        entries: record.entries.map((entry) =>
          entry.seq === 2 ? { ...entry, body: entry.body?.replace('1', '2') } : entry,
        ),
      }),
      'The record is NOT intact at entry 2',
    ],
    [
      'a changed entry, also where another one has its hash only',
      () => ({
        ...record,
        entries: record.entries.map((entry) =>
          entry.seq === 2 ? { ...entry, body: '{}' } : { ...entry, body: null },
        ),
      }),
      'The record is NOT intact at entry 2',
    ],
    [
      'an entry left out',
      () => ({ ...record, entries: record.entries.filter(({ seq }) => seq !== 3) }),
      'The record is NOT intact at entry 4',
    ],
    [
      'a missing end',
      () => ({ ...record, entries: record.entries.slice(0, 4) }),
      `The anchor of ${THIRD} does NOT hold: it has 6 entries of this record, which has 4 only`,
    ],
    [
      'a swapped path',
      () =>
        withAnchor(SECOND, () => ({
          path: record.proof?.anchors.find(({ day }) => day === FIRST)?.path,
        })),
      `The anchor of ${SECOND} does NOT hold: its path does not lead to its root`,
    ],
    [
      'the head of another day',
      () => withAnchor(SECOND, ({ leaf }) => ({ leaf: { ...leaf, seq: leaf.seq - 1 } })),
      `The anchor of ${SECOND} does NOT hold: its path does not lead to its root`,
    ],
    [
      'an anchor of another name',
      () => withAnchor(SECOND, () => ({ day: '2026-03-03' })),
      'The anchor of 2026-03-03 does NOT hold',
    ],
    [
      'the stamp of another day',
      () =>
        withAnchor(SECOND, () => ({
          stamp: record.proof?.anchors.find(({ day }) => day === FIRST)?.stamp,
        })),
      `The anchor of ${SECOND} does NOT hold: its stamp proves nothing: it is of something else`,
    ],
    [
      'another nonce',
      () => withAnchor(SECOND, ({ stamp }) => ({ stamp: { ...stamp, nonce: '41' } })),
      'it answers another request (its nonce differs)',
    ],
  ])('refuses %s', async (_, forged, fault) => {
    write('forged.json', forged());
    const { complaints, code } = await verify('forged.json', '--ca', path('ca.pem'));
    expect(code).toBe(1);
    expect(complaints).toContain(fault);
  });

  it.each([
    ['kind', 'gift'],
    ['hash', ''],
    ['previous_hash', '0'],
    ['at', 'yesterday'],
  ])('names an entry whose %s is none at all', async (field, value) => {
    const entries = record.entries.map((entry) =>
      entry.seq === 2 ? { ...entry, [field]: value } : entry,
    );
    write('unreadable.json', { ...record, entries });
    const { complaints, code } = await verify('unreadable.json');
    expect([code, complaints]).toEqual([
      1,
      `${path('unreadable.json')} is NOT intact at entry 2: its ${field} is none that an entry can have\n`,
    ]);
  });

  it.each<[string, (entries: Entries) => object]>([
    [
      'at the end of the record',
      (entries) => ({ entries: [...entries, follower(entries.at(-1), strategy_id)] }),
    ],
    [
      'in a record that the anchors do not have',
      () => ({ strategy_id: 'made-up', entries: [follower(undefined, 'made-up')] }),
    ],
  ])('refuses an entry of an earlier day, made later, %s', async (_, forged) => {
    const { proof: __, ...bare } = record;
    write('backdated.json', { ...bare, ...forged(record.entries), proof: undefined });
    const kept = ['0.5', '0.4', '0.3'].map((name) => path(`anchor-${name}.json`));
    const { complaints, code } = await verify('backdated.json', '--anchors', ...kept);
    expect(code).toBe(1);
    expect(complaints).toContain(
      `The day ${SECOND} has entries that are in no anchor, not even in that of ${THIRD}`,
    );
  });

  it('refuses the certificate of another authority', async () => {
    const { complaints, code } = await verify('record.json', '--ca', path('other.pem'));
    expect(code).toBe(1);
    expect(complaints).toContain(`The anchor of ${FIRST} does NOT hold: its stamp proves nothing`);
  });

  it('refuses a record whose anchor is not the kept one', async () => {
    const kept = JSON.parse(readFileSync(path('anchor-0.4.json'), 'utf8')) as object;
    const { leaves: __, ...anchor } = kept as { leaves: unknown; root: string; day: string };
    const seen = { ...record, proof: { head: null, anchors: [] as unknown[] } };
    const own = record.proof?.anchors.find(({ day }) => day === anchor.day);
    seen.proof.anchors.push({ ...own, root: 'a'.repeat(64) });
    write('kept.json', seen);
    const { complaints, code } = await verify('record.json', '--anchors', path('kept.json'));
    expect(code).toBe(1);
    expect(complaints).toContain(`The anchor of ${SECOND} is NOT the one that was kept`);
  });

  it('refuses a kept anchor whose leaves were changed', async () => {
    const kept = readFileSync(path('anchor-0.4.json'), 'utf8');
    write('changed.json', kept.replace('"seq": 4', '"seq": 5'));
    const { complaints, code } = await verify('record.json', '--anchors', path('changed.json'));
    expect(code).toBe(1);
    expect(complaints).toContain('is not that of its leaves');
  });

  it('refuses a day without an anchor, unless it is allowed', async () => {
    const anchors = record.proof?.anchors.filter(({ day }) => day !== SECOND);
    write('gap.json', { ...record, proof: { head: null, anchors } });
    const gap = await verify('gap.json', '--ca', path('ca.pem'));
    expect(gap.code).toBe(1);
    expect(gap.complaints).toContain(
      `The day ${SECOND} has no anchor; the next one is of ${THIRD}. --allow-late ${SECOND} allows it.`,
    );
    const allowed = await verify('gap.json', '--ca', path('ca.pem'), '--allow-late', SECOND);
    expect(allowed).toMatchObject({ code: 0, out: expect.stringContaining('--allow-late allows') });
    const range = ['--allow-late', `${FIRST}..${THIRD}`];
    expect((await verify('gap.json', '--ca', path('ca.pem'), ...range)).code).toBe(0);
    const wrong = await verify('gap.json', '--ca', path('ca.pem'), '--allow-late', 'yesterday');
    expect(wrong.complaints).toContain('yesterday is no day like 2026-01-31');
    const alone = await verify('record.json', '--allow-late', '2026-02-31');
    expect(alone).toMatchObject({ code: 1, complaints: expect.stringContaining('is no day like') });
  });

  it('refuses a stamp more than 48 hours after the end of its day, unless it is allowed', async () => {
    authority.fail(...Array.from({ length: 20 }, () => 'unavailable' as const));
    await trade('0.2');
    await endDay();
    expect((await run('track', strategy_id, path('young.json'))).code).toBe(0);
    const young = await verify('young.json', '--ca', path('ca.pem'));
    expect(young).toMatchObject({ code: 0 });
    expect(young.out).toContain('1 anchors are untimestamped and came with the record');
    authority.fail();
    server.clock.advance(2 * DAY);
    await work();
    expect((await run('track', strategy_id, path('late.json'))).code).toBe(0);
    const flags = ['--ca', path('ca.pem')];
    for (let more = 0; more < 4; more += 1) await work();
    expect((await run('track', strategy_id, path('late.json'))).code).toBe(0);
    const late = await verify('late.json', ...flags);
    expect(late.code).toBe(1);
    expect(late.complaints).toContain('The day 2026-03-07 was stamped too late, at 2026-03-10');
    expect(late.complaints).toContain('--allow-late 2026-03-07 allows it');
    const days = ['--allow-late', '2026-03-07..2026-03-09'];
    expect(await verify('late.json', ...flags, ...days)).toMatchObject({ code: 0 });
  });

  it.each<[string, string, string]>([
    ['a certificate', 'ca.pem', 'is not JSON'],
    ['another file', 'other.json', 'is neither an anchor nor a record with anchors'],
  ])('takes %s for no anchor', async (_, name, reason) => {
    write('other.json', { hello: 'you' });
    const { complaints, code } = await verify('record.json', '--anchors', path(name));
    expect(code).toBe(1);
    expect(complaints).toContain(reason);
  });

  it.each([
    ['no JSON', 'hello', 'is not JSON'],
    ['JSON of something else', '{"hello":"you"}', 'is not a track record'],
  ])('refuses a file that is %s as that', async (_, text, reason) => {
    write('else.json', text);
    expect((await verify('else.json')).complaints).toBe(`${path('else.json')} ${reason}\n`);
  });

  it('explains itself', async () => {
    const { out } = await run('verify', '--help');
    for (const said of ['--anchors <files...>', '--ca <file>', '--allow-late <day>', 'exit code'])
      expect(out).toContain(said);
    expect((await run('anchor', '--help')).out).toContain('--out <file>');
  });

  it('makes anchors for the operator alone', async () => {
    const refused = await run('anchor');
    expect(refused.code).toBe(1);
    const none = await run('anchor', '--token', OPERATOR_TOKEN, '--day', '2020-01-01');
    expect(none.complaints).toContain('there is no anchor of 2020-01-01');
  });
});
