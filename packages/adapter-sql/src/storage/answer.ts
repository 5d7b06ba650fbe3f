/** A value, or the promise of it where the database is another process. */
export type Answer<Value> = Value | Promise<Value>;
