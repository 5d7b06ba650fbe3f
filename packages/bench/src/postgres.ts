import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newFolder } from './folder.js';
import { NotAvailable } from './measure/benchmark.js';

const SUPERVISOR = fileURLToPath(
  new URL('../../../scripts/test-database/supervisor.mjs', import.meta.url),
);

/** A PostgreSQL of its own, which syncs each commit, with one empty database. */
export interface Postgres {
  readonly url: string;
  end(): Promise<void>;
}

/** Starts the PostgreSQL of the tests. */
export async function startPostgres(): Promise<Postgres> {
  const folder = newFolder();
  const supervisor = spawn(process.execPath, [SUPERVISOR, folder.file(''), 'on'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const end = async (): Promise<void> => {
    const gone = once(supervisor, 'exit');
    supervisor.stdin.end();
    await gone;
    folder.remove();
  };
  const socket = folder.file('ask');
  while (!existsSync(socket)) await delay(20);
  const answer = JSON.parse(await text(connect(socket))) as { url?: string; error?: string };
  if (answer.url === undefined) {
    await end();
    throw new NotAvailable(answer.error);
  }
  return { url: answer.url, end };
}
