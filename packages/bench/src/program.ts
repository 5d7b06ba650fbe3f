import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Question {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}
interface Answer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

/** A separate process that answers questions: a measured server, or the load on it. */
export interface Program {
  ask<Answered>(name: string, argument?: unknown): Promise<Answered>;
  /** CPU time so far, user and system, in microseconds. */
  cpu(): Promise<number>;
  end(): Promise<void>;
  /** Ends it without a chance to do anything. */
  kill(): Promise<void>;
}

/** Starts one of the files in `programs/`, with a flag that lets it collect garbage on request. */
export const startProgram = (name: string, ...args: readonly string[]): Promise<Program> =>
  startProgramIn({}, name, ...args);

/** The same, with these variables of the environment beside the present ones. */
export async function startProgramIn(
  environment: NodeJS.ProcessEnv,
  name: string,
  ...args: readonly string[]
): Promise<Program> {
  const file = fileURLToPath(new URL(`../dist/programs/${name}.js`, import.meta.url));
  const child = fork(file, args, {
    env: { ...process.env, ...environment },
    execArgv: ['--expose-gc', '--max-old-space-size=8192', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const asked = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>();
  let count = 0;
  child.on('message', ({ id, answer, error }: Answer) => {
    const waiting = asked.get(id);
    asked.delete(id);
    if (error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new Error(`${name}: ${error}`));
  });
  child.on('exit', () => {
    for (const { reject } of asked.values()) reject(new Error(`${name} ended`));
    asked.clear();
  });
  const ask = <Answered>(question: string, argument?: unknown): Promise<Answered> =>
    new Promise<Answered>((resolve, reject) => {
      count += 1;
      asked.set(count, { resolve: resolve, reject });
      child.send({ id: count, name: question, argument } satisfies Question);
    });
  await ask('ready');
  return { ask, cpu: () => ask<number>('cpu'), end: () => end(child), kill: () => kill(child) };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.disconnect();
  const impatience = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(impatience);
}

type Answers = Readonly<Record<string, (argument: never) => unknown>>;

/** Answers the questions in the child process, which ends when the parent disconnects. */
export function answerQuestions(
  answers: Answers,
  close: () => Promise<void> | void = () => {},
): void {
  const all: Answers = {
    ready: () => true,
    cpu: () => {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    /** Resident bytes after a garbage collection. */
    memory: () => {
      globalThis.gc?.();
      return process.memoryUsage.rss();
    },
    ...answers,
  };
  process.on('message', ({ id, name, argument }: Question) => {
    void (async () => {
      try {
        const asked = all[name];
        if (!asked) throw new Error(`there is no ${name}`);
        process.send?.({ id, answer: await asked(argument as never) } satisfies Answer);
      } catch (error) {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.send?.({ id, error: message } satisfies Answer);
      }
    })();
  });
  process.on('disconnect', () => {
    void Promise.resolve(close()).finally(() => process.exit(0));
  });
}
