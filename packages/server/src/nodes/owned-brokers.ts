import { SECOND } from '@slipstream/domain';
import { type Broker, BrokerRateLimited, type Brokers, requestsThrough } from '@slipstream/ports';

/**
 * The brokers of a node, which place no order while another node may own the database. A node that is paused just before it sends one
 * wakes when that one has answered a halt, or has written the order off: no lock of the database holds back what leaves for a broker.
 */
export const ownedBrokers = (brokers: Brokers, isOwner: () => boolean): Brokers =>
  new Map([...brokers].map(([name, broker]) => [name, owned(broker, isOwner)]));

const owned = (broker: Broker, isOwner: () => boolean): Broker =>
  requestsThrough(broker, ['place'], async (_, ask) => {
    if (!isOwner()) throw new BrokerRateLimited(SECOND);
    return ask();
  });
