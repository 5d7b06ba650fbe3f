/** CPU time of this process so far, in microseconds. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** CPU microseconds of one of `count` calls. */
export function cpuPerCall(count: number, call: (index: number) => void): number {
  const begun = cpuNow();
  for (let index = 0; index < count; index += 1) call(index);
  return (cpuNow() - begun) / count;
}

/** The same for asynchronous calls. */
export async function cpuPerAwaited(
  count: number,
  call: (index: number) => Promise<void> | void,
): Promise<number> {
  const begun = cpuNow();
  for (let index = 0; index < count; index += 1) await call(index);
  return (cpuNow() - begun) / count;
}

/** Bytes on and off the heap after a garbage collection. Needs `--expose-gc`. */
export function heapNow(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** CPU microseconds of this process while `work` runs. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const begun = cpuNow();
  await work();
  return cpuNow() - begun;
}
