import type { Timestamp, UserId } from '@slipstream/domain';

/** A request that came with an Idempotency-Key and took effect (contract 1, "Idempotency"). */
export interface IdempotencyRecord {
  /** Identifies caller, route and key, and reveals none of them. */
  readonly name: string;
  /** Shows whether a body is the same, without revealing it. */
  readonly bodyMac: string;
  /** The sealed answer; null while only the change itself is recorded. */
  readonly sealedAnswer: string | null;
  /** The user who sent the request; null when there was none, or when the row is older than this field. */
  readonly userId: UserId | null;
  readonly createdAt: Timestamp;
}

/** Keeps the records of such requests by name. */
export interface IdempotencyRecordStore {
  find(name: string): Promise<IdempotencyRecord | undefined>;
  /** At most `limit` names of answers made before that time, oldest first, ties in any order. */
  expired(before: Timestamp, limit: number): Promise<string[]>;
  /** The user's rows that have an answer, oldest first, ties in any order. */
  answered(userId: UserId, limit: number): Promise<IdempotencyRecord[]>;
  /**
   * Keeps the first record of a name. False, and nothing is changed, when there is one that was made after `expiredAt`; of
   * two transactions that add the same name at once, one gets false.
   */
  add(record: IdempotencyRecord, expiredAt: Timestamp): Promise<boolean>;
  save(record: IdempotencyRecord): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
}
