/** What a process needs to pretend that it has ended. */
export interface Life {
  readonly alive: boolean;
}

/** A call of a process that has ended: it is never answered. */
export const never = <Answer>(): Promise<Answer> => new Promise(() => undefined);
