import type { Timestamp, UserId } from '@slipstream/domain';

/** A request that came with an Idempotency-Key and took effect (contract 1, "Idempotency"). */
export interface KeptAnswer {
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

/** Keeps answers by name. */
export interface KeptAnswerStore {
  find(name: string): Promise<KeptAnswer | undefined>;
  /** Oldest first, ties in any order, at most `limit` names of those made before that time. */
  expired(before: Timestamp, limit: number): Promise<string[]>;
  /** A user's rows that have an answer, oldest first, ties in any order. */
  answered(userId: UserId, limit: number): Promise<KeptAnswer[]>;
  save(answer: KeptAnswer): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
}
