import { type TestDatabase, q } from '../../../adapter-sql/tests/postgres/database.js';
import { type ChildServer, serveIn } from './child-server.js';
import { freePort } from './free-port.js';

export const NODES_KEY = 'the master key of the tests and their servers';

/** A process of its own, one of several over a database. */
export interface RunningNode extends ChildServer {
  /** Where other nodes reach it. */
  readonly nodeUrl: string;
}

/** The nodes of a test, as processes over one database. */
export interface Nodes {
  start(environment?: Readonly<Record<string, string>>): Promise<RunningNode>;
  /** Those that run. */
  all(): readonly RunningNode[];
  /** Resolves with the node that owns the database, once one does and it is not `before`. */
  owner(before?: RunningNode): Promise<RunningNode>;
}

/** No node runs yet; each listens for the others at `host`. */
export function nodesOver(database: TestDatabase, folder: string, host = '127.0.0.1'): Nodes {
  const running = new Set<RunningNode>();
  const ownerUrl = async (): Promise<unknown> => {
    const { rows } = await database.client.query(
      q('SELECT n.url FROM shards s JOIN nodes n ON n.id = s.node'),
    );
    return (rows[0] as { readonly url: string } | undefined)?.url;
  };
  return {
    async start(environment = {}) {
      const nodeUrl = `http://${host}:${await freePort(host.replace(/^\[|\]$/g, ''))}`;
      const child = await serveIn(folder, {
        ...{ NODE_URL: nodeUrl, DATABASE_URL: database.url, SECRET_KEY: NODES_KEY },
        ...{ LEASE_SECONDS: '2', CAPS: 'posts=100000', LOG_LEVEL: 'error' },
        ...environment,
      });
      const node = { ...child, nodeUrl };
      running.add(node);
      node.process.once('exit', () => running.delete(node));
      return node;
    },
    all: () => [...running],
    async owner(before) {
      for (;;) {
        const url = await ownerUrl();
        const found = [...running].find(({ nodeUrl }) => nodeUrl === url);
        if (found && found !== before) return found;
      }
    },
  };
}
