import type { Time } from '../storage/host-time.js';
import { asQuery } from './client.js';
import type { Pool } from './pool.js';

/** For how long the end of the other node is awaited, in milliseconds, and between two looks. */
const PATIENCE = 5_000;
const LOOK = 100;

/** One statement, so one moment: when the node is not there, every commit that it ever made is. */
const asked = (node: string, requestId: string) =>
  asQuery(
    `SELECT (SELECT count(*) FROM nodes WHERE id = ?) AS nodes,
      (SELECT count(*) FROM audit_entries WHERE request_id = ?) AS entries`,
    node,
    requestId,
  );

/**
 * Whether the node committed anything for the request, by the audit log. Waits until that node has ended, because it can
 * commit nothing then, or has nothing of the request under way; undefined when neither comes true, or the database cannot be asked.
 */
export async function wasDone(
  pool: Pool,
  { now, wait }: Pick<Time, 'now' | 'wait'>,
  node: string,
  requestId: string,
  isSettled: () => boolean,
): Promise<boolean | undefined> {
  for (const until = now() + PATIENCE; now() < until; await wait(LOOK)) {
    // Before the look: what was committed by then is seen.
    const isOver = isSettled();
    const found = await look(pool, node, requestId).catch(() => undefined);
    if (found && (isOver || found.nodes === 0)) return found.entries > 0;
  }
  return undefined;
}

async function look(pool: Pool, node: string, requestId: string) {
  const client = await pool.acquire();
  try {
    const { rows } = await client.query(asked(node, requestId));
    return rows[0] as { readonly nodes: number; readonly entries: number } | undefined;
  } finally {
    pool.release(client);
  }
}
