/** The reason for a caller who is over the limit for that many seconds. */
export const tooManyRequests = (seconds: number): string =>
  `too many requests, try again in ${seconds} s`;

/** The reason for a caller whose request failed here; the same one may succeed. */
export const NOTHING_DONE = 'nothing was done, try again in 1 s';

/** The reason why a channel ends that could not be read. */
export const UNREAD = 'the server could not read it, try again in 1 s';

/** After how many seconds the same request may succeed, by the sentence that refused it; undefined if it will not. */
export function secondsToWait(sentence: string): number | undefined {
  const seconds = /again in (\d+) s/.exec(sentence)?.[1];
  return seconds ? Number(seconds) : undefined;
}
