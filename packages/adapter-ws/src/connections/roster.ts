import type { Caller } from '@slipstream/application';
import { Refusal } from '@slipstream/domain';
import type { Connection } from './connection.js';
import type { StreamSession } from '../session.js';

/** How many connections there may be at once. */
export interface StreamLimits {
  /** Half of them may be of clients that have not authenticated yet. */
  readonly total: number;
  /** Of one user with all tokens, because tokens are free. */
  readonly user: number;
  /** Of one address (IPv6: of one /64). */
  readonly address: number;
  /** Of one address, of clients that have not authenticated yet. */
  readonly anonymous: number;
}

/** The default limits. */
export const DEFAULT_STREAM_LIMITS: StreamLimits = {
  total: 10_000,
  user: 200,
  address: 1_000,
  anonymous: 10,
};

/** Numbers by name; who is at zero is forgotten. */
class Tally {
  private readonly counts = new Map<string, number>();
  total = 0;

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    this.total += by;
    const count = this.of(name) + by;
    if (count > 0) this.counts.set(name, count);
    else this.counts.delete(name);
  }
}

/** Everyone who is connected: found by user, counted by user and network. */
export class Roster {
  private readonly limits: StreamLimits;
  private readonly sessions = new Map<Connection, StreamSession>();
  private readonly ofUsers = new Map<string, Set<Connection>>();
  private readonly ofNetworks = new Tally();
  private readonly anonymous = new Tally();

  constructor(limits: StreamLimits) {
    this.limits = limits;
  }

  get size(): number {
    return this.sessions.size;
  }

  get isFull(): boolean {
    return this.size >= this.limits.total;
  }

  connections(): IterableIterator<Connection> {
    return this.sessions.keys();
  }

  entries(): IterableIterator<[Connection, StreamSession]> {
    return this.sessions.entries();
  }

  sessionOf(connection: Connection): StreamSession | undefined {
    return this.sessions.get(connection);
  }

  /** All connections of a user. */
  ofUser(userId: string): readonly Connection[] {
    return [...(this.ofUsers.get(userId) ?? [])];
  }

  /** Refuses one more connection of the caller from the network. It is the token that was found which counts, not a header. */
  requireRoom(caller: Caller, network: string): void {
    const { total, user, address, anonymous } = this.limits;
    if (caller.kind === 'user') requireFewer(this.countOf(caller.userId), user, 'of one user');
    else {
      requireFewer(this.anonymous.of(network), anonymous, 'of one address without a token');
      requireFewer(this.anonymous.total, Math.ceil(total / 2), 'without a token');
    }
    requireFewer(this.ofNetworks.of(network), address, 'of one address');
  }

  enter(connection: Connection, session: StreamSession): void {
    this.sessions.set(connection, session);
    this.ofNetworks.add(connection.network, 1);
    this.note(connection);
  }

  leave(connection: Connection): void {
    if (!this.sessions.delete(connection)) return;
    this.ofNetworks.add(connection.network, -1);
    this.forget(connection);
  }

  /** From now on the connection is the caller's; refused when they have as many as they may. */
  authenticated(connection: Connection, caller: Caller, token: string): void {
    const isNew = userIdOf(caller) !== userIdOf(connection.caller);
    if (isNew && caller.kind === 'user')
      requireFewer(this.countOf(caller.userId), this.limits.user, 'of one user');
    const isHere = this.sessions.has(connection);
    if (isHere) this.forget(connection);
    connection.caller = caller;
    connection.token = token;
    if (isHere) this.note(connection);
  }

  private countOf(userId: string): number {
    return this.ofUsers.get(userId)?.size ?? 0;
  }

  private note(connection: Connection): void {
    const userId = userIdOf(connection.caller);
    if (userId === undefined) {
      this.anonymous.add(connection.network, 1);
      return;
    }
    const own = this.ofUsers.get(userId);
    if (own) own.add(connection);
    else this.ofUsers.set(userId, new Set([connection]));
  }

  private forget(connection: Connection): void {
    const userId = userIdOf(connection.caller);
    if (userId === undefined) {
      this.anonymous.add(connection.network, -1);
      return;
    }
    const own = this.ofUsers.get(userId);
    own?.delete(connection);
    if (own?.size === 0) this.ofUsers.delete(userId);
  }
}

const userIdOf = (caller: Caller): string | undefined =>
  caller.kind === 'user' ? caller.userId : undefined;

function requireFewer(count: number, limit: number, whose: string): void {
  if (count >= limit)
    throw new Refusal('too_many', `there may be ${limit} live connections ${whose}`);
}
