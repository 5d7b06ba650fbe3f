import {
  AccountUnsettled,
  BROKER_REQUESTS,
  type BrokerAccess,
  type BrokerLink,
  BrokerRateLimited,
  BrokerRefused,
  BrokerUnreachable,
  type Brokers,
  requestsThrough,
} from '@slipstream/ports';

/** A shorter text is no secret, and would be found in words. */
const SHORTEST = 8;

/** Half of a character, which no address can have. */
const HALF = /\p{Surrogate}/gu;

/** A secret as it is, as an address has it, and as JSON does: a key of several lines for example. */
const written = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret.replaceAll(HALF, '')),
  JSON.stringify(secret).slice(1, -1),
];

/** The texts of credentials, however they are written. */
function secretsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < SHORTEST ? [] : written(value);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : [];
}

/**
 * The error without these texts: it is logged. A new one, because a text is also in the stack, and what caused it may name them too. What a
 * broker says to the owner of the account is left as it is.
 */
function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
  if (error instanceof BrokerRefused || error instanceof BrokerRateLimited) return error;
  // The longest first: one may hold another.
  const ordered = secrets.toSorted((first, second) => second.length - first.length);
  const told = error instanceof BrokerUnreachable ? error.message : String(error);
  const hidden = ordered.reduce((text, one) => text.replaceAll(one, '(a credential)'), told);
  if (hidden === told) return error;
  return new (error instanceof AccountUnsettled ? AccountUnsettled : BrokerUnreachable)(hidden);
}

/** The same brokers, whose errors have no credentials in their texts: those of an HTTP client often name the whole address of a request. */
export function discreetBrokers(brokers: Brokers): Brokers {
  return new Map(
    [...brokers].map(([name, broker]) => [
      name,
      requestsThrough(broker, BROKER_REQUESTS, async (_, ask, given) => {
        try {
          return await ask();
        } catch (error) {
          const [{ credentials }] = given as readonly [BrokerLink | BrokerAccess];
          throw withoutSecrets(error, secretsIn(credentials));
        }
      }),
    ]),
  );
}
