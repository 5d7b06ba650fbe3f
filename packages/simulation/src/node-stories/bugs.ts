import type { Client } from '@slipstream/adapter-sql/testing';

type Query = Parameters<Client['query']>[0];
type Result = Awaited<ReturnType<Client['query']>>;

/** What a process does otherwise. */
export interface Bug {
  /** The connections of a process that makes it. */
  readonly client?: ((client: Client) => Client) | undefined;
  /** How long a process answers, if not while it owns the database for certain. */
  readonly serves?: 'while no other one is known' | 'for its lease' | undefined;
}

/** A connection on which some statements are others. */
const through =
  (query: (client: Client, asked: Query) => Promise<Result>) =>
  (client: Client): Client => ({
    get isUsable() {
      return client.isUsable;
    },
    query: (asked) => query(client, asked),
    script: (sql) => client.script(sql),
    end: () => client.end(),
    destroy: () => client.destroy(),
  });

const FENCE = /^SELECT 1 FROM (nodes|shards) WHERE .* FOR (KEY )?SHARE$/;
const NOTHING: Result = { rows: [], count: 1, command: 'SELECT' };

/** The same statement in other words. */
const reworded =
  (matches: RegExp, words: (sql: string) => string) =>
  (client: Client, asked: Query): Promise<Result> =>
    client.query(matches.test(asked.sql) ? { ...asked, sql: words(asked.sql) } : asked);

function journalApart(): (client: Client, asked: Query) => Promise<Result> {
  const held = new WeakMap<Client, Query>();
  return async (client, asked) => {
    if (asked.sql.startsWith('INSERT INTO journal')) {
      held.set(client, asked);
      return NOTHING;
    }
    const result = await client.query(asked);
    const row = asked.sql === 'COMMIT' ? held.get(client) : undefined;
    held.delete(client);
    if (row) await client.query(row);
    return result;
  };
}

/** Deliberate mistakes, which stories must find. Every process of a story makes the same one. */
export const BUGS = {
  no_fence: {
    says: 'a transaction does not look whether its process owns the database',
    client: through((client, asked) =>
      FENCE.test(asked.sql) ? Promise.resolve(NOTHING) : client.query(asked),
    ),
  },
  fence_without_lock: {
    says: 'a transaction looks, but another process may take the database meanwhile',
    client: through(reworded(FENCE, (sql) => sql.replace(/ FOR (KEY )?SHARE$/, ''))),
  },
  fence_without_check: {
    says: 'a transaction looks, and goes on whatever it finds',
    client: through(async (client, asked) => {
      const result = await client.query(asked);
      return FENCE.test(asked.sql) ? { ...result, count: 1 } : result;
    }),
  },
  journal_apart: {
    says: 'the row of the journal is written after the commit that it tells of',
    client: through(journalApart()),
  },
  looks_without_lock: {
    says: 'whoever lost the answer to a commit looks for it while the old session may still make it',
    client: through(
      reworded(/^SELECT id FROM shards WHERE node = \? FOR UPDATE$/, (sql) =>
        sql.replace(' FOR UPDATE', ''),
      ),
    ),
  },
  answers_early: {
    says: 'a work is answered before its commit',
    client: through(async (client, asked) => {
      if (asked.sql !== 'COMMIT') return client.query(asked);
      client.query(asked).catch(() => undefined);
      return { ...NOTHING, command: 'COMMIT' };
    }),
  },
  asks_early: {
    says: 'another process asks what was done before the one that had the request has ended',
    client: through(async (client, asked) => {
      const result = await client.query(asked);
      if (!asked.sql.includes('FROM nodes WHERE id = ?) AS nodes')) return result;
      return { ...result, rows: result.rows.map((row) => ({ ...(row as object), nodes: 0 })) };
    }),
  },
  ends_by_old_list: {
    says: 'a process is ended because it was silent a moment ago, though it is not any more',
    client: through((client, asked) => {
      const [node] = asked.parameters;
      if (!asked.sql.startsWith('WITH silent AS')) return client.query(asked);
      return client.query({ sql: 'DELETE FROM nodes WHERE id = ?', parameters: [node] });
    }),
  },
  trusts_database: {
    says: 'a process that connects anew does not look whether the database has its newest commit',
    client: through(async (client, asked) => {
      const result = await client.query(asked);
      if (!asked.sql.includes('AS newest FROM journal')) return result;
      return { ...result, rows: [{ newest: Number.MAX_SAFE_INTEGER }] };
    }),
  },
  forgets_lease: {
    says: 'a process answers from memory after its lease',
    serves: 'while no other one is known',
  },
  trusts_lease: {
    says: 'a process answers from memory for its lease, though one without connections is ended sooner',
    serves: 'for its lease',
  },
  tells_shorter_read_lease: {
    says: 'a process answers from memory for longer than it told the others',
    client: through((client, asked) => {
      if (!asked.sql.startsWith('UPDATE heartbeats')) return client.query(asked);
      return client.query({ ...asked, parameters: [500, ...asked.parameters.slice(1)] });
    }),
  },
} satisfies Readonly<Record<string, Bug & { readonly says: string }>>;

export type BugName = keyof typeof BUGS;
