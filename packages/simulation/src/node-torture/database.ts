import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { LEDGER, type Ledger } from '../torture/ledger.js';

const SUPERVISOR = fileURLToPath(
  new URL('../../../../scripts/test-database/supervisor.mjs', import.meta.url),
);

/** Counts and times are whole numbers here. */
const NUMBERS: ReadonlySet<number> = new Set<number>([
  pg.types.builtins.INT8,
  pg.types.builtins.INT4,
]);
const types = {
  getTypeParser: (oid: number) => (kept: string) => (NUMBERS.has(oid) ? Number(kept) : kept),
};

/** A PostgreSQL of its own. */
export interface Database {
  readonly url: string;
  /** Where it listens: a file of the file system. */
  readonly socket: string;
  /** The rows of a statement, as soon as somebody answers. */
  rows<Row extends object>(sql: string, ...parameters: readonly unknown[]): Promise<Row[]>;
  /** The rows of the ledger at one moment. */
  ledger(): Promise<Ledger>;
  /** Kills its first process, as a crash would; resolves when that is gone. */
  kill(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  end(): Promise<void>;
}

/** Starts an empty one, which syncs each commit unless told. Its files are gone at its end, and at that of this process. */
export async function openDatabase(fsync: 'on' | 'off' = 'on'): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'slipstream-pg-'));
  const supervisor = spawn(process.execPath, [SUPERVISOR, folder, fsync], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, TEST_DATABASE_URL: '' },
  });
  const ask = join(folder, 'ask');

  /** What the supervisor says, as soon as it listens. */
  const said = async (): Promise<string> => {
    for (;;) {
      try {
        return await text(connect(ask));
      } catch (error) {
        if (supervisor.exitCode !== null) throw error;
        await wait(20);
      }
    }
  };

  const start = async (): Promise<string> => {
    const answer = JSON.parse(await said()) as { url?: string; error?: string };
    if (answer.url === undefined) throw new Error(`no PostgreSQL: ${answer.error}`);
    return answer.url;
  };
  const url = await start();
  let client: Promise<pg.Client> | undefined;

  const opened = async (): Promise<pg.Client> => {
    const made = new pg.Client({ connectionString: url, application_name: 'torture', types });
    made.on('error', () => (client = undefined));
    await made.connect();
    return made;
  };

  /** Repeats the reads until they are answered: the database may be down. */
  const read = async <Answer>(work: (client: pg.Client) => Promise<Answer>): Promise<Answer> => {
    for (;;) {
      try {
        return await work(await (client ??= opened()));
      } catch (error) {
        // A mistake of ours, not of the connection.
        if (/^(22|42)/.test(String((error as { code?: string }).code))) throw error;
        client = undefined;
        await wait(20);
      }
    }
  };

  return {
    url,
    socket: join(folder, 'run/.s.PGSQL.5432'),
    rows: <Row extends object>(sql: string, ...parameters: readonly unknown[]) =>
      read(async (used) => (await used.query<Row>(sql, [...parameters])).rows),
    ledger: () =>
      read(async (used) => {
        await used.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        const rows: [string, unknown[]][] = [];
        for (const [name, sql] of Object.entries(LEDGER))
          rows.push([name, (await used.query(sql)).rows]);
        await used.query('COMMIT');
        return Object.fromEntries(rows) as unknown as Ledger;
      }),
    async kill() {
      const [first = ''] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(first), 'SIGKILL');
      while (isThere(Number(first))) await wait(5);
      client = undefined;
    },
    start: async () => void (await start()),
    async end() {
      await (await client)?.end().catch(() => undefined);
      const gone = once(supervisor, 'exit');
      supervisor.stdin.end();
      await gone;
    },
  };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
