import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const PROGRAM = join(import.meta.dirname, '../../../server/dist/main.js');
const START_WITHIN = 20_000;

/** The operator's token of every server that is tortured. */
export const OPERATOR = 'operator-token-of-the-torture';

/** What a run of the program left behind. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly complaints: string;
}

/** A process of the built program. */
export interface Program {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  /** Resolves with the first part of standard error that matches; rejects when the program ends before. */
  complaint(pattern: RegExp): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
}

const running = new Set<ChildProcess>();

/** Kills every process that was started here and has not ended. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Runs the built program in `folder`, with these settings and no others of this process. */
export function runProgram(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Program {
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
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => void child.kill(signal),
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

/** A database and the settings of the servers over it. */
export interface Place {
  readonly folder: string;
  /** The database file. */
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The module of `--with` in place of the database. */
  readonly adapters: string | undefined;
}

/** What starts the server of a place. */
export const serveArgs = ({ adapters }: Pick<Place, 'adapters'>): string[] =>
  adapters === undefined ? ['serve'] : ['serve', '--with', adapters];

/** A place in `folder`; its database is `file`. */
export const placeIn = (
  folder: string,
  file = join(folder, 'data/slipstream.db'),
  adapters?: string,
): Place => ({
  folder,
  file,
  adapters,
  environment: {
    PORT: '0',
    MARKET: 'push',
    TRADING_HOURS: 'always',
    OPERATOR_TOKEN: OPERATOR,
    LOG_LEVEL: 'warn',
    QUOTE_FRESH_SECONDS: '86400',
    RATE_LIMITS: 'reads=10000000,writes=10000000,alerts=10000000,failures=10000000',
    CONNECTION_LIMITS: 'address=20000,user=10000,anonymous=5000',
    DATABASE_URL: `sqlite:${file}`,
  },
});

export interface Server extends Program {
  readonly url: string;
  /** Milliseconds from the start of the process until it listened. */
  readonly startedIn: number;
}

/** Starts the server of a place and waits until it listens. */
export async function serve(place: Place): Promise<Server> {
  const begun = performance.now();
  const program = runProgram(place.folder, serveArgs(place), place.environment);
  const late = setTimeout(() => program.kill('SIGKILL'), START_WITHIN);
  try {
    const [, url = ''] = await program.complaint(/Listening on (\S+)/);
    return { ...program, url, startedIn: performance.now() - begun };
  } finally {
    clearTimeout(late);
  }
}
