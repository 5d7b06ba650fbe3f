import { familyOf, touches } from '../commits/own-writes.js';
import type { Query, RowWrite } from '../storage/queries.js';
import { type Schema, statementOfRows } from './row-writes.js';

/** A statement to be sent, and how many rows it must change. */
export interface CollectedWrite extends Query<unknown> {
  readonly changes: number | undefined;
}

/** Rows of one statement, or a statement of its own. */
interface Slot {
  readonly query: Query<unknown>;
  readonly rows: Map<string, readonly unknown[]>;
  changes: number | undefined;
}

const keyOf = ({ keyAt }: RowWrite, parameters: readonly unknown[]): string =>
  keyAt.map((at) => String(parameters[at])).join('\n');

/** True when the slot must stay before the write: it may be about the same row. */
function bars({ query, rows }: Slot, write: RowWrite, key: string): boolean {
  const table = query.tables?.[0];
  if (table === undefined) return true;
  if (familyOf(table) !== familyOf(write.table)) return false;
  return query.write === undefined || table !== write.table || rows.has(key);
}

/**
 * Collected writes. Those of one kind on rows of one table become one statement, as far as that changes nothing: of
 * several on one row the last is made, and a row that must be as it was read must be as the first of them read it.
 */
export class WriteSet {
  private slots: Slot[] = [];

  constructor(private readonly schema: Schema) {}

  get isEmpty(): boolean {
    return this.slots.length === 0;
  }

  /** True when what the query reads may be among the writes. */
  isTouchedBy(read: Query<unknown>): boolean {
    return this.slots.some(({ query }) => touches(read, query));
  }

  add(query: Query<unknown>, changes: number | undefined, isMerging: boolean): void {
    const { write, parameters } = query;
    const key = write ? keyOf(write, parameters) : '';
    const slot = write && isMerging ? this.slotFor(write, key) : undefined;
    if (slot) join(slot, write as RowWrite, key, parameters);
    else this.slots.push({ query, rows: new Map([[key, parameters]]), changes });
  }

  /** The statements in their order; the set is empty then. */
  take(): CollectedWrite[] {
    const taken = this.slots.map(({ query, rows, changes }) => {
      const { write } = query;
      if (!write) return { ...query, changes };
      const all = [...rows.values()];
      return {
        sql: statementOfRows(write, this.schema),
        parameters: write.columns.map((_, at) => all.map((row) => row[at])),
        changes: changes === undefined ? undefined : all.length,
      };
    });
    this.slots = [];
    return taken;
  }

  /** Whether a later write of a row may hide an earlier one: no insert of a row that is there, and no key that was taken. */
  private isReplaceable({ kind, table }: RowWrite): boolean {
    return kind !== 'insert' && !this.schema.unique.has(table);
  }

  private slotFor(write: RowWrite, key: string): Slot | undefined {
    for (let at = this.slots.length - 1; at >= 0; at -= 1) {
      const slot = this.slots[at] as Slot;
      if (slot.query.write === write && (this.isReplaceable(write) || !slot.rows.has(key)))
        return slot;
      if (bars(slot, write, key)) return undefined;
    }
    return undefined;
  }
}

function join(slot: Slot, write: RowWrite, key: string, parameters: readonly unknown[]): void {
  const before = slot.rows.get(key);
  // At the end, so that rows that take the place of each other keep their order.
  slot.rows.delete(key);
  slot.rows.set(
    key,
    before && write.guard !== undefined ? [...parameters.slice(0, -1), before.at(-1)] : parameters,
  );
}
