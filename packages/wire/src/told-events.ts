/**
 * What a client was told of a channel, so that it goes on there on another connection. Changes that were made together share a
 * version, and a connection may end amid them.
 */
export interface ToldEvents {
  /** The version after which everything is to be told, some of it perhaps again. */
  after(): number | undefined;
  /** Takes an event; false if the client was told it before. */
  take(event: string, version: number): boolean;
  /** The connection has ended; `isLatest`: nothing came after the last event of this channel. */
  cut(isLatest: boolean): void;
}

/** Of a client that has everything up to `last`. */
export function toldEvents(last?: number): ToldEvents {
  // How many events it was told of that version, how many of them were told again, and whether there may be more of them.
  let [told, again, isPart] = [0, 0, false];
  return {
    after: () => (isPart && last !== undefined ? last - 1 : last),
    take(event, version) {
      const isSnapshot = event === 'snapshot';
      if (isPart && !isSnapshot && version === last && again < told) {
        again += 1;
        return false;
      }
      told = isSnapshot ? 0 : version === last ? told + 1 : 1;
      [last, again, isPart] = [version, told, false];
      return true;
    },
    cut(isLatest) {
      isPart = isLatest ? told > 0 : isPart && again < told;
      again = 0;
    },
  };
}
