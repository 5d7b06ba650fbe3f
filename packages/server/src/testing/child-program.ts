import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../../dist/main.js');

/**
 * The built program: as one bundle where the tests offer it, which starts twice as fast. As it is where somebody's module
 * shares packages with it, or another Node or a module before it is to be tried.
 */
export function programFor(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  node = process.execPath,
): string {
  const isAlone = !args.includes('--with') && environment['NODE_OPTIONS'] === undefined;
  const { TEST_PROGRAM: bundle } = process.env;
  return (isAlone && node === process.execPath && bundle) || PROGRAM;
}

/** How a run of the program ended, and everything that it printed. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly complaints: string;
}

/** A process of the built program. */
export interface Program {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with the first part of standard error that matches; rejects when the program ends before. */
  complaint(pattern: RegExp): Promise<RegExpExecArray>;
}

const running = new Set<ChildProcess>();

/** Kills every process that was started here and has not ended. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs the built program in `folder`, with these settings and no others of this process, by this Node or another one. */
export function runProgram(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  node = process.execPath,
): Program {
  const child = spawn(node, [programFor(args, environment, node), ...args], {
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
        void ended.then(({ code, signal }) =>
          reject(new Error(`the program ended with ${code ?? signal}: ${complaints}${out}`)),
        );
      }),
  };
}

/** The address of a server that was started, once it listens. */
export async function listening(program: Pick<Program, 'complaint'>): Promise<string> {
  const [, url = ''] = await program.complaint(/Listening on (\S+)/);
  return url;
}
