import type { BrokerOrder } from '@slipstream/ports';

/** Longer than any order of a bot is asked for. */
const LASTS = 86_400_000;
const MOST = 10_000;

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
  cancelAsked(clientOrderId: string): void;
  isCancelAsked(clientOrderId: string): boolean;
}

export function orderMemory(now: () => number): OrderMemory {
  const times = new Map<string, number>();
  const cancels = new Map<string, number>();
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
    sent: (clientOrderId) => remember(times, clientOrderId),
    unsent: (clientOrderId) => void times.delete(clientOrderId),
    sentAt: (clientOrderId) => times.get(clientOrderId),
    cancelAsked: (clientOrderId) => remember(cancels, clientOrderId),
    isCancelAsked: (clientOrderId) => cancels.has(clientOrderId),
  };
}
