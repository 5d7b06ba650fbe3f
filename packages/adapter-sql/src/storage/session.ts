import type { Event } from '@slipstream/ports';
import type { Answer } from './answer.js';
import { TransactionLost, queryFailure } from './failures.js';
import type { Query } from './queries.js';
import type { Records } from './record-cache.js';

/** Executes the stores' queries inside one transaction. */
export interface Session {
  /** Like statements, not usable after the end of the transaction or when it is lost. */
  readonly records: Records;
  rows<Row>(query: Query<Row>): Answer<Row[]>;
  row<Row>(query: Query<Row>): Answer<Row | undefined>;
  /** What `load` makes of the row; undefined when there is none. */
  find<Row, Item>(query: Query<Row>, load: (row: Row) => Item): Promise<Item | undefined>;
  /** What `load` makes of each row. */
  list<Row, Item>(query: Query<Row>, load: (row: Row) => Item): Promise<Item[]>;
  /**
   * The same of a query without a limit, read in pieces with rests between them. `after`: the query of what follows a row; without it
   * each piece passes over all before it, which takes long for a list without a bound.
   */
  all<Row, Item>(
    query: Query<Row>,
    load: (row: Row) => Item,
    after?: (last: Row) => Query<Row>,
  ): Promise<Item[]>;
  /** Visits rows one by one, for results that are too large to be held; nothing else is executed meanwhile. */
  each<Row>(query: Query<Row>, visit: (row: Row) => void): Answer<void>;
  /** Fails, now or at the commit, when it does not change as many rows as `changes` says. */
  write(query: Query<unknown>, changes?: number): void;
  /** Writes now, and answers how many rows it changed. */
  change(query: Query<unknown>): Answer<number>;
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
  /** From now on every use throws. */
  end(): void;
}

export interface SessionOptions {
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

/** Executes queries inside a transaction of the database. */
export interface Executor {
  /** False after the database rolled back by itself: from then on each statement would commit alone. */
  readonly inTransaction: boolean;
  rows(query: Query<unknown>): Answer<unknown[]>;
  row(query: Query<unknown>): Answer<unknown>;
  each(query: Query<unknown>, visit: (row: unknown) => void): Answer<void>;
  /** Now or later in the transaction, in the order of the calls; the session says what `changes` means. */
  write(query: Query<unknown>, changes?: number): void;
  /** Now; answers how many rows it changed. */
  change(query: Query<unknown>): Answer<number>;
}

export const openSession = (
  executor: Executor,
  records: Records,
  options: SessionOptions,
): OpenSession => new WorkSession(executor, records, options);

class WorkSession implements OpenSession {
  readonly events: Event[] = [];
  private ended = false;
  private hasWritten = false;
  private failed: Error | undefined;
  private uses = 0;
  private sliceBegan: number;

  constructor(
    private readonly executor: Executor,
    private readonly known: Records,
    private readonly options: SessionOptions,
  ) {
    this.sliceBegan = options.rests?.now() ?? 0;
  }

  get records(): Records {
    this.requireUsable();
    return this.known;
  }

  rows<Row>(query: Query<Row>): Answer<Row[]> {
    return this.answered(() => this.executor.rows(query) as Answer<Row[]>);
  }

  async find<Row, Item>(query: Query<Row>, load: (row: Row) => Item): Promise<Item | undefined> {
    const row = await this.row(query);
    return row && load(row);
  }

  async list<Row, Item>(query: Query<Row>, load: (row: Row) => Item): Promise<Item[]> {
    return (await this.rows(query)).map((row) => load(row));
  }

  async all<Row, Item>(
    query: Query<Row>,
    load: (row: Row) => Item,
    after?: (last: Row) => Query<Row>,
  ): Promise<Item[]> {
    const items: Item[] = [];
    for (let rest = query; ;) {
      const piece = {
        ...rest,
        sql: `${rest.sql} limit ${PIECE} offset ?`,
        parameters: [...rest.parameters, after ? 0 : items.length],
      };
      const rows = await this.rows<Row>(piece);
      this.uses += rows.length;
      items.push(...rows.map(load));
      if (rows.length < PIECE) return items;
      rest = after?.(rows.at(-1) as Row) ?? query;
      await this.rest();
    }
  }

  each<Row>(query: Query<Row>, visit: (row: Row) => void): Answer<void> {
    return this.answered(() => this.executor.each(query, visit as (row: unknown) => void));
  }

  row<Row>(query: Query<Row>): Answer<Row | undefined> {
    return this.answered(() => this.executor.row(query) as Answer<Row | undefined>);
  }

  write(query: Query<unknown>, changes?: number): void {
    void this.answered(() => {
      this.hasWritten = true;
      this.executor.write(query, changes);
    });
  }

  change(query: Query<unknown>): Answer<number> {
    return this.answered(() => {
      this.hasWritten = true;
      return this.executor.change(query);
    });
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

  end(): void {
    this.ended = true;
  }

  private answered<Value>(execute: () => Answer<Value>): Answer<Value> {
    this.requireUsable();
    try {
      const answer = execute();
      return answer instanceof Promise ? answer.catch((error) => this.failWith(error)) : answer;
    } catch (error) {
      return this.failWith(error);
    }
  }

  private requireUsable(): void {
    this.uses += 1;
    this.options.used?.();
    if (this.ended) throw new Error('the stores of a unit of work cannot be used after its end');
    if (this.failed !== undefined) throw this.failed;
    if (!this.executor.inTransaction)
      this.fail(new TransactionLost('the transaction was rolled back'));
  }

  private failWith(error: unknown): never {
    return this.fail(queryFailure(error));
  }

  private fail(error: Error): never {
    this.failed = error;
    throw error;
  }
}
