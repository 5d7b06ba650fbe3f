import {
  BROKER_REQUESTS,
  type Broker,
  BrokerUnreachable,
  requestsThrough,
} from '@slipstream/ports';

/** Longer than any broker that answers needs. */
const LONGEST = 60_000;

/**
 * The same broker, whose requests end: what it has not answered by then may have taken effect. A host's own adapter may wait without a limit,
 * and each check of a bot that waits has one of the places of all bots.
 */
export const inTime = (broker: Broker, longest = LONGEST): Broker =>
  requestsThrough(
    broker,
    BROKER_REQUESTS,
    (request, ask) =>
      new Promise((resolve, reject) => {
        const because = `${broker.name} did not answer ${request} in time`;
        // A process that has ended everything else does not wait for it.
        const end = setTimeout(() => reject(new BrokerUnreachable(because)), longest).unref();
        void ask()
          .then(resolve, reject)
          .finally(() => clearTimeout(end));
      }),
  );
