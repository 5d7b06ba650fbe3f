import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { ONLY_BY_NAME } from '@slipstream/domain';
import {
  type Ended,
  type Program,
  killPrograms,
  listening,
  runProgram,
} from '../../src/testing/index.js';
import { newFolder } from './composed-server.js';

/** Runs the program to its end. */
export const run = (
  folder: string,
  args: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<Ended> => runProgram(folder, args, environment).ended;

/** Folders for the programs of one test file, a new one each time; after its last test they and what still runs are gone. */
export function freshFolders(): () => string {
  const root = newFolder();
  afterAll(killPrograms);
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return () => mkdtempSync(join(root, 'run-'));
}

export const CHILD_OPERATOR = 'operator-token-of-the-child';

export interface ChildServer extends Program {
  readonly url: string;
}

/** The built server as a process of its own, over the database in `folder`; markets are always open. */
export async function serveIn(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
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
  return { ...child, url: await listening(child) };
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
