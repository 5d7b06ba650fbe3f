import type { Action, Decimal, Stock, Timestamp } from '@slipstream/domain';
import type { Broker, BrokerAccess, BrokerLink, Instruments } from '@slipstream/ports';

/** What may go wrong with a question to the broker. `unreadable`: it did what was asked and answered 200 with nonsense. */
export type BrokerTrouble = 'unreachable' | 'rate_limited' | 'refused' | 'unreadable';

/** A broker with an empty account to link, and control of the world around it. */
export interface BrokerFixture {
  readonly broker: Broker;
  /** Links an account with at least 5,000 USD in cash. */
  readonly link: BrokerLink;
  /** Links another account with at least 5,000 USD, of another owner. */
  readonly otherLink: BrokerLink;
  /** A link that the broker refuses. */
  readonly wrongLink: BrokerLink;
  /** Quoted, in session, affordable: 10 of it cost less than 2,000 USD. */
  readonly stock: Stock;
  /** As `stock`, with the same ticker; the account trades it too. On another exchange, if its accounts trade at several. */
  readonly twin: Stock;
  /** An instrument of this service that the account does not trade. */
  readonly unlisted: Stock;
  /** All instruments of this service, these three among them. */
  readonly instruments: Instruments;
  /** The share of what is bought that the broker keeps as its fee; zero when it takes fees in cash. */
  readonly feeInAsset: Decimal;
  /** The time by the clock of this service. */
  now(): Timestamp;
  /** Time passes until the broker is at rest: what can be filled is, cancellations have arrived. */
  settle(): Promise<void>;
  /** The next `place` reaches the broker; its answer does not come back. */
  loseNextAnswer(): void;
  /** The next `place` does not reach the broker. */
  loseNextRequest(): void;
  /** The next call of the method meets that trouble; unless it is `unreadable`, the call does nothing at the broker. */
  troubleNext(
    method: 'link' | 'place' | 'find' | 'cancel' | 'account' | 'activities' | 'rules',
    trouble: BrokerTrouble,
  ): void;
  /** The next order fills in part; the rest stays open until it is cancelled, expires or is settled. */
  fillNextInPart(): void;
  /** Ends the open orders of the account without the rest of their fills, as the end of a day does. */
  expireOrders(access: BrokerAccess): Promise<void>;
  /** The account's owner trades `stock` beside the bot; it is filled when this resolves. */
  tradeByHand(access: BrokerAccess, action: Action, amount: Decimal): Promise<void>;
  /** The account's owner moves cash, and so much of `stock`, in or out; null when the broker reports no activities. */
  readonly transfer:
    | ((access: BrokerAccess, cash: Decimal, amount: Decimal) => Promise<void>)
    | null;
  /** `stock` alone cannot be traded, though its market is open. */
  haltStock(): void;
  resumeStock(): void;
  /** Nothing can be traded: the session is over, or trading is interrupted where no session ends. */
  closeMarket(): void;
  openMarket(): void;
}
