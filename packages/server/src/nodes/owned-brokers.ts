import { SECOND } from '@slipstream/domain';
import { type Broker, BrokerRateLimited, type Brokers } from '@slipstream/ports';

/**
 * The brokers of a node, which place no order while another node may own the database. A node that is paused just before it sends one
 * wakes when that one has answered a halt, or has written the order off: no lock of the database holds back what leaves for a broker.
 */
export const ownedBrokers = (brokers: Brokers, isOwner: () => boolean): Brokers =>
  new Map([...brokers].map(([name, broker]) => [name, owned(broker, isOwner)]));

/** A proxy and not a copy: hosts bring adapters of their own, which may be objects of classes with private parts. */
const owned = (broker: Broker, isOwner: () => boolean): Broker =>
  new Proxy(broker, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name !== 'place') return member.bind(target) as unknown;
      return async (...given: Parameters<Broker['place']>) => {
        if (!isOwner()) throw new BrokerRateLimited(SECOND);
        return target.place(...given);
      };
    },
  });
