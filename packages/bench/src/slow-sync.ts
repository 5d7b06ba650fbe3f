import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Folder } from './folder.js';
import { NotAvailable } from './measure/benchmark.js';

const SOURCE = fileURLToPath(new URL('../baselines/slow_sync.c', import.meta.url));

/** The environments of programs whose file syncs take so many milliseconds; it needs Linux and `cc`. */
export function slowSyncs(folder: Folder): (milliseconds: number) => NodeJS.ProcessEnv {
  const library = folder.file('slow-sync.so');
  try {
    if (process.platform !== 'linux') throw new Error('the linker has other rules');
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, SOURCE], { stdio: 'ignore' });
  } catch {
    throw new NotAvailable('needs Linux and a C compiler');
  }
  return (milliseconds) => ({
    LD_PRELOAD: library,
    SYNC_MICROSECONDS: String(Math.round(milliseconds * 1000)),
  });
}
