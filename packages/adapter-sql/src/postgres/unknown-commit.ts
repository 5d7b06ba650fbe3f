import type { Time } from '../storage/host-time.js';
import { type Client, asQuery } from './client.js';

/** Between two tries, in milliseconds. */
const AGAIN_AFTER = 200;

interface Asking {
  readonly node: string;
  readonly connect: () => Promise<Client>;
  readonly time: Pick<Time, 'wait'>;
}

/** The number of the node's newest commit that the database has; 0 when it has none. */
export async function lookInto(client: Client, node: string): Promise<{ readonly newest: number }> {
  const { rows } = await client.query(
    asQuery('SELECT coalesce(max(seq), 0) AS newest FROM journal WHERE node = ?', node),
  );
  const [found] = rows as readonly { readonly newest: number }[];
  return { newest: found?.newest ?? 0 };
}

/**
 * The newest of the node's commits when no answer came to one, and a new connection. Known once the old session has let go
 * of the shard: then the commit's row is in the journal, or never will be. Tries until somebody answers.
 */
export async function lookForCommit({
  node,
  connect,
  time,
}: Asking): Promise<{ readonly client: Client; readonly newest: number }> {
  for (;;) {
    let client: Client | undefined;
    try {
      client = await connect();
      await client.script('BEGIN');
      await client.query(asQuery('SELECT id FROM shards WHERE node = ? FOR UPDATE', node));
      const found = await lookInto(client, node);
      await client.script('COMMIT');
      return { client, ...found };
    } catch {
      // Whatever it is: a wrong answer would be worse than a late one.
      client?.destroy();
      await time.wait(AGAIN_AFTER);
    }
  }
}
