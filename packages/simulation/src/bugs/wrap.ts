import type { Broker, Ports, Stores, UnitOfWork } from '@slipstream/ports';

/** A unit of work whose writing works get other stores. */
export const withStores = (
  unitOfWork: UnitOfWork,
  change: (stores: Stores) => Partial<Stores>,
): UnitOfWork => ({
  run: (work) => unitOfWork.run((stores) => work(replaced(stores, change(stores)))),
  read: (work) => unitOfWork.read(work),
});

/** Stores are made when they are asked for, so the others are left alone. */
function replaced(stores: Stores, others: Partial<Stores>): Stores {
  return new Proxy(stores, {
    get: (target, name) => Reflect.get(name in others ? others : target, name) as unknown,
  });
}

/** The ports with another broker of the same name. */
export function withBroker(ports: Ports, change: (broker: Broker) => Partial<Broker>): Ports {
  const brokers = new Map(
    [...ports.brokers].map(([name, broker]) => [name, { ...broker, ...change(broker) }]),
  );
  return { ...ports, brokers };
}
