import { StorageUnavailable } from '@slipstream/ports';

/** How the sender of an alert waits. */
export interface Patience {
  /** False once it has stopped waiting. */
  readonly isWanted: () => boolean;
  /** Milliseconds until then. */
  readonly left: () => number;
}

/**
 * Performs an alert. One that has not asked by then whether it may begin is refused at the end of its sender's patience, and never
 * begins: platforms send again what was refused in time, but not what was not answered.
 */
export async function begunInTime<T>(
  { isWanted, left }: Patience,
  perform: (isWanted: () => boolean) => Promise<T>,
): Promise<T> {
  let [mayHaveBegun, isRefused] = [false, false];
  let timer: NodeJS.Timeout | undefined;
  const refused = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      if (mayHaveBegun) return;
      isRefused = true;
      reject(new StorageUnavailable('the alert could not begin in time'));
    }, left());
  });
  const isStillWanted = (): boolean => {
    const answer = !isRefused && isWanted();
    mayHaveBegun ||= answer;
    return answer;
  };
  try {
    return await Promise.race([perform(isStillWanted), refused]);
  } finally {
    clearTimeout(timer);
  }
}
