import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const GUARDIAN = join(import.meta.dirname, 'guardian.js');

/** Ends processes with this one, whatever ends it. */
export interface Guard {
  watch(child: ChildProcess): void;
}

/** When this process ends, the folder is removed and no watched process goes on. */
export function openGuard(folder: string): Guard {
  const { stdin } = spawn(process.execPath, [GUARDIAN, folder], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  return {
    watch(child) {
      if (child.pid === undefined) return;
      stdin.write(`+${child.pid}\n`);
      child.once('exit', () => stdin.write(`-${child.pid}\n`));
    },
  };
}
