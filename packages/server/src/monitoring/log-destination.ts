import { write, writeSync } from 'node:fs';

/** The most characters that may wait to be written. Beyond it lines are lost, so that memory is bounded and no command fails. */
const MOST_UNWRITTEN = 8 * 1024 * 1024;

/** The most bytes of one write: what a thread is writing when the process ends may be lost. */
const AT_ONCE = 16 * 1024;

/** Milliseconds until a pipe that was full is tried again; at the end of the process, and how often. */
const AGAIN = 100;
const AGAIN_AT_END = 10;
const TRIES_AT_END = 50;

const NOTHING = Buffer.alloc(0);

/** The output takes nothing now, and may soon. */
const isBusy = (error: unknown): boolean =>
  ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');

const sleep = (ms: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Where the lines of the log go. */
export interface LogDestination {
  write(line: string): void;
  /** Writes what waits before it returns. What cannot be written is lost: the end of a process never waits for its log. */
  flushSync(): void;
}

/** Told of lines that were not written. */
interface Losses {
  /** Lines could not be written; they are tried once more with the next one. */
  readonly failed?: (error: NodeJS.ErrnoException) => void;
  readonly dropped?: () => void;
}

/** Writes lines without waiting. Lines that cannot be written (a full disk, no reader) are lost. */
export function logDestination(
  fd = 1,
  { failed = () => undefined, dropped = () => undefined }: Losses = {},
): LogDestination {
  let lines: string[] = [];
  let characters = 0;
  let rest: Buffer = NOTHING;
  let state: 'idle' | 'writing' | 'busy' = 'idle';

  const taken = (): Buffer => {
    const text = Buffer.from(lines.join(''));
    lines = [];
    characters = 0;
    return text;
  };
  const begin = (): void => {
    if (rest.length === 0) rest = taken();
    if (rest.length === 0) return;
    state = 'writing';
    write(fd, rest.subarray(0, AT_ONCE), (error, count) => {
      state = 'idle';
      if (!error) {
        rest = rest.subarray(count);
        begin();
      } else if (isBusy(error)) {
        state = 'busy';
        setTimeout(() => {
          state = 'idle';
          begin();
        }, AGAIN);
      } else failed(error);
    });
  };
  const flushSync = (): void => {
    // A thread may be writing the first of it.
    const begun = state === 'writing' ? AT_ONCE : 0;
    let text = Buffer.concat([rest.subarray(begun), taken()]);
    rest = rest.subarray(0, begun);
    for (let tries = 0; text.length > 0 && tries < TRIES_AT_END;) {
      try {
        text = text.subarray(writeSync(fd, text));
      } catch (error) {
        if (!isBusy(error)) return;
        tries += 1;
        sleep(AGAIN_AT_END);
      }
    }
  };

  process.once('exit', flushSync);
  return {
    write(line) {
      if (rest.length + characters + line.length > MOST_UNWRITTEN) {
        dropped();
        return;
      }
      lines.push(line);
      characters += line.length;
      if (state === 'idle') begin();
    },
    flushSync,
  };
}
