import { BROKER_REQUESTS, type Broker, BrokerUnreachable } from '@slipstream/ports';

/** Longer than any broker that answers needs. */
const LONGEST = 60_000;

const ASKED: ReadonlySet<PropertyKey> = new Set<keyof Broker>([...BROKER_REQUESTS, 'unlink']);

/**
 * The same broker, whose requests end: what it has not answered by then may have taken effect. A host's own adapter may wait without a limit,
 * and each check of a bot that waits has one of the places of all bots.
 */
export function inTime(broker: Broker, longest = LONGEST): Broker {
  const limited = (name: string, asked: Promise<unknown>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const end = setTimeout(
        () =>
          reject(
            new BrokerUnreachable(`${broker.name} did not answer ${name} within ${longest} ms`),
          ),
        longest,
      );
      void asked.then(resolve, reject).finally(() => clearTimeout(end));
    });
  return new Proxy(broker, {
    get(target, name): unknown {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (!ASKED.has(name)) return member.bind(target) as unknown;
      return async (...given: readonly unknown[]): Promise<unknown> =>
        limited(String(name), Promise.resolve(Reflect.apply(member, target, given)));
    },
  });
}
