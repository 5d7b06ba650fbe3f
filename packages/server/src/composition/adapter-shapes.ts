import type {
  AccessTokens,
  AnnouncedActions,
  Broker,
  Clock,
  EndpointSender,
  Events,
  Fingerprints,
  Ids,
  Mailer,
  MarketCalendar,
  MarketFeed,
  OneTimePasswords,
  Passwords,
  PaymentGateway,
  SecretBox,
  Storage,
  Timers,
  TimestampAuthority,
  TradingHours,
  UnitOfWork,
} from '@slipstream/ports';

/** Adapters that replace those chosen by the settings, by the name of their port. */
export interface PortAdapters {
  readonly unitOfWork?: UnitOfWork | Storage;
  readonly marketFeed?: MarketFeed;
  readonly tradingHours?: TradingHours;
  readonly announcedActions?: AnnouncedActions;
  readonly marketCalendar?: MarketCalendar;
  readonly timestampAuthority?: TimestampAuthority;
  readonly mailer?: Mailer;
  readonly paymentGateway?: PaymentGateway;
  readonly endpointSender?: EndpointSender;
  readonly passwords?: Passwords;
  readonly oneTimePasswords?: OneTimePasswords;
  readonly accessTokens?: AccessTokens;
  readonly secretBox?: SecretBox;
  readonly fingerprints?: Fingerprints;
  readonly clock?: Clock;
  readonly timers?: Timers;
  readonly ids?: Ids;
  readonly events?: Events;
}

/** The names of the functions that every adapter of a port has; others it may have. */
type Functions<Port> = {
  [Name in keyof Port]-?: Port[Name] extends (...given: never[]) => unknown ? Name : never;
}[keyof Port];
type Needed<Port> = Readonly<Record<Functions<Port>, true>>;

/** The functions that an adapter of each port must have. */
export const FUNCTIONS = {
  unitOfWork: { run: true, read: true, subscribe: true },
  marketFeed: { start: true, health: true, stop: true },
  tradingHours: { sessionAt: true, nextSession: true },
  announcedActions: { between: true },
  marketCalendar: { between: true },
  timestampAuthority: { stamp: true },
  mailer: { send: true },
  paymentGateway: {
    ...{ productId: true, link: true, confirmation: true, unlink: true },
    ...{ charge: true, refund: true, standing: true, payOut: true },
  },
  endpointSender: { bodyOf: true, problemOf: true, newSecret: true, send: true },
  passwords: { hash: true, verify: true, isCommon: true },
  oneTimePasswords: { newSecret: true, stepOf: true, newRecoveryCode: true },
  accessTokens: { issue: true, digest: true },
  secretBox: { seal: true, open: true, mac: true, verify: true },
  fingerprints: { of: true, sha256: true },
  clock: { now: true },
  timers: { every: true },
  ids: { next: true },
  events: { publish: true, subscribe: true },
} as const satisfies {
  readonly [Name in keyof PortAdapters]-?: Needed<NonNullable<PortAdapters[Name]>>;
};

const OF_A_BROKER: Needed<Broker> = {
  ...{ link: true, account: true, rules: true },
  ...{ place: true, find: true, cancel: true },
};

/** Bots, halts, documents and addresses name a broker by it. */
const BROKER_NAME = /^[a-z][a-z0-9_]{0,49}$/;

type Given = Readonly<Record<string, unknown>>;

/** What an adapter in plain JavaScript lacks; undefined if it is whole. */
function lack(adapter: unknown, functions: object): string | undefined {
  if (adapter instanceof Promise) return 'is a promise: await it first';
  const given = (adapter ?? {}) as Given;
  const missing = Object.keys(functions).find((name) => typeof given[name] !== 'function');
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
