import type { AuditEntry, AuditHead } from '@slipstream/domain';

/** Keeps the audit log: what is added stays, until it is in an archive. */
export interface AuditStore {
  /** What the next entry follows, as this work sees it; undefined while there is none. */
  last(): Promise<AuditHead | undefined>;
  /** Oldest first, those after `seq`. */
  listAfter(seq: number, limit: number): Promise<AuditEntry[]>;
  /** The last entry that is in an archive; undefined while none is. */
  archived(): Promise<AuditHead | undefined>;
  /** @throws unless the entry is the one after the last. */
  save(entry: AuditEntry): Promise<void>;
  /**
   * The entries up to that one are in an archive: removes at most `limit` of them, oldest first. Throws when there is no such entry,
   * when it is the last one, which the next one follows, or when more is archived already.
   */
  remove(upTo: AuditHead, limit: number): Promise<number>;
}
