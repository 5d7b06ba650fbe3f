import type { Query } from '../storage/queries.js';

/** A write, and how many rows it must change. */
export type OwnWrite = readonly [query: Query<unknown>, changes: number | undefined];

/** Tables that refer to each other, or whose triggers read each other's rows: their writes keep their order. */
const FAMILIES: Readonly<Record<string, string>> = {
  subscriptions: 'strategies',
  likes: 'posts',
  audit_archives: 'audit_entries',
  bot_strategies: 'bots',
  claimed_histories: 'strategies',
};
export const familyOf = (table: string): string => FAMILIES[table] ?? table;

/** Written by triggers of many tables. */
const DERIVED: ReadonlySet<string> = new Set(['counts', 'user_figures', 'user_storage']);

const familyWritten = ({ tables }: Query<unknown>): string | undefined =>
  tables?.[0] === undefined ? undefined : familyOf(tables[0]);

/** True when what the query reads may be what the other one writes. */
export function touches(read: Query<unknown>, written: Query<unknown>): boolean {
  const table = written.tables?.[0];
  if (table === undefined || !read.tables) return true;
  return read.tables.some((name) => DERIVED.has(name) || familyOf(name) === familyOf(table));
}

/** Writes until the database gets them: of a work that throws before, nothing is undone. */
export class OwnWrites {
  private writes: OwnWrite[] = [];
  /** Of their tables; undefined stands for a table that is not known. */
  private families = new Set<string | undefined>();

  get count(): number {
    return this.writes.length;
  }

  add(query: Query<unknown>, changes: number | undefined): void {
    this.writes.push([query, changes]);
    this.families.add(familyWritten(query));
  }

  addAll(writes: readonly OwnWrite[]): void {
    for (const [query, changes] of writes) this.add(query, changes);
  }

  /** True when what the query reads may be among them. */
  isTouchedBy({ tables }: Query<unknown>): boolean {
    if (this.count === 0) return false;
    if (!tables || this.families.has(undefined)) return true;
    return tables.some((name) => DERIVED.has(name) || this.families.has(familyOf(name)));
  }

  /** In their order; there are none then. */
  take(): readonly OwnWrite[] {
    const taken = this.writes;
    this.writes = [];
    if (taken.length > 0) this.families = new Set();
    return taken;
  }
}
