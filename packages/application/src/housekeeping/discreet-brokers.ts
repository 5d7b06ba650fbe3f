import {
  BROKER_REQUESTS,
  type Broker,
  type BrokerAccess,
  type BrokerLink,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
  type Brokers,
} from '@slipstream/ports';

/** A shorter text is no secret, and would be found in words. */
const SHORTEST = 8;

const ASKED: ReadonlySet<PropertyKey> = new Set<keyof Broker>([...BROKER_REQUESTS, 'unlink']);

/** The texts of credentials, as they are and as an address has them; the longest first, because one may hold another. */
function secretsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return value.length < SHORTEST ? [] : [value, encodeURIComponent(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : [];
}

/** The error without these texts: it is logged. What a broker says to the owner of the account is left as it is. */
function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  if (error instanceof BrokerRefused || error instanceof BrokerRateLimited) return error;
  const ordered = [...secrets].sort((first, second) => second.length - first.length);
  const hidden = (text: string): string =>
    ordered.reduce((left, secret) => left.replaceAll(secret, '(a credential)'), text);
  const told = String(error);
  if (hidden(told) === told) return error;
  return error instanceof BrokerUnreachable
    ? Object.assign(error, { message: hidden(error.message) })
    : new BrokerUnreachable(hidden(told));
}

/**
 * The same brokers, whose errors have no credentials in their texts: those of an HTTP client often name the whole address of a request.
 * Proxies and not copies: hosts bring adapters of their own, which may be objects of classes with private parts.
 */
export function discreetBrokers(brokers: Brokers): Brokers {
  const discreet = (broker: Broker): Broker =>
    new Proxy(broker, {
      get(target, name): unknown {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        if (!ASKED.has(name)) return member.bind(target) as unknown;
        return async (...given: readonly [BrokerLink | BrokerAccess, ...unknown[]]) => {
          try {
            return (await Reflect.apply(member, target, given)) as unknown;
          } catch (error) {
            throw withoutSecrets(error, secretsIn(given[0].credentials));
          }
        };
      },
    });
  return new Map([...brokers].map(([name, broker]) => [name, discreet(broker)]));
}
