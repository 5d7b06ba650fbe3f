import sonicBoom, { type SonicBoom } from 'sonic-boom';

/** The most characters that may wait to be written. Beyond it lines are lost, so that memory is bounded and no command fails. */
const MOST_UNWRITTEN = 8 * 1024 * 1024;

/** How often a full pipe is tried again, each tenth of a second, before its lines wait for the next one. */
const TRIES = 5;

/**
 * Writes lines without waiting. Lines that cannot be written (a full disk, no reader) are lost, also at the end of the process, which
 * never waits for its log.
 */
export function logDestination(fd = 1): SonicBoom {
  // Opened by Node, a full pipe refuses what is written. Else it holds the writing thread, and with it the end of the process.
  if (fd === 1) void process.stdout;
  const destination = new sonicBoom.SonicBoom({
    ...{ fd, sync: false },
    ...{ maxLength: MOST_UNWRITTEN, maxWriteRetries: TRIES },
  });
  destination.on('error', () => undefined);
  process.once('exit', () => {
    try {
      destination.flushSync();
    } catch {
      // Nobody could be told.
    }
  });
  return destination;
}
