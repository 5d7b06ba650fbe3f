import type { Event } from '@slipstream/ports';
import type { Connection } from './connection.js';
import { QueryFailed, TransactionLost } from './failures.js';
import type { Query } from './queries.js';
import type { Records } from './record-cache.js';

/** Executes the stores' queries inside one transaction. */
export interface Session {
  /** Like statements, not usable after the end of the transaction or when it is lost. */
  readonly records: Records;
  rows<Row>(query: Query<Row>): Row[];
  row<Row>(query: Query<Row>): Row | undefined;
  /** All rows of a query without a limit, read in pieces with rests between them. */
  all<Row, Item>(query: Query<Row>, load: (row: Row) => Item): Promise<Item[]>;
  /** Visits rows one by one, for results that are too large to be held; nothing else is executed meanwhile. */
  each<Row>(query: Query<Row>, visit: (row: Row) => void): void;
  /** How many rows it changed. */
  write(query: Query<unknown>): number;
  /** Keeps the event for the commit. */
  addEvent(event: Event): void;
  /** Throws, and makes the transaction fail. */
  refuse(message: string): never;
  /** Whether the transaction has run so long that others are next. */
  isTiring(): boolean;
  /** Yields the event loop when that is due. */
  rest(): Promise<void>;
}

/** A session as the runner of its transaction sees it. */
export interface OpenSession extends Session {
  /** The first error of a query. A transaction with one is not committed, even if it swallowed the error. */
  failure(): Error | undefined;
  /** True when something was written. */
  wrote(): boolean;
  /** In the order in which they were added. */
  readonly events: readonly Event[];
  /** Keeps the writes in the database transaction. */
  keep(): void;
  /** Rolls back its writes, and none of earlier transactions. Only where `isNested`. */
  rollback(): void;
  /** From now on every use throws. */
  end(): void;
}

export interface SessionOptions {
  /** Whether other transactions share the database transaction. */
  readonly isNested?: boolean;
  /** Is called at every use. */
  readonly used?: () => void;
  /** How a long transaction yields the event loop; by default it never does. */
  readonly rests?: Rests | undefined;
}

/** When a transaction yields the event loop. */
export interface Rests {
  /** Milliseconds that go by. */
  now(): number;
  /** Resolves after everybody else had the event loop. */
  turn(): Promise<void>;
  /** Uses of the stores before the first rest: a transaction that decides about an order has fewer, and sees one moment of the market. */
  readonly after: number;
}

/** Milliseconds of work after which others get the event loop for a turn. */
export const SLICE = 8;

/** Rows of a long list that are read at once. */
const PIECE = 500;

/** Executes on a connection that is in a transaction. */
export const openSession = (
  connection: Connection,
  records: Records,
  options: SessionOptions = {},
): OpenSession => new WorkSession(connection, records, options);

class WorkSession implements OpenSession {
  readonly events: Event[] = [];
  private ended = false;
  private hasWritten = false;
  private failed: Error | undefined;
  private uses = 0;
  private sliceBegan: number;

  constructor(
    private readonly connection: Connection,
    private readonly known: Records,
    private readonly options: SessionOptions,
  ) {
    this.sliceBegan = options.rests?.now() ?? 0;
  }

  get records(): Records {
    this.requireUsable();
    return this.known;
  }

  rows<Row>({ sql, parameters }: Query<Row>): Row[] {
    this.requireUsable();
    try {
      return this.connection.statement(sql).all(parameters) as Row[];
    } catch (error) {
      return this.fail(new QueryFailed(error));
    }
  }

  async all<Row, Item>({ sql, parameters }: Query<Row>, load: (row: Row) => Item): Promise<Item[]> {
    const items: Item[] = [];
    for (;;) {
      const piece = {
        sql: `${sql} limit ${PIECE} offset ?`,
        parameters: [...parameters, items.length],
      };
      const rows = this.rows<Row>(piece);
      this.uses += rows.length;
      items.push(...rows.map(load));
      if (rows.length < PIECE) return items;
      await this.rest();
    }
  }

  each<Row>({ sql, parameters }: Query<Row>, visit: (row: Row) => void): void {
    this.requireUsable();
    try {
      for (const row of this.connection.statement(sql).iterate(parameters)) visit(row as Row);
    } catch (error) {
      this.fail(new QueryFailed(error));
    }
  }

  row<Row>({ sql, parameters }: Query<Row>): Row | undefined {
    this.requireUsable();
    try {
      return this.connection.statement(sql).get(parameters) as Row | undefined;
    } catch (error) {
      return this.fail(new QueryFailed(error));
    }
  }

  write({ sql, parameters }: Query<unknown>): number {
    this.requireUsable();
    try {
      if (this.options.isNested && !this.hasWritten)
        this.connection.statement('SAVEPOINT work').run();
      this.hasWritten = true;
      const { changes } = this.connection.statement(sql).run(parameters);
      return changes;
    } catch (error) {
      return this.fail(new QueryFailed(error));
    }
  }

  addEvent(event: Event): void {
    this.requireUsable();
    this.events.push(event);
  }

  refuse(message: string): never {
    this.requireUsable();
    return this.fail(new Error(message));
  }

  isTiring(): boolean {
    const { rests } = this.options;
    return rests !== undefined && this.uses >= rests.after && rests.now() - this.sliceBegan > SLICE;
  }

  async rest(): Promise<void> {
    const { rests } = this.options;
    if (!rests || !this.isTiring()) return;
    await rests.turn();
    this.sliceBegan = rests.now();
  }

  failure(): Error | undefined {
    return this.failed;
  }

  wrote(): boolean {
    return this.hasWritten;
  }

  keep(): void {
    if (!this.options.isNested || !this.hasWritten) return;
    try {
      this.connection.statement('RELEASE work').run();
    } catch (error) {
      this.fail(new QueryFailed(error));
    }
  }

  rollback(): void {
    if (!this.hasWritten) return;
    this.connection.statement('ROLLBACK TO work').run();
    this.connection.statement('RELEASE work').run();
    this.hasWritten = false;
  }

  end(): void {
    this.ended = true;
  }

  private requireUsable(): void {
    this.uses += 1;
    this.options.used?.();
    if (this.ended) throw new Error('the stores of a unit of work cannot be used after its end');
    if (this.failed !== undefined) throw this.failed;
    if (!this.connection.inTransaction)
      this.fail(new TransactionLost('the transaction was rolled back'));
  }

  private fail(error: Error): never {
    this.failed = error;
    throw error;
  }
}
