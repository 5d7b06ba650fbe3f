/** A value, or the promise of it where the database is another process. */
export type Answer<Value> = Value | Promise<Value>;

/** What comes after an answer: at once where there is nothing to wait for. */
export const after = <Value, Next>(
  answer: Answer<Value>,
  next: (value: Value) => Answer<Next>,
): Answer<Next> => (answer instanceof Promise ? answer.then(next) : next(answer));
