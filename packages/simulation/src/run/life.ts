/** Lets a process pretend that it has ended. */
export interface Life {
  readonly alive: boolean;
}

/** The result of a call in an ended process: it never resolves. */
export const never = <Answer>(): Promise<Answer> => new Promise(() => undefined);
