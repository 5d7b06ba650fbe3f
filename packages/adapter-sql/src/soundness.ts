import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { UnitOfWork } from '@slipstream/ports';
import { openReader, requireSound } from './storage/connection.js';

/** Built beside this file; tests run the sources. */
const PROGRAM = new URL('../dist/soundness-program.js', import.meta.url);

/** A file of as many bytes is checked in less time than a thread takes to start. */
const SMALL = 64 * 1024 * 1024;

/** Whether the file is so large, and another core is there, that it is checked while it is read already. */
export const isCheckedBeside = (file: string): boolean =>
  availableParallelism() > 1 && statSync(file).size > SMALL;

/** What the thread says; false too when it cannot be had. */
function saysSound(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const thread = new Worker(PROGRAM, { workerData: file });
      thread.once('message', () => resolve(true));
      thread.once('error', () => resolve(false));
      thread.once('exit', () => resolve(false));
    } catch {
      resolve(false);
    }
  });
}

/** Checks the file in a thread. Rejects as `requireSound` throws: it decides, once more, where the thread found a fault or ended. */
export async function requireSoundBeside(file: string): Promise<void> {
  if (await saysSound(file)) return;
  const reader = openReader(file);
  try {
    requireSound(reader);
  } finally {
    reader.close();
  }
}

type Works = Pick<UnitOfWork, 'run' | 'read'>;

/** Lets reads begin while the file is checked, and no transaction before it was found sound; a read that fails says what was found. */
export function readsBeside(sound: Promise<void>, { run, read }: Works): Works {
  let checking: Promise<void> | undefined = sound;
  void sound.then(
    () => (checking = undefined),
    () => undefined,
  );
  return {
    run: (work, options) =>
      checking ? checking.then(() => run(work, options)) : run(work, options),
    read: (work) =>
      checking
        ? read(work).catch(async (error: unknown) => {
            await checking;
            throw error;
          })
        : read(work),
  };
}
