import { type Client, asQuery } from '../client.js';

/** A process over the database, as the database shows it. */
export interface Listed {
  readonly id: string;
  /** Where other nodes reach it; null for a server that shares the database with none. */
  readonly url: string | null;
  /** After how many milliseconds without a sign of life it counts as ended. */
  readonly lease: number;
  /** After how many it counts as ended when it has no connection either: so long it answers from memory. */
  readonly readLease: number;
  /** Milliseconds since its last sign of life, by the clock of the database. */
  readonly age: number;
  /** When that was, in microseconds since 1970 by the same clock. */
  readonly renewed: number;
  readonly connections: number;
  /** How many shards it owns: every one, or none. */
  readonly shards: number;
  /** When it began to own them, or else to wait, in milliseconds since 1970 by the clock of the database. */
  readonly since: number;
  /** 1 when the operator asked it to end, else 0. */
  readonly drained: number;
}

/** What the server calls a node's connections. */
export const sessionName = (node: string): string => `slipstream ${node}`;

/** A time as a number: as text it would depend on settings of the server. */
const renewed = (column: string): string => `(extract(epoch FROM ${column}) * 1000000)::bigint`;

/** A copy of the database may be restored beside it: sessions of that one's servers are none of this one's. */
const listed = asQuery(`
  SELECT n.id, n.url, n.lease, h.read_lease AS "readLease",
    (extract(epoch FROM clock_timestamp() - h.renewed_at) * 1000)::bigint AS age, ${renewed('h.renewed_at')} AS renewed,
    (SELECT count(*) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'slipstream ' || n.id) AS connections,
    (SELECT count(*) FROM shards s WHERE s.node = n.id) AS shards,
    (extract(epoch FROM coalesce((SELECT max(s.since) FROM shards s WHERE s.node = n.id), n.since)) * 1000)::bigint AS since,
    (h.drained_at IS NOT NULL)::int AS drained
  FROM nodes n JOIN heartbeats h ON h.node = n.id`);

/** Every process that was not ended yet. */
export const listNodes = async (client: Client): Promise<readonly Listed[]> =>
  (await client.query(listed)).rows as readonly Listed[];

export const isAlive = ({ age, lease, connections }: Listed): boolean =>
  connections > 0 && age < lease;

/**
 * Asks a node to let another one own the database, and to end; it does at its next sign of life. Not when it is not there, or when
 * no other one could own it: two operators who ask two nodes at once are told one after the other.
 */
export async function drainNode(
  client: Client,
  node: string,
): Promise<'asked' | 'unknown' | 'alone'> {
  await client.script('BEGIN; LOCK TABLE nodes IN SHARE UPDATE EXCLUSIVE MODE');
  try {
    const nodes = await listNodes(client);
    if (nodes.every(({ id }) => id !== node)) return 'unknown';
    const another = nodes.some(
      (one) => one.id !== node && one.url !== null && one.drained === 0 && isAlive(one),
    );
    if (!another) return 'alone';
    await client.query(
      asQuery('UPDATE heartbeats SET drained_at = clock_timestamp() WHERE node = ?', node),
    );
    return 'asked';
  } finally {
    await client.script('COMMIT');
  }
}

/**
 * Ends a node that was silent when it was listed, whatever it does, unless it showed a sign of life since. Afterwards none of
 * its transactions can commit, and every one that did is there. To delete its row waits for its transaction under way; to end
 * its sessions frees one that would wait for ever. Its next sign of life waits for the lock, and then has no row.
 */
export async function endNode(
  client: Client,
  { id, renewed: at }: Pick<Listed, 'id' | 'renewed'>,
): Promise<void> {
  await client.query(
    asQuery(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = ?
          AND EXISTS (SELECT 1 FROM heartbeats WHERE node = ? AND ${renewed('renewed_at')} = ?)`,
      sessionName(id),
      id,
      at,
    ),
  );
  await client.query(
    asQuery(
      `WITH silent AS (SELECT node FROM heartbeats WHERE node = ? AND ${renewed('renewed_at')} = ? FOR UPDATE)
        DELETE FROM nodes WHERE id IN (SELECT node FROM silent)`,
      id,
      at,
    ),
  );
}
