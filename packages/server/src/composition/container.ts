import 'reflect-metadata';
import { alwaysOpen, exchangeHours } from '@slipstream/adapter-market';
import {
  argon2Passwords,
  randomAccessTokens,
  sha256Fingerprints,
  totpPasswords,
  uuidV7Ids,
} from '@slipstream/adapter-crypto';
import { KnownBooks, LiveState, createApplication } from '@slipstream/application';
import {
  type Brokers,
  type Clock,
  type Ids,
  type Log,
  type Timers,
  type TradingHours,
  type UnitOfWork,
  eventBus,
} from '@slipstream/ports';
import { reportPages } from '@slipstream/report';
import { rfc3161Authority } from '@slipstream/adapter-timestamp';
import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import type { PortAdapters } from './adapter-shapes.js';
import type { BrokerParts } from './brokers.js';
import { guessLimits } from '../settings/limit-settings.js';
import { endpointSenderOf } from './endpoints.js';
import { mail, publicUrl } from './mail.js';
import { watchDisk } from '../monitoring/disk.js';
import { hostClock } from '../monitoring/host-clock.js';
import {
  type OutsideCalls,
  outsideCalls,
  timedBrokers,
  timedParty,
} from '../monitoring/outside-calls.js';
import { announcedActionsOf, marketCalendarOf, marketOf } from './market.js';
import { payments } from './payments.js';
import { storage } from './storage.js';
import type { ServerSettings } from '../settings/settings.js';
import { INTERFACE_VERSION } from '../version.js';
import { systemPause, systemTimers } from '../system.js';
import {
  SETTINGS,
  LOG,
  CLOCK,
  HOST_CLOCK,
  TIMERS,
  IDS,
  EVENTS,
  UNIT_OF_WORK,
  TRADING_HOURS,
  MARKET_FEED,
  BROKERS,
  OUTSIDE_CALLS,
  PASSWORDS,
  ONE_TIME_PASSWORDS,
  ACCESS_TOKENS,
  SECRET_BOX,
  FINGERPRINTS,
  MAILER,
  PAYMENT_GATEWAY,
  PUBLIC_ADDRESS,
  ENDPOINT_SENDER,
  DISK,
  KNOWN_BOOKS,
  LIVE_STATE,
  APPLICATION,
  type PublicAddress,
} from './tokens.js';

type Tokens = Readonly<Record<string, ServiceIdentifier<unknown>>>;
type Named<Of extends Tokens> = {
  readonly [Name in keyof Of]: Of[Name] extends ServiceIdentifier<infer Service> ? Service : never;
};

/** A factory of many parts that names each of them once, in place of a list of parameters and a list of tokens. */
const named = <Of extends Tokens, Made>(
  tokens: Of,
  make: (parts: Named<Of>) => Made,
): [(...parts: unknown[]) => Made, ServiceIdentifier<unknown>[]] => {
  const names = Object.keys(tokens);
  return [
    (...parts) => make(Object.fromEntries(names.map((name, at) => [name, parts[at]])) as Named<Of>),
    Object.values(tokens),
  ];
};

/** The host's clock and timers. */
const systemTime = new ContainerModule(({ bind }) => {
  bind(HOST_CLOCK).toResolvedValue((log: Log) => hostClock({ log }), [LOG]);
  bind(CLOCK).toService(HOST_CLOCK);
  bind(TIMERS).toConstantValue(systemTimers);
});

const market = (settings: ServerSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(TRADING_HOURS).toResolvedValue(() =>
      settings.TRADING_HOURS === 'always' ? alwaysOpen() : exchangeHours(),
    );
    bind(MARKET_FEED).toResolvedValue(
      (clock: Clock, timers: Timers, log: Log) => marketOf(settings, { clock, timers, log }),
      [CLOCK, TIMERS, LOG],
    );
  });

/** The secret box is bound separately, because its keys depend on the stored data. */
const secrets = new ContainerModule(({ bind }) => {
  bind(PASSWORDS).toResolvedValue(() => argon2Passwords());
  bind(ONE_TIME_PASSWORDS).toResolvedValue(totpPasswords);
  bind(ACCESS_TOKENS).toResolvedValue(randomAccessTokens);
  bind(FINGERPRINTS).toResolvedValue(sha256Fingerprints);
});

/** Every broker of this server, by its name. */
const brokers = (make: (parts: BrokerParts) => Brokers): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(BROKERS).toResolvedValue(
      (unitOfWork: UnitOfWork, ids: Ids, clock: Clock, live: LiveState, calls: OutsideCalls) =>
        timedBrokers(make({ unitOfWork, ids, clock, live }), calls),
      [UNIT_OF_WORK, IDS, CLOCK, LIVE_STATE, OUTSIDE_CALLS],
    );
  });

/** The disk of the database, if it is a file of the settings. */
const diskOf = ({ unitOfWork }: PortAdapters): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(DISK)
      .toResolvedValue(
        (settings: ServerSettings, timers: Timers, log: Log) =>
          // Only the host knows the disk of a storage of its own.
          watchDisk(unitOfWork ? { DATABASE_URL: { kind: 'memory' } } : settings, timers, log),
        [SETTINGS, TIMERS, LOG],
      )
      .onDeactivation((watched) => watched.stop());
  });

/** The sources outside that a server may do without: the host's, or those of the settings. */
function sourcesOf(settings: ServerSettings, log: Log, calls: OutsideCalls, given: PortAdapters) {
  const { TIMESTAMP_URL: url } = settings;
  const {
    announcedActions = announcedActionsOf(settings, log),
    marketCalendar = marketCalendarOf(settings),
    timestampAuthority = url === undefined ? undefined : rfc3161Authority({ url }),
  } = given;
  return {
    announcedActions: timedParty('corporate_actions', announcedActions, calls),
    marketCalendar: timedParty('calendar', marketCalendar, calls),
    timestampAuthority: timedParty('time_stamps', timestampAuthority, calls),
  };
}

const core = (adapters: PortAdapters): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(OUTSIDE_CALLS).toResolvedValue(outsideCalls);
    bind(ENDPOINT_SENDER).toResolvedValue(endpointSenderOf, [SETTINGS]);
    bind(IDS).toResolvedValue((clock: Clock) => uuidV7Ids(clock), [CLOCK]);
    bind(EVENTS).toResolvedValue(
      (log: Log) => eventBus((error, { kind }) => log.error({ error, kind }, 'a listener failed')),
      [LOG],
    );
    bind(PUBLIC_ADDRESS).toResolvedValue(
      (settings: ServerSettings): PublicAddress => ({ url: publicUrl(settings) }),
      [SETTINGS],
    );
    bind(LIVE_STATE).toResolvedValue(
      (hours: TradingHours, settings: ServerSettings, address: PublicAddress, books: KnownBooks) =>
        new LiveState(hours, settings.QUOTE_FRESH_SECONDS * 1000, {
          ...{ marketKind: settings.MARKET, books },
          publicUrl: () => address.url,
        }),
      [TRADING_HOURS, SETTINGS, PUBLIC_ADDRESS, KNOWN_BOOKS],
    );
    bind(APPLICATION).toResolvedValue(
      ...named(
        {
          settings: SETTINGS,
          address: PUBLIC_ADDRESS,
          live: LIVE_STATE,
          calls: OUTSIDE_CALLS,
          unitOfWork: UNIT_OF_WORK,
          clock: CLOCK,
          ids: IDS,
          events: EVENTS,
          tradingHours: TRADING_HOURS,
          marketFeed: MARKET_FEED,
          brokers: BROKERS,
          passwords: PASSWORDS,
          oneTimePasswords: ONE_TIME_PASSWORDS,
          accessTokens: ACCESS_TOKENS,
          secretBox: SECRET_BOX,
          fingerprints: FINGERPRINTS,
          mailer: MAILER,
          paymentGateway: PAYMENT_GATEWAY,
          disk: DISK,
          endpointSender: ENDPOINT_SENDER,
          log: LOG,
        },
        ({ settings, address, live, calls, mailer, paymentGateway, ...ports }) =>
          createApplication(
            {
              ...ports,
              ...sourcesOf(settings, ports.log, calls, adapters),
              mailer: timedParty('mail', mailer, calls),
              paymentGateway: timedParty('payments', paymentGateway, calls),
              reportPages,
              pause: systemPause,
            },
            {
              market: settings.MARKET,
              version: INTERFACE_VERSION,
              disclosure: settings.DISCLOSURE,
              pushTrusted: settings.PUSH_TRUSTED === 'on',
              quoteFreshFor: settings.QUOTE_FRESH_SECONDS * 1000,
              signup: settings.SIGNUP,
              confirmEmail: settings.CONFIRM_EMAIL,
              caps: settings.CAPS,
              maxSpread: settings.MAX_SPREAD,
              guesses: guessLimits(settings.RATE_LIMITS),
              get publicUrl() {
                return address.url;
              },
            },
            live,
          ),
      ),
    );
  });

const TOKENS: {
  readonly [
    Name in Exclude<keyof PortAdapters, 'secretBox' | keyof ReturnType<typeof sourcesOf>>
  ]-?: ServiceIdentifier<unknown>;
} = {
  unitOfWork: UNIT_OF_WORK,
  marketFeed: MARKET_FEED,
  tradingHours: TRADING_HOURS,
  mailer: MAILER,
  paymentGateway: PAYMENT_GATEWAY,
  endpointSender: ENDPOINT_SENDER,
  passwords: PASSWORDS,
  oneTimePasswords: ONE_TIME_PASSWORDS,
  accessTokens: ACCESS_TOKENS,
  fingerprints: FINGERPRINTS,
  clock: CLOCK,
  timers: TIMERS,
  ids: IDS,
  events: EVENTS,
};

/** The host's adapters, which replace those of the settings. */
const replacing = (adapters: PortAdapters): ContainerModule =>
  new ContainerModule(({ rebind }) => {
    for (const name of Object.keys(TOKENS) as (keyof typeof TOKENS)[]) {
      const adapter = adapters[name];
      if (adapter) rebind(TOKENS[name]).toConstantValue(adapter);
    }
  });

/**
 * All adapters, of the settings and of the host, wired together; only the secret box is missing. `books`: those that were
 * read already.
 */
export function createContainer(
  settings: ServerSettings,
  log: Log,
  makeBrokers: (parts: BrokerParts) => Brokers,
  adapters: PortAdapters = {},
  books = new KnownBooks(),
): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(SETTINGS).toConstantValue(settings);
  container.bind(LOG).toConstantValue(log);
  container.bind(KNOWN_BOOKS).toConstantValue(books);
  container.load(
    systemTime,
    storage(UNIT_OF_WORK, LOG, settings),
    market(settings),
    secrets,
    brokers(makeBrokers),
    diskOf(adapters),
    core(adapters),
  );
  container.load(mail(MAILER, LOG, settings));
  container.load(payments(PAYMENT_GATEWAY, CLOCK, settings, `${publicUrl(settings)}/docs`));
  container.load(replacing(adapters));
  return container;
}
