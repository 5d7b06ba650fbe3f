import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { ONLY_BY_NAME } from '@slipstream/domain';
import { newFolder } from './composed-server.js';

const PROGRAM = join(import.meta.dirname, '../../dist/main.js');

type Environment = Readonly<Record<string, string>>;

/** What a run of the program left behind. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly complaints: string;
}

export interface Child {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the first part of standard error that matches; rejects when the program ends before. */
  complaint(pattern: RegExp): Promise<RegExpExecArray>;
}

const running = new Set<ChildProcess>();

/** Kills what a test that failed left running. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs the built program in `folder`, with these settings and no others. */
export function runProgram(
  folder: string,
  args: readonly string[],
  environment: Environment = {},
): Child {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let [out, complaints] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString('utf8')));
  child.stderr.on('data', (data: Buffer) => (complaints += data.toString('utf8')));
  const ended = once(child, 'close').then(([code, signal]): Ended => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    out,
    complaints,
  }));
  return {
    process: child,
    ended,
    complaint: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(complaints);
          if (found) resolve(found);
        };
        child.stderr.on('data', look);
        look();
        void ended.then(({ code }) => reject(new Error(`ended with ${code}: ${complaints}${out}`)));
      }),
  };
}

/** Runs the program to its end. */
export const run = (
  folder: string,
  args: readonly string[],
  environment?: Environment,
): Promise<Ended> => runProgram(folder, args, environment).ended;

/** Folders for the programs of one test file, a new one each time; after its last test they and what still runs are gone. */
export function freshFolders(): () => string {
  const root = newFolder();
  afterAll(killPrograms);
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return () => mkdtempSync(join(root, 'run-'));
}

export const CHILD_OPERATOR = 'operator-token-of-the-child';

export interface ChildServer extends Child {
  readonly url: string;
}

/** The built server as a process of its own, over the database in `folder`; markets are always open. */
export async function serveIn(
  folder: string,
  environment: Environment = {},
  args: readonly string[] = [],
): Promise<ChildServer> {
  const child = runProgram(folder, ['serve', ...args], {
    PORT: '0',
    MARKET: 'push',
    TRADING_HOURS: 'always',
    OPERATOR_TOKEN: CHILD_OPERATOR,
    LOG_LEVEL: 'warn',
    QUOTE_FRESH_SECONDS: '3600',
    RATE_LIMITS: 'reads=1000000,writes=1000000,alerts=1000000,failures=1000000',
    CONNECTION_LIMITS: 'anonymous=1000,user=1000',
    ...environment,
  });
  const [, url = ''] = await child.complaint(/Listening on (\S+)/);
  return { ...child, url };
}

/** A user's token of every scope, made as a person would. */
export async function signUp(
  ask: (
    name: 'newUser' | 'newSession' | 'newToken',
    fields: Record<string, unknown>,
    token?: string,
  ) => Promise<unknown>,
): Promise<string> {
  const account = { email: 'ada@example.com', password: 'a long password' };
  await ask('newUser', account);
  const { token } = (await ask('newSession', account)) as { token: string };
  const issued = (await ask('newToken', { name: 'x', scope: ['*', ...ONLY_BY_NAME] }, token)) as {
    token: string;
  };
  return issued.token;
}
