import type {
  AccessTokens,
  Broker,
  Clock,
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
  Storage,
  TradingHours,
  UnitOfWork,
} from '@slipstream/ports';
import type { ServerSettings } from './settings/settings.js';
import type { Timers } from './system.js';

/** Adapters in place of those that the settings choose, one a port. */
export interface PortAdapters {
  readonly unitOfWork?: UnitOfWork | Storage;
  readonly marketFeed?: MarketFeed;
  readonly tradingHours?: TradingHours;
  readonly mailer?: Mailer;
  readonly paymentGateway?: PaymentGateway;
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

/** Adapters of a host. The server closes every one that has a `close`, the storage last. */
export interface Adapters extends PortAdapters {
  /** Beside the brokers of this server; one with the name of another takes its place. */
  readonly addBrokers?: readonly Broker[];
}

/** What a module of `--with` exports as its default: adapters, or a function that opens them. */
export type AdaptersModule =
  | Adapters
  | ((host: {
      readonly settings: ServerSettings;
      readonly log: Log;
    }) => Adapters | Promise<Adapters>);

async function close(adapter: object): Promise<void> {
  if ('close' in adapter && typeof adapter.close === 'function')
    await (adapter as { close(): Promise<void> | void }).close();
}

/** Closes what the host gave; one that fails does not keep the others open. */
export async function closeAdapters({
  addBrokers = [],
  unitOfWork,
  ...others
}: Adapters): Promise<void> {
  const first = await Promise.allSettled([...addBrokers, ...Object.values(others)].map(close));
  if (unitOfWork) await close(unitOfWork);
  for (const closed of first) if (closed.status === 'rejected') throw closed.reason;
}
