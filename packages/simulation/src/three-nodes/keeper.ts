import { setTimeout as wait } from 'node:timers/promises';
import { type Program, listening, runProgram } from '@slipstream/server/testing';
import type { Guard } from './guard.js';

/** A server that is started again whenever it ends. */
export interface Kept {
  /** Where clients reach it; undefined while it starts. */
  url(): string | undefined;
  /** Stops it for good. */
  stop(): Promise<void>;
}

export interface KeeperOptions {
  readonly name: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly say: (line: string) => void;
  readonly guard: Guard;
}

/** Before a server is started again, in milliseconds: one that cannot start would take the machine. */
const PAUSE = 1_000;

/** Starts one of several servers, and again whenever it ends. Resolves when it listens; rejects when the first start fails. */
export async function keepRunning(options: KeeperOptions): Promise<Kept> {
  const { name, folder, environment, say, guard } = options;
  const stopping = new AbortController();
  let program: Program | undefined;
  let url: string | undefined;

  const start = async (): Promise<Program> => {
    const begun = performance.now();
    const started = runProgram(folder, ['serve'], environment);
    program = started;
    guard.watch(started.process);
    const { pid } = started.process;
    void started.complaint(/This node serves/).then(
      () => say(`${name} serves (process ${pid})`),
      () => undefined,
    );
    url = await listening(started);
    const took = ((performance.now() - begun) / 1000).toFixed(1);
    say(`${name} listens at ${url} (process ${pid}), ${took} s after its start`);
    return started;
  };

  const keep = async (first: Program): Promise<void> => {
    let running: Program | undefined = first;
    while (!stopping.signal.aborted) {
      if (running) {
        const { code, signal } = await running.ended;
        url = undefined;
        if (stopping.signal.aborted) return;
        say(`${name} ended with ${signal ?? code} and starts again`);
      }
      await wait(PAUSE, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      running = await start().catch((error: unknown) => {
        say(`${name} does not start: ${(error as Error).message}`);
        return undefined;
      });
    }
  };

  const kept = keep(await start());
  return {
    url: () => url,
    async stop() {
      stopping.abort();
      program?.process.kill('SIGTERM');
      await kept;
      await program?.ended;
    },
  };
}
