import { ConnectionLost } from '../../storage/failures.js';
import type { TimeAndTimers } from '../../storage/host-time.js';
import { DatabaseInUse } from '../../storage/owner-lock.js';
import { UnusableDatabase } from '../../storage/own-file.js';
import { type Client, asQuery } from '../client.js';
import { postgresMigrations } from '../migrations.js';
import { ReadLease } from './read-lease.js';
import { type Listed, endNode, isAlive, listNodes } from './roster.js';
import { Silence, hasEnded } from './silence.js';

/** Between two signs of life, in milliseconds. */
const BEAT = 250;
/** Whoever was cut off from the database lets others come back too before it ends them. */
const COMING_BACK = 1_500;
/** Between two removals of old rows of the journal. */
const TRIM = 60_000;
/** An answer that took longer than this does not tell what time it is, in milliseconds. */
const PROMPT = 500;

/** A process that can be asked for what only the owner of the database does. */
export interface NodeAddress {
  readonly id: string;
  readonly url: string;
}

/** A process that owns the database, or will when the owner has ended. */
export interface Membership {
  /** Resolves when it owns the database; rejects with `DatabaseInUse` when it shares it with none and another one lives. */
  readonly owned: Promise<void>;
  /** Whether it owns the database for certain: it showed a sign of life so short a time ago that nobody can have ended it. */
  isOwner(): boolean;
  /** Whether its lease has not ended: it may own the database still, and the database answers late. */
  isLeased(): boolean;
  /** The owner that was seen last; undefined while there is none. */
  owner(): NodeAddress | undefined;
  /** What time the clock of the database shows now, in milliseconds since 1970; undefined until it answered soon enough to tell. */
  databaseTime(): number | undefined;
  /** How often it had to connect anew: the database may have lost commits since the time before. */
  connection(): number;
  /** Looks soon whether there is an owner, and who it is. */
  look(): void;
  /** Gives the database back. */
  end(): Promise<void>;
}

export interface MembershipOptions {
  readonly node: string;
  /** Where other nodes reach this one; null if it shares the database with none. */
  readonly url: string | null;
  /** After how many milliseconds without a sign of life it counts as ended. */
  readonly lease: number;
  /** What an error calls the database. */
  readonly database: string;
  /** Connected, and for this node alone from now on. */
  readonly first: Client;
  readonly connect: () => Promise<Client>;
  readonly time: Pick<TimeAndTimers, 'now' | 'every'>;
  /** Called when another process ended this node. */
  readonly onEnded: () => void;
  /** Called once when the operator asks this node to end. */
  readonly onDrained: () => void;
}

/** Adds the node's row, while nobody changes the schema. Throws when the schema is of another release. */
async function enter(
  client: Client,
  { node, url, lease }: Pick<MembershipOptions, 'node' | 'url' | 'lease'>,
): Promise<void> {
  await client.script('BEGIN; LOCK TABLE migrations IN SHARE MODE');
  try {
    const { count } = await client.query(asQuery('SELECT name FROM migrations'));
    if (count !== Object.keys(postgresMigrations).length)
      throw new UnusableDatabase('the database was just changed by another release');
    await client.query(
      asQuery('INSERT INTO nodes (id, url, lease) VALUES (?, ?, ?)', node, url, lease),
    );
    await client.query(
      asQuery('INSERT INTO heartbeats (node, renewed_at) VALUES (?, clock_timestamp())', node),
    );
    await client.script('COMMIT');
  } catch (error) {
    await client.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Adds this process to those over the database, and shows signs of life until its end. */
export async function joinAs(options: MembershipOptions): Promise<Membership> {
  await enter(options.first, options);
  return new Node(options);
}

class Node implements Membership {
  readonly owned: Promise<void>;
  private client: Client;
  private connections = 0;
  private readonly stop: () => void;
  private underWay: Promise<void> | undefined;
  private state: 'waits' | 'owns' | 'over' = 'waits';
  private settle: { owns(): void; fails(error: Error): void };
  private seen: NodeAddress | undefined;
  /** When the last sign of life was sent that arrived. */
  private heardAt: number;
  private readonly readLease: ReadLease;
  private readonly silence = new Silence();
  private judgesFrom = 0;
  private isDrained = false;
  /** The time of the database, and when it was that by the clock of the process. */
  private told: { readonly time: number; readonly at: number } | undefined;
  private trimmedAt: number;

  constructor(private readonly options: MembershipOptions) {
    this.client = options.first;
    this.heardAt = this.trimmedAt = options.time.now();
    this.readLease = new ReadLease(this.heardAt);
    this.settle = { owns: () => undefined, fails: () => undefined };
    this.owned = new Promise((resolve, reject) => {
      this.settle = { owns: resolve, fails: reject };
    });
    this.owned.catch(() => undefined);
    this.stop = options.time.every(BEAT, () => this.wake());
    this.wake();
  }

  isOwner(): boolean {
    return this.isLeased() && this.readLease.holds(this.options.time.now());
  }

  isLeased(): boolean {
    return this.state === 'owns' && this.options.time.now() - this.heardAt < this.options.lease;
  }

  owner(): NodeAddress | undefined {
    return this.seen;
  }

  connection(): number {
    return this.connections;
  }

  databaseTime(): number | undefined {
    return this.told && this.told.time + this.options.time.now() - this.told.at;
  }

  async end(): Promise<void> {
    this.state = 'over';
    this.stop();
    await this.underWay;
    const { client } = this;
    if (client.isUsable)
      await client
        .query(asQuery('DELETE FROM nodes WHERE id = ?', this.options.node))
        .catch(() => undefined);
    await client.end();
  }

  look(): void {
    if (this.state !== 'over') this.wake();
  }

  private wake(): void {
    this.underWay ??= this.beat()
      .catch((error: unknown) => {
        if (error instanceof DatabaseInUse) this.refuse(error);
        else if (!(error instanceof ConnectionLost)) this.client.destroy();
      })
      .finally(() => (this.underWay = undefined));
  }

  private refuse(error: Error): void {
    this.stop();
    this.state = 'over';
    this.settle.fails(error);
  }

  private async beat(): Promise<void> {
    const { node, connect, onDrained, time } = this.options;
    if (!this.client.isUsable) {
      this.client = await connect();
      this.connections += 1;
      this.judgesFrom = time.now() + COMING_BACK;
    }
    const sentAt = time.now();
    const readLease = this.readLease.sent(sentAt);
    const { rows } = await this.client.query(
      asQuery(
        `UPDATE heartbeats SET renewed_at = clock_timestamp(), read_lease = ? WHERE node = ?
          RETURNING drained_at, (extract(epoch FROM renewed_at) * 1000)::bigint AS renewed`,
        readLease,
        node,
      ),
    );
    const [mine] = rows as readonly {
      readonly drained_at: string | null;
      readonly renewed: number;
    }[];
    if (this.state === 'over') return;
    if (!mine) {
      this.leave();
      return;
    }
    this.heardAt = sentAt;
    const heardAt = time.now();
    this.readLease.heard(sentAt, readLease, heardAt);
    if (heardAt - sentAt <= PROMPT) this.told = { time: mine.renewed, at: (sentAt + heardAt) / 2 };
    if (mine.drained_at !== null && !this.isDrained) {
      this.isDrained = true;
      onDrained();
    }
    await this.judge();
    if (this.state === 'owns') await this.trim();
  }

  /** The database knows it no more, or not as its owner. */
  private leave(): void {
    this.state = 'over';
    this.stop();
    this.options.onEnded();
  }

  /** Ends those that showed no sign of life, and claims the database when nobody owns it. */
  private async judge(): Promise<void> {
    const { node, url, database, time } = this.options;
    const askedAt = time.now();
    const listed = await listNodes(this.client);
    const all = this.silence.watched(listed, askedAt, time.now());
    // A replica took the place of the database, and does not know of the claim.
    if (this.state === 'owns' && all.every((one) => one.id !== node || one.shards === 0)) {
      this.leave();
      return;
    }
    if (time.now() >= this.judgesFrom)
      for (const one of all) if (one.id !== node && hasEnded(one)) await endNode(this.client, one);
    const owner = all.find((one) => one.shards > 0 && (one.id === node || isAlive(one)));
    this.seen = addressOf(owner);
    if (this.state !== 'waits') return;
    const others = all.filter((one) => one.id !== node && isAlive(one));
    // One of several may be about to follow one that has just ended.
    const isTaken = others.some((one) =>
      url === null ? one === owner || one.url !== null : one === owner && one.url === null,
    );
    if (isTaken) throw new DatabaseInUse(database, undefined);
    // It may have claimed it, and not have heard so.
    if (owner?.id === node) this.own();
    else if (!owner) await this.claim();
  }

  private async claim(): Promise<void> {
    const { node } = this.options;
    const { count } = await this.client.query(
      asQuery(
        'UPDATE shards SET node = ?, epoch = epoch + 1, since = clock_timestamp() WHERE node IS NULL',
        node,
      ),
    );
    if (count > 0) this.own();
  }

  private own(): void {
    if (this.state !== 'waits') return;
    const { node, url } = this.options;
    this.state = 'owns';
    this.seen = addressOf({ id: node, url });
    this.settle.owns();
  }

  /** Whoever asks whether a commit was made asks within seconds; the newest one shows whether the database has lost any. */
  private async trim(): Promise<void> {
    if (this.options.time.now() - this.trimmedAt < TRIM) return;
    this.trimmedAt = this.options.time.now();
    await this.client.query(
      asQuery(
        `DELETE FROM journal WHERE at < now() - interval '2 minutes'
          AND NOT (node = ? AND seq = (SELECT max(seq) FROM journal WHERE node = ?))`,
        this.options.node,
        this.options.node,
      ),
    );
  }
}

const addressOf = (one: Pick<Listed, 'id' | 'url'> | undefined): NodeAddress | undefined =>
  one && one.url !== null ? { id: one.id, url: one.url } : undefined;
