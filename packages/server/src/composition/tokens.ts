import type { Application, KnownBooks, LiveState } from '@slipstream/application';
import type {
  AccessTokens,
  Brokers,
  Clock,
  EndpointSender,
  Events,
  Fingerprints,
  Ids,
  Log,
  Mailer,
  MarketFeed,
  OneTimePasswords,
  Passwords,
  PaymentGateway,
  SecretBox,
  Timers,
  TradingHours,
  UnitOfWork,
} from '@slipstream/ports';
import type { ServiceIdentifier } from 'inversify';
import type { WatchedDisk } from '../monitoring/disk.js';
import type { HostClock } from '../monitoring/host-clock.js';
import type { OutsideCalls } from '../monitoring/outside-calls.js';
import type { ServerSettings } from '../settings/settings.js';

const token = <T>(name: string): ServiceIdentifier<T> => Symbol.for(`slipstream.${name}`);

export const SETTINGS = token<ServerSettings>('Settings');
export const LOG = token<Log>('Log');
export const CLOCK = token<Clock>('Clock');
/** What `CLOCK` is, unless the host brings a clock of its own. */
export const HOST_CLOCK = token<HostClock>('HostClock');
export const TIMERS = token<Timers>('Timers');
export const IDS = token<Ids>('Ids');
export const EVENTS = token<Events>('Events');
export const UNIT_OF_WORK = token<UnitOfWork>('UnitOfWork');
export const TRADING_HOURS = token<TradingHours>('TradingHours');
export const MARKET_FEED = token<MarketFeed>('MarketFeed');
export const BROKERS = token<Brokers>('Brokers');
export const OUTSIDE_CALLS = token<OutsideCalls>('OutsideCalls');
export const PASSWORDS = token<Passwords>('Passwords');
export const ONE_TIME_PASSWORDS = token<OneTimePasswords>('OneTimePasswords');
export const ACCESS_TOKENS = token<AccessTokens>('AccessTokens');
export const SECRET_BOX = token<SecretBox>('SecretBox');
export const FINGERPRINTS = token<Fingerprints>('Fingerprints');
export const MAILER = token<Mailer>('Mailer');
export const PAYMENT_GATEWAY = token<PaymentGateway>('PaymentGateway');
/** The server's address from outside; with PORT=0 it is known once the server listens. */
export interface PublicAddress {
  url: string;
}
export const PUBLIC_ADDRESS = token<PublicAddress>('PublicAddress');
export const ENDPOINT_SENDER = token<EndpointSender>('EndpointSender');
export const DISK = token<WatchedDisk>('Disk');
export const KNOWN_BOOKS = token<KnownBooks>('KnownBooks');
export const LIVE_STATE = token<LiveState>('LiveState');
export const APPLICATION = token<Application>('Application');
