import type { Event } from '@slipstream/ports';
import { OwnWrites } from '../commits/own-writes.js';
import type { Transaction } from '../commits/transaction.js';
import type { Answer } from '../storage/answer.js';
import {
  ChangedByAnother,
  ConnectionLost,
  NodeEnded,
  TransactionLost,
  codeOf,
  isStorageFailure,
} from '../storage/failures.js';
import type { Time } from '../storage/host-time.js';
import type { Query } from '../storage/queries.js';
import { type Client, type Result, asQuery } from './client.js';
import { lookForCommit, lookInto } from './unknown-commit.js';
import type { Schema } from './row-writes.js';
import { toldText } from './told-orders.js';
import { WriteSet } from './write-set.js';

/** After an error the server does nothing more until the transaction is rolled back, and says so. */
const IGNORED = '25P02';

/** What a node's transactions need. */
export interface NodeOptions {
  readonly node: string;
  readonly schema: Schema;
  readonly connect: () => Promise<Client>;
  readonly time: Pick<Time, 'wait'>;
  /** Called when this node was ended: it will never commit again. */
  readonly onEnded: () => void;
}

/**
 * The transactions of one node, on one connection. Its writes are collected and sent together before the next read and
 * before the commit. Each transaction proves by row locks that the node still owns its shard, and leaves a row in the
 * journal.
 */
export class PostgresTransaction implements Transaction {
  private client: Client | undefined;
  /** `begun`: nothing was sent yet. */
  private state: 'none' | 'begun' | 'sent' = 'none';
  private isMerging = true;
  private isAlone = true;
  private hasSavepoint = false;
  private hasWritten = false;
  /** Of the works that are done, and of the one under way. */
  private kept: WriteSet;
  /** Of the works that are done. */
  private events: Event[] = [];
  private readonly own = new OwnWrites();
  private sent: Promise<unknown>[] = [];
  /** The first error of the transaction, or of the work under way when it has a savepoint. */
  private error: Error | undefined;
  private isLost = false;
  private waiting = 0;
  private seq = 0;
  /** What this process remembers is not true any more. */
  private isEnded = false;

  constructor(private readonly options: NodeOptions) {
    this.kept = new WriteSet(options.schema);
  }

  get inTransaction(): boolean {
    return this.state !== 'none' && !this.isLost;
  }

  get isBusy(): boolean {
    return this.waiting > 0;
  }

  begin(isMerging = true): Answer<void> {
    if (this.isEnded) throw new NodeEnded();
    this.isMerging = isMerging;
    this.state = 'begun';
    if (!this.client?.isUsable) return this.reconnect();
  }

  openWork(isAlone: boolean): void {
    this.isAlone = isAlone;
    this.hasSavepoint = false;
    this.own.take();
  }

  rows(query: Query<unknown>): Promise<unknown[]> {
    return this.ask(query).then(({ rows }) => rows);
  }

  row(query: Query<unknown>): Promise<unknown> {
    return this.ask(query).then(({ rows }) => rows[0]);
  }

  async each(query: Query<unknown>, visit: (row: unknown) => void): Promise<void> {
    for (const row of await this.rows(query)) visit(row);
  }

  write(query: Query<unknown>, changes?: number): void {
    this.hasWritten = true;
    this.own.add(query, changes);
  }

  change(query: Query<unknown>): Promise<number> {
    this.hasWritten = true;
    return this.ask(query, { isWrite: true }).then(({ count }) => count);
  }

  keepWork(events: readonly Event[]): void {
    this.events.push(...events);
    for (const [query, changes] of this.own.take()) this.kept.add(query, changes, this.isMerging);
    if (this.hasSavepoint) this.post(asQuery('RELEASE work'));
    this.hasSavepoint = false;
  }

  async undoWork(): Promise<boolean> {
    this.own.take();
    if (!this.hasSavepoint) return true;
    this.hasSavepoint = false;
    await Promise.allSettled(this.sent);
    this.error = undefined;
    this.post(asQuery('ROLLBACK TO work'));
    this.post(asQuery('RELEASE work'));
    return true;
  }

  commit(): Answer<void> {
    if (this.state === 'begun' && this.kept.isEmpty) this.reset();
    else return this.commitSent();
  }

  async rollback(): Promise<void> {
    const wasSent = this.state === 'sent';
    this.reset();
    if (!wasSent || !this.client?.isUsable) return;
    await this.client.query(asQuery('ROLLBACK')).catch(() => this.client?.destroy());
  }

  async close(): Promise<void> {
    await this.client?.end();
  }

  private async commitSent(): Promise<void> {
    const seq = this.seq + 1;
    this.sendKept();
    if (this.hasWritten) this.post(journalRow(this.options.node, seq, toldText(this.events)));
    await Promise.allSettled(this.sent);
    if (this.error !== undefined) throw this.error;
    const { command } = await this.askToCommit(seq);
    if (command !== 'COMMIT') throw new TransactionLost('the transaction was rolled back');
    if (this.hasWritten) this.seq = seq;
    this.reset();
  }

  private async askToCommit(seq: number): Promise<Pick<Result, 'command'>> {
    try {
      return await this.send(asQuery('COMMIT'));
    } catch (error) {
      // A server that is shut down may have made the commit before it says so.
      if (!isStorageFailure(error) || !this.hasWritten) throw error;
      this.client?.destroy();
      const { client, newest } = await lookForCommit(this.options);
      this.client = client;
      if (newest < this.seq) throw this.ended();
      if (newest < seq) throw error;
      return { command: 'COMMIT' };
    }
  }

  /** A database that took the place of one that is gone may lack commits: what this process knows is not true then. */
  private async reconnect(): Promise<void> {
    const client = await this.options.connect();
    try {
      const { newest } = await lookInto(client, this.options.node);
      if (newest < this.seq) throw this.ended();
    } catch (error) {
      client.destroy();
      throw error;
    }
    this.client = client;
  }

  /** From now on nothing is committed, whatever still waits. */
  private ended(): NodeEnded {
    this.isEnded = true;
    this.options.onEnded();
    return new NodeEnded();
  }

  private async ask(query: Query<unknown>, { isWrite = false } = {}): Promise<Result> {
    if (isWrite || this.own.isTouchedBy(query)) this.sendOwn();
    else if (this.kept.isTouchedBy(query)) this.sendKept();
    else this.open();
    try {
      const result = await this.send(query);
      if (this.error === undefined) return result;
    } catch (error) {
      throw this.error ?? error;
    }
    throw this.error;
  }

  private sendKept(): void {
    this.open();
    for (const { changes, ...query } of this.kept.take()) this.post(query, changes);
  }

  /** What comes before stays when the work under way is undone. */
  private sendOwn(): void {
    this.sendKept();
    if (!this.isAlone && !this.hasSavepoint) {
      this.post(asQuery('SAVEPOINT work'));
      this.hasSavepoint = true;
    }
    const own = new WriteSet(this.options.schema);
    for (const [query, changes] of this.own.take()) own.add(query, changes, this.isMerging);
    for (const { changes, ...query } of own.take()) this.post(query, changes);
  }

  /** The fence: whoever ends this node must wait for these rows, and afterwards they are not there. */
  private open(): void {
    if (this.state !== 'begun') return;
    this.state = 'sent';
    const { node } = this.options;
    this.post(asQuery('BEGIN'));
    this.post(asQuery('SELECT 1 FROM nodes WHERE id = ? FOR KEY SHARE', node), 1, NodeEnded);
    this.post(asQuery('SELECT 1 FROM shards WHERE node = ? FOR SHARE', node), 1, NodeEnded);
  }

  /** Sends without waiting: an error is known before the commit. */
  private post(query: Query<unknown>, changes?: number, Missing?: new () => Error): void {
    this.send(query, changes, Missing).catch(() => undefined);
  }

  /** Sends at once; the promise is also kept, so that an error that nobody awaits is known at the commit. */
  private send(
    query: Query<unknown>,
    changes?: number,
    Missing: new () => Error = ChangedByAnother,
  ): Promise<Result> {
    const answered = this.answer(query, changes, Missing);
    answered.catch(() => undefined);
    this.sent.push(answered);
    return answered;
  }

  private async answer(
    query: Query<unknown>,
    changes: number | undefined,
    Missing: new () => Error,
  ): Promise<Result> {
    const { client } = this;
    if (!client) throw new ConnectionLost(undefined);
    const hadSavepoint = this.hasSavepoint;
    this.waiting += 1;
    try {
      const result = await client.query(query);
      if (changes !== undefined && result.count !== changes) throw new Missing();
      return result;
    } catch (error) {
      if (codeOf(error) !== IGNORED) this.error ??= error as Error;
      // Only what came after the savepoint can be undone alone.
      if (!hadSavepoint || error instanceof ConnectionLost) this.isLost = true;
      if (error instanceof NodeEnded) this.ended();
      throw error;
    } finally {
      this.waiting -= 1;
    }
  }

  private reset(): void {
    this.state = 'none';
    [this.hasWritten, this.hasSavepoint, this.isLost] = [false, false, false];
    this.error = undefined;
    this.own.take();
    this.sent = [];
    this.events = [];
    this.kept = new WriteSet(this.options.schema);
  }
}

/** What whoever owns the database next tells those who listened to this node. */
const journalRow = (node: string, seq: number, orders: string | null): Query<unknown> =>
  asQuery('INSERT INTO journal (node, seq, orders) VALUES (?, ?, ?)', node, seq, orders);
