import type { OrdersChanged } from '@slipstream/ports';
import { type Client, asQuery } from './client.js';
import type { Pool } from './pool.js';
import { toldIn } from './told-orders.js';

/** What was told to those who listened, before this node owned the database. */
export interface Past {
  /** How often the database changed its owner, this time included. */
  readonly epoch: number;
  /** Every change of orders that was committed from some moment on, in the order of each strategy. */
  readonly orders: readonly OrdersChanged[];
}

const EPOCH = 'SELECT epoch FROM shards';
/**
 * The commits of so long; at most so many of them, and so many bytes. Others follow a node within seconds of its end, and nobody is
 * answered until it is read.
 */
const TOLD = `SELECT orders FROM (
    SELECT orders, at, seq, sum(octet_length(orders)) OVER (ORDER BY at DESC, seq DESC) AS bytes FROM (
      SELECT orders, at, seq FROM journal WHERE orders IS NOT NULL AND at > now() - interval '1 minute'
      ORDER BY at DESC, seq DESC LIMIT 10000
    ) AS latest
  ) AS summed WHERE bytes <= 8388608 ORDER BY at DESC, seq DESC`;

/** Reads it. Nobody else can commit any more, so it ends with the last commit of the node before. */
export async function readPast(pool: Pool): Promise<Past> {
  const client = await pool.acquire();
  try {
    return await readBy(client);
  } finally {
    pool.release(client);
  }
}

async function readBy(client: Client): Promise<Past> {
  const [owned, told] = await Promise.all([
    client.query(asQuery(EPOCH)),
    client.query(asQuery(TOLD)),
  ]);
  const [shard] = owned.rows as readonly { readonly epoch: number }[];
  const rows = told.rows as readonly { readonly orders: string }[];
  const orders = rows.toReversed().flatMap(({ orders: text }) => toldIn(text));
  return { epoch: shard?.epoch ?? 0, orders };
}
