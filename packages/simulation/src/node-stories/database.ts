import { type Client, connect } from '@slipstream/adapter-sql/testing';
import { openPostgres } from '@slipstream/adapter-sql';
import { id } from '@slipstream/domain';
import { aStrategy, aUser } from '@slipstream/port-contracts/builders';
import { openDatabase } from '../node-torture/database.js';

/** The strategies that the works of a story change. */
export const STRATEGIES = ['first', 'second'] as const;

/** `clock_timestamp()` is the story's: it is found before the database's own. */
const SEARCH_PATH = 'public,virtual,pg_catalog';
/** Sessions that wait for each other are found at once, in milliseconds: no other thing happens meanwhile. */
const DEADLOCK = 1;
const CLOCK = `CREATE SCHEMA virtual;
  CREATE TABLE virtual.clock (at TIMESTAMPTZ NOT NULL);
  INSERT INTO virtual.clock VALUES ('2026-01-05 15:00Z');
  CREATE FUNCTION virtual.clock_timestamp() RETURNS TIMESTAMPTZ LANGUAGE sql VOLATILE
    AS 'SELECT at FROM virtual.clock'`;

/** What a story changes. */
const TABLES = ['nodes', 'heartbeats', 'shards', 'journal', 'audit_entries', 'posts', 'strategies'];
const REPLICATE = TABLES.map(
  (table) => `DELETE FROM virtual.${table}; INSERT INTO virtual.${table} TABLE ${table};`,
).join(' ');
const FAIL_OVER = TABLES.map(
  (table) => `DELETE FROM ${table}; INSERT INTO ${table} TABLE virtual.${table};`,
).join(' ');
const REPLICA = TABLES.map(
  (table) => `CREATE TABLE virtual.${table} AS TABLE ${table} WITH NO DATA;`,
).join(' ');

const EMPTY = `BEGIN; SET LOCAL session_replication_role = replica;
  UPDATE shards SET node = NULL, epoch = 0; DELETE FROM heartbeats; DELETE FROM nodes; DELETE FROM journal;
  DELETE FROM audit_entries; DELETE FROM posts; UPDATE strategies SET description = '0'; COMMIT`;

/** What a story leaves, as the database has it. */
export interface Kept {
  /** The works that were committed, by their ids. */
  readonly works: ReadonlySet<string>;
  /** How often each strategy was changed. */
  readonly counts: ReadonlyMap<string, number>;
  /** The numbers of the commits of each process. */
  readonly commits: ReadonlyMap<string, readonly number[]>;
}

/** A PostgreSQL for one story after the other, whose clock a story sets. */
export class StoryDatabase {
  private constructor(
    private readonly url: string,
    /** Beside the sessions of the story. */
    private readonly beside: Client,
    readonly end: () => Promise<void>,
  ) {}

  static async open(): Promise<StoryDatabase> {
    const database = await openDatabase('off');
    const first = await connect(database.url, 'stories');
    await first.script(CLOCK);
    await first.end();
    const beside = await connect(database.url, 'stories', { search_path: SEARCH_PATH });
    const storage = await openPostgres({ url: database.url });
    await storage.run(async ({ users, strategies }) => {
      await users.save(aUser({ id: id('user-1') }));
      for (const name of STRATEGIES)
        await strategies.save(aStrategy({ id: id(name), productId: name }));
    });
    await storage.close();
    await beside.script(REPLICA);
    return new StoryDatabase(database.url, beside, async () => {
      await beside.end();
      await database.end();
    });
  }

  /** As at the beginning of each story; no session of one before is left. */
  async empty(): Promise<void> {
    await this.beside.script(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'slipstream %'`,
    );
    await this.beside.script(EMPTY);
  }

  /** A session of a process. Limits of time are the story's, not the database's. */
  async connect(name: string): Promise<{ readonly session: Client; readonly pid: number }> {
    const session = await connect(this.url, name, {
      search_path: SEARCH_PATH,
      deadlock_timeout: DEADLOCK,
    });
    const [row] = await this.rows<{ pid: number }>(session, `SELECT pg_backend_pid() AS pid`);
    return { session, pid: row?.pid ?? 0 };
  }

  /** Moves the clock on. */
  async advance(milliseconds: number): Promise<void> {
    await this.beside.script(
      `UPDATE virtual.clock SET at = at + interval '${milliseconds} milliseconds'`,
    );
  }

  /** Those of the sessions that are there, and for the locks of which other sessions each waits. */
  async sessions(pids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const rows = await this.rows<{ pid: number; blockers: string }>(
      this.beside,
      `SELECT pid, array_to_string(pg_blocking_pids(pid), ',') AS blockers FROM pg_stat_activity
        WHERE pid IN (${[0, ...pids].join()})`,
    );
    return new Map(
      rows.map(({ pid, blockers }) => [pid, blockers.split(',').filter(Boolean).map(Number)]),
    );
  }

  /** Ends a session, or what it waits for. */
  async stop(pid: number, what: 'session' | 'statement'): Promise<void> {
    const how =
      what === 'session' ? `pg_terminate_backend(${pid}, 5000)` : `pg_cancel_backend(${pid})`;
    await this.beside.script(`SELECT ${how}`);
  }

  /** The processes that have not ended. */
  async nodes(): Promise<ReadonlySet<string>> {
    const rows = await this.rows<{ id: string }>(this.beside, 'SELECT id FROM nodes');
    return new Set(rows.map(({ id: node }) => node));
  }

  /** A replica gets what is committed now. */
  async replicate(): Promise<void> {
    await this.beside.script(`BEGIN ISOLATION LEVEL REPEATABLE READ; ${REPLICATE} COMMIT`);
  }

  /** The replica takes the place of the database: what was committed since is gone. No session of a story is left. */
  async failOver(): Promise<void> {
    await this.beside.script(
      `BEGIN; SET LOCAL session_replication_role = replica; ${FAIL_OVER} COMMIT`,
    );
  }

  /** Asks a process to end, as the operator does. */
  async drain(node: string): Promise<void> {
    await this.beside.script(
      `UPDATE heartbeats SET drained_at = virtual.clock_timestamp() WHERE node = '${node}'`,
    );
  }

  async kept(): Promise<Kept> {
    const works = await this.rows<{ id: string }>(
      this.beside,
      'SELECT id FROM posts UNION ALL SELECT request_id FROM audit_entries',
    );
    const counts = await this.rows<{ id: string; description: string }>(
      this.beside,
      'SELECT id, description FROM strategies',
    );
    const journal = await this.rows<{ node: string; seqs: string }>(
      this.beside,
      `SELECT node, string_agg(seq::text, ',' ORDER BY seq) AS seqs FROM journal GROUP BY node`,
    );
    return {
      works: new Set(works.map((one) => one.id)),
      counts: new Map(counts.map((one) => [one.id, Number(one.description)])),
      commits: new Map(journal.map(({ node, seqs }) => [node, seqs.split(',').map(Number)])),
    };
  }

  private async rows<Row>(client: Client, sql: string): Promise<Row[]> {
    return (await client.query({ sql, parameters: [] })).rows as Row[];
  }
}
