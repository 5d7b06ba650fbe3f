import type { Application } from '@slipstream/application';
import type { Broker, Ports, ReadStores, Stores, UnitOfWork } from '@slipstream/ports';

/** A unit of work whose writing works get other stores. */
export const withStores = (
  unitOfWork: UnitOfWork,
  change: (stores: Stores) => Partial<Stores>,
): UnitOfWork => ({
  ...unitOfWork,
  run: (work, terms) => unitOfWork.run((stores) => work(replaced(stores, change(stores))), terms),
});

/** A unit of work whose reads get other stores. */
export const withReadStores = (
  unitOfWork: UnitOfWork,
  change: (stores: ReadStores) => Partial<ReadStores>,
): UnitOfWork => ({
  ...unitOfWork,
  read: (work) => unitOfWork.read((stores) => work(replaced(stores, change(stores)))),
});

/** An application some of whose operations are others. */
export const withOperations = (
  application: Application,
  others: Partial<Application['operations']>,
): Application => ({ ...application, operations: replaced(application.operations, others) });

/** Stores and operations are made when they are asked for, so the others are left alone. */
function replaced<AnyStores extends object>(
  stores: AnyStores,
  others: Partial<AnyStores>,
): AnyStores {
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
