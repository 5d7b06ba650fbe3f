import type { ConnectionId, Timestamp, UserId } from '../ids.js';
import { HOUR, MINUTE } from '../time.js';

/** The user was sent to the broker's page and is expected back. */
export interface AskedBroker {
  readonly kind: 'asked';
  /** Hex SHA-256 of the state, which works once. */
  readonly stateDigest: string;
  /** The sealed secret that proves to the broker who asked for the code. */
  readonly sealed: string;
}

/** The broker gave access to an account; a bot takes it once the user has confirmed that the account is meant. */
export interface GrantedAccount {
  readonly kind: 'granted';
  readonly accountId: string;
  /** How the broker names the account for its owner. */
  readonly label: string;
  /** The sealed credentials. */
  readonly sealed: string;
}

/** Access to an account that a user gives on the broker's own page instead of credentials (contract 10, "Connect by OAuth"). */
export interface BrokerConnection {
  readonly id: ConnectionId;
  readonly userId: UserId;
  readonly broker: string;
  readonly progress: AskedBroker | GrantedAccount;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
}

/** How long each part of a connection lasts, in milliseconds. */
export const CONNECTION_LIFETIMES: Readonly<Record<BrokerConnection['progress']['kind'], number>> =
  { asked: 10 * MINUTE, granted: HOUR };

/** newConnection's answer. */
export interface AskedConnectionView {
  /** The broker's page that asks the user. */
  readonly url: string;
  readonly expiresAt: Timestamp;
}

/** finishConnection's answer: the account that the user confirms by giving the connection to a bot. */
export interface GrantedAccountView {
  readonly id: ConnectionId;
  readonly broker: string;
  readonly accountId: string;
  readonly label: string;
  readonly live: boolean;
  /** Sentences about what will not work, or not as expected. */
  readonly warnings: readonly string[];
  readonly expiresAt: Timestamp;
}
