#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import { openDatabase } from '../node-torture/database.js';
import { openBalancer } from './balancer.js';
import { type Demo, makeDemo } from './demo.js';
import { openGuard } from './guard.js';
import { type Kept, keepRunning } from './keeper.js';

const NODES = 3;
/** Between two looks whether a node answers, in milliseconds. */
const LOOK = 50;

new Command('nodes')
  .description(
    `Runs ${NODES} servers over one PostgreSQL, behind a TCP balancer without stickiness, and starts each again whenever it ends. Kill one while you watch.`,
  )
  .addHelpText(
    'after',
    `
Settings come from the environment, as those of the server:
  PORT, HOST      of the balancer; 3000 and 127.0.0.1
  DATABASE_URL    a PostgreSQL database to run over; without it one is started, filled with the demo, and gone at the end
  SECRET_KEY      the master key; needed with DATABASE_URL`,
  )
  .parse();

const say = (line: string): void => void process.stderr.write(`[nodes] ${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'slipstream-nodes-'));
const guard = openGuard(folder);
/** What was opened, the latest first. */
const closers: (() => Promise<void> | void)[] = [];

const given = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
);
const { PORT = '3000', HOST = '127.0.0.1', DATABASE_URL } = given;

const asked = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    // Under npm, Ctrl-C arrives twice.
    process.on(signal, () => resolve());
});

try {
  await Promise.race([run(), asked]);
  await asked;
  say('stopping');
  await close();
  process.exit(0);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  say(code === 'EADDRINUSE' ? `port ${PORT} is in use; choose another one: PORT=4000` : message);
  await close();
  process.exit(1);
}

async function close(): Promise<void> {
  for (const one of closers.reverse()) await one();
}

/** The database that was given, or a new one with the demo in it. */
async function database(): Promise<{ settings: Record<string, string>; demo?: Demo }> {
  if (DATABASE_URL) return { settings: { DATABASE_URL } };
  say('starting PostgreSQL');
  const { url, end } = await openDatabase();
  closers.push(end);
  const settings = { DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString('hex') };
  say('making the demo');
  return { settings, demo: await makeDemo(folder, { ...given, ...settings }, guard) };
}

async function run(): Promise<void> {
  const nodes: Kept[] = [];
  const balancer = await openBalancer(HOST, Number(PORT), () =>
    nodes.map(({ url }) => url()).filter((url) => url !== undefined),
  );
  closers.push(balancer.close);
  const { settings, demo } = await database();
  const environment = {
    // Links lead to the balancer: a node has another port after each start.
    ...{ PUBLIC_URL: balancer.url, ...given, ...settings, HOST: '127.0.0.1', PORT: '0' },
    // Each at a port that is free.
    ...{ NODE_URL: 'http://127.0.0.1:0', LOG_LEVEL: 'warn' },
  };
  const started = await Promise.all(
    Array.from({ length: NODES }, (_, index) =>
      keepRunning({ name: `node ${index + 1}`, folder, environment, say, guard }),
    ),
  );
  nodes.push(...started);
  closers.push(() => Promise.all(started.map(({ stop }) => stop())).then(() => undefined));
  await Promise.all(started.map(ready));
  process.stdout.write(guide(balancer.url, settings, demo));
}

/** Resolves when the node answers, or forwards to the one that serves. */
async function ready({ url }: Kept): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url()}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await wait(LOOK);
  }
}

function guide(url: string, settings: Readonly<Record<string, string>>, demo?: Demo): string {
  return `
${NODES} nodes share a database. Each connection to the balancer reaches the next of them:

  Open      ${demo ? `${url}/strategies/${demo.strategyId}#token=${demo.token}` : url}
${demo ? `  Database  ${settings['DATABASE_URL']}\n` : ''}
Kill one while you watch (kill -9 <process>, or kill <process> to stop it): another one serves, and it starts again. Ctrl-C stops all.
`;
}
