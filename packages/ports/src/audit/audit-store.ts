import type { AuditEntry, ChainHead } from '@slipstream/domain';

/** Keeps the audit log. An entry stays until it is in an archive. */
export interface AuditStore {
  /** The last entry, as this transaction sees it: the next entry follows it. Undefined while there is none. */
  last(): Promise<ChainHead | undefined>;
  /** The entries after `seq`, oldest first. */
  listAfter(seq: number, limit: number): Promise<AuditEntry[]>;
  /** The last entry that is in an archive; undefined while none is. */
  archived(): Promise<ChainHead | undefined>;
  /** @throws unless the entry is the one after the last. */
  save(entry: AuditEntry): Promise<void>;
  /**
   * Removes at most `limit` of the entries up to `upTo`, oldest first, because they are in an archive. Throws when there is no such
   * entry, when it is the last one (the next entry follows it), or when a later entry is archived already.
   */
  remove(upTo: ChainHead, limit: number): Promise<number>;
}
