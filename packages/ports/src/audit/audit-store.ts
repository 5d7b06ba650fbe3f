import type { AuditEntry, AuditHead } from '@slipstream/domain';

/** Keeps the audit log; append-only. */
export interface AuditStore {
  /** What the next entry follows, as this work sees it; undefined while there is none. */
  last(): Promise<AuditHead | undefined>;
  /** Oldest first, those after `seq`. */
  listAfter(seq: number, limit: number): Promise<AuditEntry[]>;
  /** Throws unless the entry is the one after the last. */
  save(entry: AuditEntry): Promise<void>;
}
