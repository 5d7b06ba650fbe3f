/** CPU time of this process so far, in microseconds. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Microseconds of CPU time that one of the `count` calls takes. */
export function cpuPerCall(count: number, call: (index: number) => void): number {
  const begun = cpuNow();
  for (let index = 0; index < count; index += 1) call(index);
  return (cpuNow() - begun) / count;
}

/** The same for calls that are waited for. */
export async function cpuPerAwaited(
  count: number,
  call: (index: number) => Promise<void> | void,
): Promise<number> {
  const begun = cpuNow();
  for (let index = 0; index < count; index += 1) await call(index);
  return (cpuNow() - begun) / count;
}

/** Bytes on the heap and beside it, when the garbage is gone. Needs `--expose-gc`. */
export function heapNow(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Microseconds of CPU time that something takes, whoever does it in this process. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const begun = cpuNow();
  await work();
  return cpuNow() - begun;
}
