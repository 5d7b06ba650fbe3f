import { decimal } from '@slipstream/domain';
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

/** The clock of this service and that of an exchange differ by less. */
const CLOCKS_DIFFER = 86_400_000;

/** Of an order that is filled an exchange may leave so much of it, which is not waited for. */
const DUST = decimal('0.000001');

export interface OrderParts {
  readonly venue: Venue;
  readonly markets: Markets;
  readonly clock: Clock;
  readonly instruments: Instruments;
}

export interface FindOrders {
  /** What the exchange shows of these orders now. None of them was made before `since`. */
  shown(
    session: Session,
    clientOrderIds: readonly string[],
    since?: number,
  ): Promise<ReadonlyMap<string, BrokerOrder>>;
  /** The same; one that is absent certainly never reached the exchange. @throws {BrokerUnreachable} while one may be on its way. */
  certain(
    session: Session,
    clientOrderIds: readonly string[],
    since?: number,
  ): Promise<ReadonlyMap<string, BrokerOrder>>;
}

export function findOrders({ venue, markets, clock, instruments }: OrderParts): FindOrders {
  let startedAt = clock.now();
  /** What an earlier process sent may not be shown yet. The clock may have been ahead at the start. */
  const startOfProcess = (): number => {
    startedAt = Math.min(startedAt, clock.now());
    return startedAt;
  };

  const isLess = ({ amount, filledAmount }: FoundOrder): boolean =>
    amount.minus(filledAmount).gt(amount.times(DUST));

  /** Whether nothing more can happen to it: one that is called filled beside a smaller fill may get the rest of its fills. */
  const hasEnded = (order: FoundOrder): boolean =>
    order.status !== 'open' && (order.status !== 'filled' || !isLess(order));

  /** One that is called filled beside a smaller fill is in doubt for a while: the rest may be in the account already. */
  const stateOf = (
    { orders }: Session,
    clientOrderId: string,
    order: FoundOrder,
  ): Pick<BrokerOrder, 'status' | 'reason'> => {
    const { status, reason } = order;
    if (status !== 'filled' || !isLess(order)) return { status, reason };
    return orders.mayLackFills(clientOrderId)
      ? {
          status: 'open',
          reason: `${venue.title} says that it is filled, but tells less than was ordered.`,
        }
      : { status: 'cancelled', reason: `${venue.title} filled less than was ordered.` };
  };

  const brokerOrder = async (
    session: Session,
    clientOrderId: string,
    order: FoundOrder,
  ): Promise<BrokerOrder> => {
    const { marketName, ...found } = order;
    const code = (await markets.codeOf(marketName)) ?? marketName;
    const isCancelling = found.status === 'open' && session.orders.isCancelAsked(clientOrderId);
    return {
      ...found,
      ...stateOf(session, clientOrderId, order),
      clientOrderId,
      stockId: stockIdOf(venue, instruments, code),
      cancelling: found.cancelling || isCancelling,
    };
  };

  const maySoonBeShown = ({ orders }: Session, clientOrderId: string): boolean =>
    clock.now() - (orders.sentAt(clientOrderId) ?? startOfProcess()) < SHOWN_WITHIN;

  /** One by one: what is learnt before the account's requests are used up need not be asked for again. */
  const lookedUp = async (session: Session, clientOrderId: string) => {
    const { api, orders } = session;
    if (!venue.lookUp || orders.isAbsent(clientOrderId)) return undefined;
    const ended = orders.endedAs(clientOrderId);
    if (ended) return ended;
    const isSure = !maySoonBeShown(session, clientOrderId);
    const found = await venue.lookUp(api, clientOrderId);
    if (found && hasEnded(found)) orders.ended(clientOrderId, found);
    if (!found && isSure && !maySoonBeShown(session, clientOrderId)) orders.absent(clientOrderId);
    return found;
  };

  /** Since when the exchange may have them: what this process sent it remembers, of others only their maker knows it. */
  const oldest = (
    { orders }: Session,
    clientOrderIds: readonly string[],
    since: number | undefined,
  ): number => {
    const from = clientOrderIds.map((one) => since ?? orders.sentAt(one) ?? -Infinity);
    const earliest = Math.min(...from);
    // Made while the clock was ahead.
    return earliest > clock.now() ? -Infinity : earliest - CLOCKS_DIFFER;
  };

  const shown: FindOrders['shown'] = async (session, clientOrderIds, since) => {
    const from = oldest(session, clientOrderIds, since);
    const listed = await venue.find(session.api, clientOrderIds, from);
    const found = new Map<string, BrokerOrder>();
    for (const clientOrderId of clientOrderIds) {
      const order = listed.get(clientOrderId) ?? (await lookedUp(session, clientOrderId));
      if (order) found.set(clientOrderId, await brokerOrder(session, clientOrderId, order));
    }
    return found;
  };

  return {
    shown,
    async certain(session, clientOrderIds, since) {
      const { orders } = session;
      const found = await shown(session, clientOrderIds, since);
      const missing = clientOrderIds.filter((one) => !found.has(one));
      if (missing.some((one) => maySoonBeShown(session, one)))
        throw new BrokerUnreachable(`${venue.title} may not show an order yet`);
      for (const one of missing) orders.unsent(one);
      return found;
    },
  };
}
