import type { Id } from '@slipstream/domain';

/** Makes ids: UUIDv7 in the server, counted in tests. No id repeats, and later ids sort after earlier ones. */
export interface Ids {
  next<Kind extends string>(): Id<Kind>;
}
