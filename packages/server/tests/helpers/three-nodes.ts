import { expect, it } from '@jest/globals';
import type { Application } from '@slipstream/application';
import type { Log, Storage } from '@slipstream/ports';
import { type OwnDatabase, oneMoreDatabase } from '../../../adapter-sql/tests/postgres/database.js';
import { type Adapters, openNode, readSettings } from '../../src/index.js';
import { freePort } from './free-port.js';

/** Whether the composed servers of the tests are three nodes over PostgreSQL. Only here it is asked. */
export const OVER_NODES = process.env['OVER_NODES'] === 'on';

/** `it` for what cannot be over three nodes: there it is skipped, and the reason is told. */
export function itOne(reason: string): typeof it.skip {
  if (!OVER_NODES) return it;
  const file = expect.getState().testPath?.replace(/^.*\/packages\//, '');
  process.stderr.write(`[over nodes] skipped in ${file}: ${reason}\n`);
  return it.skip;
}

/** Three nodes in this process, over a database of their own. */
export interface ThreeNodes {
  /** Where one listens that forwards everything. */
  readonly url: string;
  /** Where the next request goes: the two that forward take turns. */
  next(): string;
  /** The core of the one that serves. */
  readonly application: Application;
  /** As SIGTERM does, at the one that serves last. */
  close(): Promise<void>;
}

export interface ThreeNodesOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly log: Log;
  /** Those of the one that serves. */
  readonly adapters: Adapters;
  /** Servers with the same folder have the same database, one after another; one without has one of its own. */
  readonly folder?: string | undefined;
  readonly through?: ((storage: Storage) => Storage) | undefined;
}

const ofFolders = new Map<string, Promise<OwnDatabase>>();

function databaseIn(folder: string): Promise<OwnDatabase> {
  const known = ofFolders.get(folder) ?? oneMoreDatabase();
  ofFolders.set(folder, known);
  return known;
}

/** Opens them: the first one serves. Rejects with the reason when it cannot. */
export async function threeNodes({
  environment,
  log,
  adapters,
  through,
  folder,
}: ThreeNodesOptions): Promise<ThreeNodes> {
  const database = await (folder === undefined ? oneMoreDatabase() : databaseIn(folder));
  const known = await freePort();
  const shared = {
    PUBLIC_URL: `http://127.0.0.1:${known}`,
    ...environment,
    DATABASE_URL: database.url,
    NODE_URL: 'http://127.0.0.1:0',
    // None of them ends by itself: a slow machine must not make another one serve.
    LEASE_SECONDS: '60',
  };
  const ended: unknown[] = [];
  let fail: (reason: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => undefined);
  let reason: unknown = 'a node ended by itself';
  /** A node that cannot serve logs why, and ends. */
  const heard: Log = {
    info: (...told) => log.info(...told),
    warn: (...told) => log.warn(...told),
    error: (...told) => {
      reason = told[0]['error'] ?? told[1];
      log.error(...told);
    },
  };
  const onEnded = (): void => {
    ended.push(reason);
    fail(reason);
  };
  const open = (given: Adapters, PORT = '0') =>
    openNode(
      ...([readSettings({ ...shared, PORT }), heard, given] as const),
      ...([onEnded, through] as const),
    );
  const serving = await open(adapters);
  const application = await Promise.race([serving.serves, failed]).catch(async (error: unknown) => {
    await serving.close();
    throw error;
  });
  const { clock, timers } = adapters;
  const own = { ...(clock && { clock }), ...(timers && { timers }) };
  const forwarding = [await open(own, `${known}`), await open(own)] as const;
  let turns = 0;
  return {
    url: forwarding[0].url,
    next: () => forwarding[(turns += 1) % 2 === 0 ? 0 : 1].url,
    application,
    async close() {
      await Promise.all(forwarding.map((node) => node.close()));
      await serving.close();
      if (folder === undefined) await database.drop();
      expect(ended).toEqual([]);
    },
  };
}
