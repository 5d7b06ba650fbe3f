import cluster from 'node:cluster';
import { readFileSync, readdirSync } from 'node:fs';

/** CPU microseconds of all threads of the process so far, as the system accounts for them. Linux only. */
function cpuOfProcess(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1000;
}

/** That of this process and of each of its fronts. */
export const cpuAccounts = (): number[] =>
  [
    process.pid,
    ...Object.values(cluster.workers ?? {}).flatMap((one) => one?.process.pid ?? []),
  ].map(cpuOfProcess);

/**
 * CPU microseconds of one piece of work between two readings, as two free cores bound it: the busiest process works on one core,
 * and all of them together on two.
 */
export function costOnTwoCores(
  before: readonly number[],
  after: readonly number[],
  pieces: number,
): number {
  const costs = after.map((now, index) => (now - (before[index] ?? 0)) / pieces);
  return Math.max(...costs, costs.reduce((sum, one) => sum + one, 0) / 2);
}
