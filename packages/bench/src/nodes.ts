import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type Postgres, startPostgres } from './postgres.js';
import { type Program, startProgram } from './program.js';
import type { NodeOptions } from './programs/node-server.js';
import type { ProductFacts, ProductOptions } from './programs/product-server.js';
import { OPERATOR_TOKEN } from './requests.js';

/** One of several servers over a database. */
export interface BenchNode extends Program {
  readonly port: number;
}

/** Several servers over a PostgreSQL of their own, with strategies. */
export interface BenchNodes {
  readonly facts: ProductFacts;
  /** Starts one more; resolves when it answers requests. */
  start(): Promise<BenchNode>;
  /** Makes the quotes fresh: those from before a takeover trade nothing. */
  quote(node: BenchNode): Promise<void>;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Repeats the request until it gets a 200. */
export async function answered(
  { port }: Pick<BenchNode, 'port'>,
  path: string,
  init: RequestInit = {},
): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => undefined);
    await answer?.text().catch(() => undefined);
    if (answer?.status === 200) return;
  }
}

/** Starts a PostgreSQL and puts strategies into its database; no server runs yet. */
export async function openNodes(strategies: number): Promise<BenchNodes> {
  const postgres: Postgres = await startPostgres();
  const running = new Set<BenchNode>();
  const options: ProductOptions = { file: '', database: postgres.url, strategies };
  const maker = await startProgram('product-server', JSON.stringify(options));
  const facts = await maker.ask<ProductFacts>('facts');
  await maker.end();
  return {
    facts,
    async start() {
      const given: NodeOptions = {
        ...{ database: postgres.url, nodeUrl: `http://127.0.0.1:${await freePort()}` },
      };
      const program = await startProgram('node-server', JSON.stringify(given));
      const node: BenchNode = {
        ...program,
        port: await program.ask<number>('port'),
        async end() {
          running.delete(node);
          await program.end();
        },
        async kill() {
          running.delete(node);
          await program.kill();
        },
      };
      running.add(node);
      await answered(node, '/readyz');
      return node;
    },
    quote: (node) =>
      answered(node, '/newQuotes', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${OPERATOR_TOKEN}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          quotes: [{ stock_id: 'AAPL:NASDAQ', bid: 100, ask: 100, last: 100 }],
        }),
      }),
    async close() {
      for (const node of [...running].reverse()) await node.end();
      await postgres.end();
    },
  };
}
