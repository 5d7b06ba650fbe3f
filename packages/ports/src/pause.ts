/** Gives other tasks of the event loop a turn. Long background jobs await it between their parts. */
export type Pause = () => Promise<void>;
