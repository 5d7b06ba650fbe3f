import type { AnnouncedActions } from './market/announced-actions.js';
import type { Brokers } from './mirroring/broker.js';
import type { Clock } from './clock.js';
import type { Events } from './events.js';
import type { Ids } from './ids.js';
import type { Log } from './log.js';
import type { Mailer } from './messages/mail.js';
import type { MarketCalendar } from './market/market-calendar.js';
import type { MarketFeed } from './market/market-feed.js';
import type { Pause } from './pause.js';
import type { PaymentGateway } from './billing/payment-gateway.js';
import type { ReportPages } from './report-pages.js';
import type {
  AccessTokens,
  Fingerprints,
  OneTimePasswords,
  Passwords,
  SecretBox,
} from './secrets.js';
import type { EndpointSender } from './endpoints/endpoint-sender.js';
import type { Disk } from './storage/disk.js';
import type { TradingHours } from './market/trading-hours.js';
import type { TimestampAuthority } from './performance/timestamp-authority.js';
import type { UnitOfWork } from './storage/unit-of-work.js';

/** Everything that the core needs from outside. */
export interface Ports {
  readonly unitOfWork: UnitOfWork;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly tradingHours: TradingHours;
  readonly marketFeed: MarketFeed;
  /** Without it the operator books every corporate action (newStockAction). */
  readonly announcedActions?: AnnouncedActions | undefined;
  /** Without it the exchanges follow their rules only. */
  readonly marketCalendar?: MarketCalendar | undefined;
  readonly brokers: Brokers;
  readonly passwords: Passwords;
  readonly oneTimePasswords: OneTimePasswords;
  readonly accessTokens: AccessTokens;
  readonly secretBox: SecretBox;
  readonly fingerprints: Fingerprints;
  readonly mailer: Mailer;
  readonly paymentGateway: PaymentGateway;
  /** Without it the free space of the disk is not known. */
  readonly disk?: Disk | undefined;
  /** Without it there are no reports. */
  readonly reportPages?: ReportPages | undefined;
  /** Without it anchors have no stamps. */
  readonly timestampAuthority?: TimestampAuthority | undefined;
  /** Without it no event leaves the service. */
  readonly endpointSender?: EndpointSender | undefined;
  readonly pause: Pause;
  readonly log: Log;
}
