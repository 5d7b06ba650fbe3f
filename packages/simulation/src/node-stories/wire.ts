import { type Client, ConnectionLost } from '@slipstream/adapter-sql/testing';

type Query = Parameters<Client['query']>[0];

/** What a process sends to the database over a connection. */
interface Sent {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Lets the database do it. */
  readonly perform: (server: Client) => Promise<unknown>;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

/** For how many milliseconds the database waits for a lock, and for the next statement of a transaction; at most, or for ever. */
export interface Limits {
  readonly lock_timeout?: number;
  readonly idle_in_transaction_session_timeout?: number;
}

/** What became of it. */
type Answer = { readonly value: unknown } | { readonly error: unknown };

/**
 * A connection of a process to the database, on which nothing moves by itself: the story lets each statement arrive there,
 * and each answer here. What was sent arrives even when the process is gone, as what is in a socket does.
 */
export class Wire implements Client {
  isUsable = true;
  /** Nothing passes meanwhile, and nobody hears of it. */
  isSilent = false;
  /** The database ends the session, because it was asked to. */
  isLeaving = false;
  /** At the database, without an answer: it waits for a lock. */
  atServer: Sent | undefined;
  /** Since when, or since when the session does nothing, by the clock of the story. */
  private since = 0;
  private inTransaction = false;
  /** Whether the transaction waits for its locks as long as it takes. */
  private isPatient = false;
  /** The database has ended the session. */
  private isOver = false;
  private readonly sent: (Sent | 'goodbye')[] = [];
  /** Whose answer the process awaits. */
  private readonly owed = new Set<Sent>();
  private readonly answered: (() => void)[] = [];
  private readonly goodbyes: (() => void)[] = [];

  constructor(
    /** The session at the database. */
    private readonly server: Client,
    readonly pid: number,
    private readonly now: () => number,
    private readonly limits: Limits,
    /** How soon something arrives, beside the other connections. */
    public pace: number,
  ) {
    this.since = now();
  }

  query(query: Query): ReturnType<Client['query']> {
    return this.send(query.sql, (server) => server.query(query), query.parameters);
  }

  script(sql: string): Promise<void> {
    return this.send(sql, (server) => server.script(sql));
  }

  end(): Promise<void> {
    const isLost = !this.isUsable;
    this.isUsable = false;
    if (isLost) return Promise.resolve();
    this.sent.push('goodbye');
    return new Promise((resolve) => this.goodbyes.push(resolve));
  }

  destroy(): void {
    this.isUsable = false;
    this.sent.push('goodbye');
    this.fail();
  }

  /** The process is gone; `isReset`: what it sent last is too. */
  abandon(isReset: boolean): void {
    if (isReset) this.sent.length = 0;
    this.answered.length = 0;
    this.isUsable = false;
    this.sent.push('goodbye');
  }

  /** The next statement that can arrive, if there is one. */
  get next(): string | undefined {
    const [first] = this.isSilent || this.atServer || this.isOver ? [] : this.sent;
    return typeof first === 'object' ? first.sql : first;
  }

  /** What the database does not wait for any longer. */
  get impatience(): 'lock' | 'idle' | undefined {
    const { lock_timeout: lock = 0, idle_in_transaction_session_timeout: idle = 0 } = this.limits;
    const waited = this.now() - this.since;
    if (this.isOver) return undefined;
    if (this.atServer) return lock > 0 && waited > lock && !this.isPatient ? 'lock' : undefined;
    return idle > 0 && waited > idle && this.inTransaction && !this.isCutOff ? 'idle' : undefined;
  }

  /** Those of the next statement. */
  get parameters(): readonly unknown[] {
    const [first] = this.sent;
    return typeof first === 'object' ? first.parameters : [];
  }

  /** Whether the database has ended the session, and this side could know. */
  get isCutOff(): boolean {
    return !this.server.isUsable;
  }

  /** Whether an answer is on its way. */
  get hasAnswer(): boolean {
    return !this.isSilent && this.answered.length > 0;
  }

  /** Whether nothing will ever come of it. */
  get isGone(): boolean {
    return this.isOver && this.answered.length === 0;
  }

  /** Lets the next statement arrive at the database; `onRows` is called with the number of rows that it answers. */
  arrive(onRows: (count: number) => void = () => undefined): void {
    const first = this.sent.shift();
    if (first === undefined) return;
    if (first === 'goodbye') {
      this.isOver = true;
      this.isLeaving = true;
      void this.server.end().then(() => {
        this.isLeaving = false;
        this.goodbyes.forEach((resolve) => resolve());
      });
      return;
    }
    this.atServer = first;
    this.since = this.now();
    if (first.sql.startsWith('BEGIN')) this.inTransaction = true;
    if (first.sql.includes('lock_timeout = 0')) this.isPatient = true;
    const answer = (answered: Answer): void => {
      this.atServer = undefined;
      this.since = this.now();
      if (/(^|; )(COMMIT|ROLLBACK)$/.test(first.sql)) this.inTransaction = this.isPatient = false;
      if (this.isUsable || this.goodbyes.length > 0)
        this.answered.push(() => {
          this.owed.delete(first);
          if ('error' in answered) first.reject(answered.error);
          else first.resolve(answered.value as never);
        });
    };
    first.perform(this.server).then(
      (value) => {
        answer({ value });
        onRows((value as { count?: number } | undefined)?.count ?? 0);
      },
      (error: unknown) => answer({ error }),
    );
  }

  /** Notices that the database has ended the session: the process hears of it after the answers that are on their way. */
  notice(): void {
    if (this.isOver || this.server.isUsable) return;
    this.isOver = true;
    this.inTransaction = false;
    this.answered.push(() => {
      this.isUsable = false;
      this.fail();
      this.goodbyes.forEach((resolve) => resolve());
    });
  }

  /** Ends the session at once, as a reset connection does: both sides hear of it. */
  reset(): void {
    this.sent.length = 0;
    this.server.destroy();
  }

  /** The process loses the connection; what it sent before arrives all the same. */
  lose(): void {
    this.answered.length = 0;
    this.pace /= 10;
    this.destroy();
  }

  /** Lets the next answer arrive at the process. */
  deliver(): void {
    this.answered.shift()?.();
  }

  private fail(): void {
    for (const one of this.owed) one.reject(new ConnectionLost());
    this.owed.clear();
  }

  private send<Told>(
    sql: string,
    perform: Sent['perform'],
    parameters: readonly unknown[] = [],
  ): Promise<Told> {
    if (!this.isUsable) return Promise.reject(new ConnectionLost());
    return new Promise<Told>((resolve, reject) => {
      const sent = { sql, parameters, perform, resolve, reject };
      this.owed.add(sent);
      this.sent.push(sent);
    });
  }
}
