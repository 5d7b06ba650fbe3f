import type { Time } from '../storage/host-time.js';
import { type Client, asQuery } from './client.js';

/** Between two tries, in milliseconds. */
const AGAIN_AFTER = 200;

interface Asking {
  readonly node: string;
  readonly connect: () => Promise<Client>;
  readonly time: Pick<Time, 'wait'>;
}

/**
 * Whether a commit of which no answer came was made, and a new connection. Known once the old session has let go of the
 * shard: then the commit's row is in the journal, or never will be. Tries until somebody answers.
 */
export async function lookForCommit(
  { node, connect, time }: Asking,
  seq: number,
): Promise<{ readonly client: Client; readonly wasMade: boolean }> {
  for (;;) {
    let client: Client | undefined;
    try {
      client = await connect();
      await client.script('BEGIN');
      await client.query(asQuery('SELECT id FROM shards WHERE node = ? FOR UPDATE', node));
      const { count } = await client.query(
        asQuery('SELECT 1 FROM journal WHERE node = ? AND seq = ?', node, seq),
      );
      await client.script('COMMIT');
      return { client, wasMade: count === 1 };
    } catch {
      // Whatever it is: a wrong answer would be worse than a late one.
      client?.destroy();
      await time.wait(AGAIN_AFTER);
    }
  }
}
