import { setTimeout as wait } from 'node:timers/promises';
import { type Client, connect } from '../client.js';
import { drainNode, isAlive, listNodes } from './roster.js';

/** Between two looks whether a server has ended, in milliseconds. */
const LOOK = 50;

/** A server over a database, as the others see it. */
export interface NodeState {
  readonly id: string;
  /** Where other servers reach it; null if it uses the database alone. */
  readonly url: string | null;
  /** `silent`: it shows no sign of life, and counts as ended soon. */
  readonly state: 'serves' | 'waits' | 'silent';
  /** Milliseconds since its last sign of life. */
  readonly age: number;
  /** Since when it serves, or waits, in milliseconds since 1970. */
  readonly since: number;
}

async function statesOver(client: Client): Promise<NodeState[]> {
  const nodes = await listNodes(client);
  return nodes
    .map((node): NodeState => {
      const { id, url, age, since } = node;
      const role = node.shards > 0 ? 'serves' : 'waits';
      return { id, url, state: isAlive(node) ? role : 'silent', age, since };
    })
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The work with a connection of its own, beside the servers. */
async function connected<Answer>(
  url: string,
  work: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const client = await connect(url, 'slipstream nodes');
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The servers over a PostgreSQL database, by their ids; none of them need be stopped. */
export const postgresNodes = (url: string): Promise<NodeState[]> => connected(url, statesOver);

/**
 * Asks a server over a PostgreSQL database to end as if it was stopped. Answers those that are left once it has ended
 * and one of them serves, or why there are none: it is not there (`unknown`), no other one could serve (`alone`), or that took
 * longer than so many milliseconds (`late`).
 */
export const drainPostgresNode = (
  url: string,
  node: string,
  patience: number,
): Promise<NodeState[] | 'unknown' | 'alone' | 'late'> =>
  connected(url, async (client) => {
    const until = performance.now() + patience;
    const outcome = await drainNode(client, node);
    if (outcome !== 'asked') return outcome;
    while (performance.now() < until) {
      const left = await statesOver(client);
      const isServed = left.some(({ state }) => state === 'serves');
      if (isServed && left.every(({ id }) => id !== node)) return left;
      await wait(LOOK);
    }
    return 'late';
  });
