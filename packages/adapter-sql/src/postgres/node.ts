import { ConnectionLost } from '../storage/failures.js';
import { hostTime } from '../storage/host-time.js';
import { DatabaseInUse } from '../storage/owner-lock.js';
import { type Client, asQuery } from './client.js';

/** A process whose last sign of life is older counts as ended, in milliseconds. */
export const LEASE = 5_000;
/** Between two signs of life. */
const BEAT = 500;
/** One without a connection counts as ended when it has missed a beat. */
const MISSED = 700;
/** Between two removals of old rows of the journal. */
const TRIM = 60_000;

/** What the server calls a node's connections. */
export const sessionName = (node: string): string => `slipstream ${node}`;

interface Other {
  readonly id: string;
  readonly age: number;
  readonly connections: number;
}

/** Nodes and when they were heard of last; those without a connection have none. */
const others = asQuery(`
  SELECT n.id, (extract(epoch FROM clock_timestamp() - h.renewed_at) * 1000)::bigint AS age,
    (SELECT count(*) FROM pg_stat_activity WHERE application_name = 'slipstream ' || n.id) AS connections
  FROM nodes n JOIN heartbeats h ON h.node = n.id`);

const isAlive = ({ age, connections }: Other): boolean => connections > 0 && age < LEASE;

/** It was killed a moment ago, or loses its connections just now. */
const mayComeBack = ({ age, connections }: Other): boolean => connections === 0 && age < MISSED;

/**
 * Makes the node the owner of the database, over nodes that ended. Throws `DatabaseInUse` when another one lives, and
 * answers false while one may come back. To delete a node waits for its transaction under way, and afterwards it can begin
 * none.
 */
async function claim(client: Client, node: string, database: string): Promise<boolean> {
  await client.script('BEGIN');
  try {
    const { rows } = await client.query(others);
    const found = rows as readonly Other[];
    if (found.some(isAlive)) throw new DatabaseInUse(database, undefined);
    if (found.some(mayComeBack)) {
      await client.script('ROLLBACK');
      return false;
    }
    for (const { id } of found) await client.query(asQuery('DELETE FROM nodes WHERE id = ?', id));
    await client.query(asQuery('INSERT INTO nodes (id) VALUES (?)', node));
    await client.query(asQuery('INSERT INTO heartbeats VALUES (?, clock_timestamp())', node));
    const { count } = await client.query(
      asQuery('UPDATE shards SET node = ?, epoch = epoch + 1 WHERE node IS NULL', node),
    );
    if (count === 0) throw new DatabaseInUse(database, undefined);
    await client.script('COMMIT');
    return true;
  } catch (error) {
    await client.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** A node that owns the database. */
export interface Membership {
  /** Gives the database back. */
  end(): Promise<void>;
}

export interface MembershipOptions {
  readonly node: string;
  /** What an error calls the database. */
  readonly database: string;
  /** Connected, and for this node alone from now on. */
  readonly first: Client;
  readonly connect: () => Promise<Client>;
  /** Called when another process ended this node. */
  readonly onEnded: () => void;
}

/** Claims the database, and shows signs of life until it is given back. Rejects with `DatabaseInUse`. */
export async function joinAs({
  node,
  database,
  first,
  connect,
  onEnded,
}: MembershipOptions): Promise<Membership> {
  let client = first;
  while (!(await claim(client, node, database))) await hostTime.wait(BEAT);

  let trimmedAt = performance.now();
  const beat = async (): Promise<void> => {
    if (!client.isUsable) client = await connect();
    const { count } = await client.query(
      asQuery('UPDATE heartbeats SET renewed_at = clock_timestamp() WHERE node = ?', node),
    );
    if (count === 0) onEnded();
    if (performance.now() - trimmedAt < TRIM) return;
    trimmedAt = performance.now();
    // Whoever asks whether a commit was made asks within seconds.
    await client.query(asQuery(`DELETE FROM journal WHERE at < now() - interval '10 minutes'`));
  };

  let underWay: Promise<void> | undefined;
  const timer = setInterval(() => {
    underWay ??= beat()
      .catch((error: unknown) => {
        if (!(error instanceof ConnectionLost)) client.destroy();
      })
      .finally(() => (underWay = undefined));
  }, BEAT).unref();

  return {
    async end() {
      clearInterval(timer);
      await underWay;
      if (client.isUsable)
        await client.query(asQuery('DELETE FROM nodes WHERE id = ?', node)).catch(() => undefined);
      await client.end();
    },
  };
}
