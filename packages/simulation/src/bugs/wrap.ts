import type { Application } from '@slipstream/application';
import type {
  Broker,
  PaymentGateway,
  Ports,
  ReadStores,
  Stores,
  UnitOfWork,
} from '@slipstream/ports';

/** Replaces the stores of writing transactions. */
export const withStores = (
  unitOfWork: UnitOfWork,
  change: (stores: Stores) => Partial<Stores>,
): UnitOfWork => ({
  ...unitOfWork,
  run: (work, options) =>
    unitOfWork.run((stores) => work(replaced(stores, change(stores))), options),
});

/** Replaces the stores of reads. */
export const withReadStores = (
  unitOfWork: UnitOfWork,
  change: (stores: ReadStores) => Partial<ReadStores>,
): UnitOfWork => ({
  ...unitOfWork,
  read: (work) => unitOfWork.read((stores) => work(replaced(stores, change(stores)))),
});

/** Replaces some operations of an application. */
export const withOperations = (
  application: Application,
  others: Partial<Application['operations']>,
): Application => ({ ...application, operations: replaced(application.operations, others) });

/** Replaces members on access, so that the others stay untouched. */
function replaced<AnyStores extends object>(
  stores: AnyStores,
  others: Partial<AnyStores>,
): AnyStores {
  return new Proxy(stores, {
    get: (target, name) => Reflect.get(name in others ? others : target, name) as unknown,
  });
}

/** Replaces the broker under the same name. */
export function withBroker(ports: Ports, change: (broker: Broker) => Partial<Broker>): Ports {
  const brokers = new Map(
    [...ports.brokers].map(([name, broker]) => [name, { ...broker, ...change(broker) }]),
  );
  return { ...ports, brokers };
}

/** Replaces some requests of the payment gateway. */
export const withGateway = (
  ports: Ports,
  change: (gateway: PaymentGateway) => Partial<PaymentGateway>,
): Ports => ({
  ...ports,
  paymentGateway: { ...ports.paymentGateway, ...change(ports.paymentGateway) },
});
