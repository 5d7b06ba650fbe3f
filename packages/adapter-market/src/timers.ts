/** Calls back at a steady interval. The server passes the host's timers, tests pass timers that they move by hand. */
export interface Timers {
  /** Calls `run` every `interval` milliseconds until the returned function is called. */
  every(interval: number, run: () => void): () => void;
}
