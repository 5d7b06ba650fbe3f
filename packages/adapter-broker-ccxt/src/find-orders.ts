import {
  type BrokerOrder,
  BrokerUnreachable,
  type Clock,
  type Instruments,
} from '@slipstream/ports';
import { stockIdOf } from './identity.js';
import type { Markets } from './markets.js';
import type { Session } from './sessions.js';
import type { FoundOrder, Venue } from './venue.js';

/** An order that an exchange does not show so long after it was sent did not reach it. */
const SHOWN_WITHIN = 15_000;

export interface OrderParts {
  readonly venue: Venue;
  readonly markets: Markets;
  readonly clock: Clock;
  readonly instruments: Instruments;
}

export interface FindOrders {
  /** What the exchange shows of these orders now. */
  shown(
    session: Session,
    clientOrderIds: readonly string[],
  ): Promise<ReadonlyMap<string, BrokerOrder>>;
  /** The same; one that is absent certainly never reached the exchange. @throws {BrokerUnreachable} while one may be on its way. */
  certain(
    session: Session,
    clientOrderIds: readonly string[],
  ): Promise<ReadonlyMap<string, BrokerOrder>>;
}

export function findOrders({ venue, markets, clock, instruments }: OrderParts): FindOrders {
  /** What an earlier process sent may not be shown yet. */
  const startedAt = clock.now();

  const brokerOrder = async (
    { orders }: Session,
    clientOrderId: string,
    { marketName, ...found }: FoundOrder,
  ): Promise<BrokerOrder> => {
    const code = (await markets.codeOf(marketName)) ?? marketName;
    const isCancelling = found.status === 'open' && orders.isCancelAsked(clientOrderId);
    return {
      ...found,
      clientOrderId,
      stockId: stockIdOf(venue, instruments, code),
      cancelling: found.cancelling || isCancelling,
    };
  };

  const shown: FindOrders['shown'] = async (session, clientOrderIds) => {
    const answers = await venue.find(session.api, clientOrderIds);
    const found = new Map<string, BrokerOrder>();
    for (const [clientOrderId, order] of answers)
      found.set(clientOrderId, await brokerOrder(session, clientOrderId, order));
    return found;
  };

  return {
    shown,
    async certain(session, clientOrderIds) {
      const { orders } = session;
      const found = await shown(session, clientOrderIds);
      const missing = clientOrderIds.filter((one) => !found.has(one));
      const isUncertain = missing.some(
        (one) => clock.now() - (orders.sentAt(one) ?? startedAt) < SHOWN_WITHIN,
      );
      if (isUncertain) throw new BrokerUnreachable(`${venue.title} may not show an order yet`);
      for (const one of missing) orders.unsent(one);
      return found;
    },
  };
}
