import type { Id } from '@slipstream/domain';

/** Makes ids: UUIDv7 in the server, counting in tests. Never the same twice; later ones sort after earlier ones. */
export interface Ids {
  next<Kind extends string>(): Id<Kind>;
}
