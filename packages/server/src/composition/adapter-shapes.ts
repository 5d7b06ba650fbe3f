import type { Broker } from '@slipstream/ports';

/** The functions that an adapter of each port must have. */
export const FUNCTIONS = {
  unitOfWork: ['run', 'read', 'subscribe'],
  marketFeed: ['start', 'health', 'stop'],
  tradingHours: ['sessionAt', 'nextSession'],
  announcedActions: ['between'],
  marketCalendar: ['between'],
  timestampAuthority: ['stamp'],
  mailer: ['send'],
  paymentGateway: [
    ...['productId', 'link', 'confirmation', 'unlink'],
    ...['charge', 'refund', 'standing', 'payOut'],
  ] as readonly string[],
  endpointSender: ['bodyOf', 'problemOf', 'newSecret', 'send'],
  passwords: ['hash', 'verify', 'isCommon'],
  oneTimePasswords: ['newSecret', 'stepOf', 'newRecoveryCode'],
  accessTokens: ['issue', 'digest'],
  secretBox: ['seal', 'open', 'mac', 'verify'],
  fingerprints: ['of', 'sha256'],
  clock: ['now'],
  timers: ['every'],
  ids: ['next'],
  events: ['publish', 'subscribe'],
} as const;

const OF_A_BROKER: readonly (keyof Broker)[] = [
  ...(['link', 'account', 'rules', 'place', 'find', 'cancel'] as const),
];

/** Bots, halts, documents and addresses name a broker by it. */
const BROKER_NAME = /^[a-z][a-z0-9_]{0,49}$/;

type Given = Readonly<Record<string, unknown>>;

/** What an adapter in plain JavaScript lacks; undefined if it is whole. */
function lack(adapter: unknown, functions: readonly string[]): string | undefined {
  if (adapter instanceof Promise) return 'is a promise: await it first';
  const given = (adapter ?? {}) as Given;
  const missing = functions.find((name) => typeof given[name] !== 'function');
  return missing === undefined ? undefined : `has no function ${missing}`;
}

/** What is wrong with the adapters of ports; undefined if nothing is. One that is `undefined` is not given. */
export function portProblem(ports: object): string | undefined {
  for (const [name, adapter] of Object.entries(ports as Given)) {
    const problem =
      adapter === undefined ? undefined : lack(adapter, FUNCTIONS[name as keyof typeof FUNCTIONS]);
    if (problem !== undefined) return `${name} ${problem}`;
  }
  return undefined;
}

/** What is wrong with one broker, after its name. */
function faultOf(broker: Given, names: readonly unknown[]): string | undefined {
  if (!BROKER_NAME.test(String(broker['name'])))
    return 'must have a name of letters a to z, digits and _, such as my_broker';
  if (names.filter((name) => name === broker['name']).length > 1)
    return 'is there twice: give each its own name';
  if (typeof broker['live'] !== 'boolean')
    return 'must tell by `live`, true or false, whether it trades real money';
  if (!Array.isArray(broker['asksFor'])) return 'must have a list asksFor, which may be empty';
  return lack(broker, OF_A_BROKER);
}

/** What is wrong with the brokers to add; undefined if nothing is. */
export function brokersProblem(brokers: unknown): string | undefined {
  if (!Array.isArray(brokers)) return 'addBrokers must be a list of brokers';
  const given = brokers.map((broker: unknown) => (broker ?? {}) as Given);
  if (given.some((broker) => typeof broker['name'] !== 'string'))
    return 'each of addBrokers must be a broker with a name';
  const names = given.map((broker) => broker['name']);
  for (const broker of given) {
    const fault = faultOf(broker, names);
    if (fault !== undefined) return `the broker "${String(broker['name'])}" of addBrokers ${fault}`;
  }
  return undefined;
}
