import type { Timestamp, UserId } from '@slipstream/domain';

/** A request that came with an Idempotency-Key and took effect (contract 1, "Idempotency"). */
export interface IdempotencyRecord {
  /** Stands for caller, route and key, and tells none of them. */
  readonly name: string;
  /** Tells whether a body is the same; not what it was. */
  readonly bodyMac: string;
  /** What was answered, sealed; null while only the change itself is known to be done. */
  readonly sealedAnswer: string | null;
  /** Whose request it was; null when nobody's, or when it was kept before this was known. */
  readonly userId: UserId | null;
  readonly createdAt: Timestamp;
}

/** Keeps the records of such requests by name. */
export interface IdempotencyRecordStore {
  find(name: string): Promise<IdempotencyRecord | undefined>;
  /** Oldest first, ties in any order, at most `limit` names of those made before that time. */
  expired(before: Timestamp, limit: number): Promise<string[]>;
  /** A user's rows that have an answer, oldest first, ties in any order. */
  answered(userId: UserId, limit: number): Promise<IdempotencyRecord[]>;
  /**
   * Keeps the first record of a name. False, and nothing is changed, when there is one that was made after `expiredAt`; of
   * two transactions that add the same name at once, one gets false.
   */
  add(record: IdempotencyRecord, expiredAt: Timestamp): Promise<boolean>;
  save(record: IdempotencyRecord): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
}
