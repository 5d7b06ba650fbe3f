import { connect } from './client.js';
import { isAlive, listNodes } from './roster.js';

/** A server over a database, as the others see it. */
export interface NodeState {
  readonly id: string;
  /** Where other servers reach it; null if it uses the database alone. */
  readonly url: string | null;
  /** `silent`: it shows no sign of life, and counts as ended soon. */
  readonly state: 'serves' | 'waits' | 'silent';
  /** Milliseconds since its last sign of life. */
  readonly age: number;
}

/** The servers over a PostgreSQL database, by their ids; none of them need be stopped. */
export async function postgresNodes(url: string): Promise<NodeState[]> {
  const client = await connect(url, 'slipstream nodes');
  try {
    const nodes = await listNodes(client);
    return nodes
      .map((node): NodeState => {
        const role = node.shards > 0 ? 'serves' : 'waits';
        return {
          id: node.id,
          url: node.url,
          state: isAlive(node) ? role : 'silent',
          age: node.age,
        };
      })
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  } finally {
    await client.end();
  }
}
