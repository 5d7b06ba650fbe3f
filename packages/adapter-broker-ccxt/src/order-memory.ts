import { hasPassed } from '@slipstream/domain';
import type { BrokerOrder } from '@slipstream/ports';
import type { FoundOrder } from './venue.js';

/** Longer than any order of a bot is asked for. */
const LASTS = 86_400_000;
const MOST = 10_000;

/** Longer than it takes to look up all orders of a bot. */
const LOOKED_UP_FOR = 600_000;

/** A cancellation that has not ended its order by then is asked for again: the exchange may have lost it. */
const CANCELS_WITHIN = 60_000;

/** Fills are told so long after the end of their order at the latest. What is missing then is dust that the exchange leaves for good. */
const TOLD_WITHIN = 30_000;

/** What this process did with the orders of one account. */
export interface OrderMemory {
  /** Whether orders that ended before this process may be repeated; asked once. */
  taken: Promise<(clientOrderId: string) => boolean> | undefined;
  /** The order of that id is being placed now. */
  readonly placing: Map<string, Promise<BrokerOrder>>;
  sent(clientOrderId: string): void;
  /** It certainly had no effect. */
  unsent(clientOrderId: string): void;
  sentAt(clientOrderId: string): number | undefined;
  /** The exchange certainly did not have it, and it was not sent since. */
  absent(clientOrderId: string): void;
  isAbsent(clientOrderId: string): boolean;
  /** The exchange told this of it when it was looked up, and nothing more can happen to it. */
  ended(clientOrderId: string, order: FoundOrder): void;
  endedAs(clientOrderId: string): FoundOrder | undefined;
  cancelAsked(clientOrderId: string): void;
  isCancelAsked(clientOrderId: string): boolean;
  /** The exchange says that it is filled and tells less than was ordered: whether the rest may still be told. */
  mayLackFills(clientOrderId: string): boolean;
}

export function orderMemory(now: () => number): OrderMemory {
  const times = new Map<string, number>();
  const cancels = new Map<string, number>();
  const absences = new Map<string, number>();
  const lacking = new Map<string, number>();
  const ends = new Map<string, number>();
  const endings = new Map<string, FoundOrder>();
  const isWithin = (map: Map<string, number>, clientOrderId: string, lasts: number): boolean =>
    !hasPassed(lasts, map.get(clientOrderId) ?? -Infinity, now());
  const remember = (map: Map<string, number>, clientOrderId: string): void => {
    map.delete(clientOrderId);
    map.set(clientOrderId, now());
    for (const [oldest, at] of map) {
      if (map.size <= MOST && at > now() - LASTS) break;
      map.delete(oldest);
    }
  };
  return {
    taken: undefined,
    placing: new Map(),
    sent(clientOrderId) {
      absences.delete(clientOrderId);
      remember(times, clientOrderId);
    },
    unsent: (clientOrderId) => void times.delete(clientOrderId),
    sentAt(clientOrderId) {
      const at = times.get(clientOrderId);
      if (at === undefined || at <= now()) return at;
      // The clock was ahead: the doubt begins anew.
      times.set(clientOrderId, now());
      return now();
    },
    absent: (clientOrderId) => remember(absences, clientOrderId),
    isAbsent: (clientOrderId) => isWithin(absences, clientOrderId, LOOKED_UP_FOR),
    ended(clientOrderId, order) {
      remember(ends, clientOrderId);
      endings.set(clientOrderId, order);
      for (const one of endings.keys()) if (!ends.has(one)) endings.delete(one);
    },
    endedAs: (clientOrderId) =>
      isWithin(ends, clientOrderId, LOOKED_UP_FOR) ? endings.get(clientOrderId) : undefined,
    cancelAsked: (clientOrderId) => remember(cancels, clientOrderId),
    isCancelAsked: (clientOrderId) => isWithin(cancels, clientOrderId, CANCELS_WITHIN),
    mayLackFills(clientOrderId) {
      const since = lacking.get(clientOrderId);
      // First seen so, or while the clock was ahead.
      if (since === undefined || since > now()) remember(lacking, clientOrderId);
      return isWithin(lacking, clientOrderId, TOLD_WITHIN);
    },
  };
}
