import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Program, listening, runProgram } from '@slipstream/server/testing';
import { placeIn } from '../torture/program.js';
import type { Database } from './database.js';
import { type Wire, openWire } from './wire.js';

/** After which a silent node counts as ended, in seconds. */
export const LEASE = 2;

/** Nodes listen here, and the wires to them at the same port of 127.0.0.1, which is what `localhost` is to other nodes. */
const HOST = '127.0.0.2';

/** A port that is free at 127.0.0.1 may not be where nodes listen: so often another one is tried. */
const TRIES = 3;

export const SECRET_KEY = 'the master key of the tortured nodes';

/** A server of its own process, one of several over a database. */
export interface Node extends Program {
  /** Its place among the nodes, which the next one takes when it has ended. */
  readonly slot: number;
  readonly id: string;
  /** Where clients reach it. */
  readonly url: string;
  /** Between it and the database. */
  readonly database: Wire;
  /** Between other nodes and it. */
  readonly link: Wire;
  /** Whether its process runs. */
  isThere(): boolean;
}

export interface Cluster {
  readonly database: Database;
  /** Those that run, by their slots. */
  all(): readonly Node[];
  /** The one in a slot, or the last that was. */
  at(slot: number): Node;
  /** Starts a node in each empty slot, and waits until every node can answer. */
  complete(): Promise<void>;
  /** Resolves with the node that owns the database, once one does and it is not `before`. */
  owner(before?: Node): Promise<Node>;
  end(): Promise<void>;
}

export interface ClusterOptions {
  readonly folder: string;
  readonly database: Database;
  readonly count: number;
  /** A module that each process loads before the server. */
  readonly preload?: string | undefined;
}

/** No node runs yet. */
export function clusterOver({ folder, database, count, preload }: ClusterOptions): Cluster {
  const nodes: (Node | undefined)[] = Array.from({ length: count }, () => undefined);
  const { environment } = placeIn(folder);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });

  async function start(slot: number, tries = TRIES): Promise<Node> {
    const toDatabase = await openWire(() => ({ path: database.socket }));
    const link = await openWire((port) => ({ port, host: HOST }));
    const program = runProgram(folder, ['serve'], {
      ...environment,
      HOST,
      SECRET_KEY,
      DATABASE_URL: `postgres://postgres@127.0.0.1:${toDatabase.port}/postgres`,
      NODE_URL: `http://localhost:${link.port}`,
      LEASE_SECONDS: String(LEASE),
      LOG_LEVEL: 'error',
      TMPDIR: temporary,
      ...(preload !== undefined && { NODE_OPTIONS: `--import ${preload}` }),
    });
    program.process.once('exit', () => {
      toDatabase.close();
      link.close();
    });
    const url = await listening(program).catch((error: unknown) => {
      if (tries > 1 && String(error).includes('EADDRINUSE')) return undefined;
      throw error;
    });
    if (url === undefined) return start(slot, tries - 1);
    const [row] = await database.rows<{ id: string }>(
      'SELECT id FROM nodes WHERE url = $1',
      `http://localhost:${link.port}`,
    );
    const isThere = (): boolean =>
      program.process.exitCode === null && program.process.signalCode === null;
    return { ...program, slot, id: row?.id ?? 'ended', url, database: toDatabase, link, isThere };
  }

  const at = (slot: number): Node => {
    const node = nodes[slot];
    if (!node) throw new Error('no node was started there');
    return node;
  };
  const all = (): Node[] => nodes.filter((node): node is Node => node?.isThere() === true);

  return {
    database,
    all,
    at,
    async complete() {
      await Promise.all(
        [...nodes.entries()].map(async ([slot, node]) => {
          if (node?.isThere() !== true) nodes[slot] = await start(slot);
        }),
      );
      await Promise.all(all().map(ready));
    },
    async owner(before) {
      for (;;) {
        const [row] = await database.rows<{ node: string | null }>('SELECT node FROM shards');
        const found = all().find(({ id }) => id === row?.node);
        if (found && found !== before) return found;
        await wait(10);
      }
    },
    async end() {
      const running = all();
      for (const { process: child } of running) child.kill('SIGTERM');
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

async function ready({ url, isThere }: Node): Promise<void> {
  while (isThere()) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    await answer?.text().catch(() => undefined);
    if (answer?.status === 200) return;
    await wait(20);
  }
}
