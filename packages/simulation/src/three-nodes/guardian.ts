/**
 * The program beside `nodes`, which ends with its pipe: also when that one was killed. Then it kills the processes that it was told
 * of and removes the folder. A line is `+<id>` when a process begins, `-<id>` when it has ended.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [folder = ''] = process.argv.slice(2);
const running = new Set<number>();

// A terminal sends these to all; the pipe ends too.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

for await (const line of createInterface({ input: process.stdin })) {
  const id = Number(line.slice(1));
  if (line.startsWith('+')) running.add(id);
  else running.delete(id);
}
for (const id of running) {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It ended in the same moment.
  }
}
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
