import { DROP_REASONS, type DropReason } from '@slipstream/adapter-http';
import type { Log } from '@slipstream/ports';

export interface Drops {
  /** Counts a connection that was dropped. */
  count(reason: DropReason, address: string): void;
  /** Logs one line with the connections dropped since the last such line. */
  logCounts(): void;
}

/** Counts dropped connections. They come in floods, so one line logs all of them. */
export function createDrops(log: Log, counted: (reason: DropReason) => void): Drops {
  const since = new Map<DropReason, number>();
  let lastAddress = '';
  return {
    count(reason, address) {
      counted(reason);
      since.set(reason, (since.get(reason) ?? 0) + 1);
      lastAddress = address;
    },
    logCounts() {
      if (since.size === 0) return;
      const reasons = DROP_REASONS.flatMap((reason) => {
        const count = since.get(reason);
        return count === undefined ? [] : [[reason, count] as const];
      });
      since.clear();
      const fields = { ...Object.fromEntries(reasons), last_address: lastAddress };
      log.warn(fields, 'dropped connections');
    },
  };
}
