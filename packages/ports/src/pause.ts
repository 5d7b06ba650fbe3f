/** Lets everything else that is due go first: long work in the background awaits it between its chunks. */
export type Pause = () => Promise<void>;
