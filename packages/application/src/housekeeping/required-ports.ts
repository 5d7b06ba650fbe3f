import type { Ports } from '@slipstream/ports';

type RequiredPort = {
  [Name in keyof Ports]-?: undefined extends Ports[Name] ? never : Name;
}[keyof Ports];

/** The ports that every host has; the others are optional. */
const REQUIRED = {
  ...{ unitOfWork: true, clock: true, ids: true, events: true, log: true, pause: true },
  ...{ tradingHours: true, marketFeed: true, brokers: true, paymentGateway: true, mailer: true },
  ...{ passwords: true, oneTimePasswords: true, accessTokens: true },
  ...{ secretBox: true, fingerprints: true },
} as const satisfies Readonly<Record<RequiredPort, true>>;

/**
 * The ports themselves: a host in plain JavaScript hears at once which one it has forgotten, and not from the first request that needs it.
 * @throws when a port is missing, or the brokers are no `Map`.
 */
export function requirePorts(given: Ports): Ports {
  const missing = Object.keys(REQUIRED).filter((name) => !given[name as RequiredPort]);
  if (missing.length > 0)
    throw new TypeError(`createApplication is not given these ports: ${missing.join(', ')}`);
  if (typeof given.brokers.has !== 'function')
    throw new TypeError('the port brokers must be a Map of brokers by their names');
  return given;
}
