import type { BrokerConnection, ConnectionId, Timestamp, UserId } from '@slipstream/domain';

/** Keeps the connections to brokers that users began. Absence is `undefined`; `save` adds or replaces. */
export interface ConnectionStore {
  find(connectionId: ConnectionId): Promise<BrokerConnection | undefined>;
  /** The one whose state, which is not used yet, has that digest. */
  findByState(digest: string): Promise<BrokerConnection | undefined>;
  /** Newest first, ties by the later id. */
  listOf(userId: UserId): Promise<BrokerConnection[]>;
  /** Those whose end is at or before `now`, longest ended first, ties by id. */
  expired(now: Timestamp, limit: number): Promise<ConnectionId[]>;
  save(connection: BrokerConnection): Promise<void>;
  /** Removes nothing when there is no such connection. */
  remove(connectionId: ConnectionId): Promise<void>;
}
