/** The host's timers. The server passes them, tests pass timers that they move by hand. */
export interface Timers {
  /** Calls `run` each time so many milliseconds have gone by, until the returned function is called. */
  every(milliseconds: number, run: () => void): () => void;
}
