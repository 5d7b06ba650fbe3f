import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** The built program. */
export const PROGRAM = join(import.meta.dirname, '../bin/slipstream-mcp.js');

/** How a run of the program ended, and everything that it printed. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly complaints: string;
}

/** Runs the program to its end, with these settings and no others of this process, and nothing to read. */
export const run = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [PROGRAM, ...args],
      { env: environment },
      (_error, out, complaints) => resolve({ code: child.exitCode, out, complaints }),
    );
    child.stdin?.end();
  });
