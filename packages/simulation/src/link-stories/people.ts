import { type Asked, Client, Stream } from './clients.js';
import { ALERT } from './core.js';
import type { StoryNode } from './node.js';
import { LEASE, type Store } from './store.js';

/**
 * A stream that does not tell a change for so long has ended, in milliseconds, unless its node looks for another one that serves: it
 * must know by then that the one that served is silent.
 */
const BEHIND = 8_000;
/** The same where the node itself serves: that one knows that its lease is over. */
const DIRECTLY_BEHIND = 100;

/** A sender of alerts sends again what has no answer for so long, in milliseconds (contract 3). */
const GIVES_UP = 3_000;

/** What clients know of a work. */
export interface Told {
  /** How often clients meant it to be done. */
  meant: number;
  /** How often another node had taken over when it was asked for. */
  readonly since: number;
  /** Whether so many must be there: nobody took over meanwhile. */
  isCertain: boolean;
}

/** What clients have around them. */
export interface Outside {
  readonly store: Store;
  readonly now: number;
  /** How often another node took over. */
  readonly takeovers: number;
  random(): number;
  draw<One>(all: readonly One[]): One | undefined;
  note(line: string): void;
  violate(rule: string): void;
}

/** All clients: what they ask for, what they hear, and what must hold of that always. */
export class People {
  readonly clients: Client[] = [];
  readonly streams: Stream[] = [];
  readonly works = new Map<string, Told>();
  private places = 0;
  /** Of works that were meant again, whether their request is over. */
  private repeats: (() => boolean)[] = [];

  constructor(private readonly outside: Outside) {}

  client(node: StoryNode): Client {
    const idle = this.clients.filter((one) => one.node === node && one.isIdle);
    const known = this.outside.random() < 0.5 ? this.outside.draw(idle) : undefined;
    if (known) return known;
    const made = new Client(node, (line) => this.outside.note(line));
    this.clients.push(made);
    return made;
  }

  /** How many works clients know to be done. */
  get answered(): number {
    let count = 0;
    for (const id of this.works.keys())
      if (this.heard(id).some(({ outcome }) => outcome === 200)) count += 1;
    return count;
  }

  /** Whether a request waits that was sent by then. */
  isAnyWaiting(since: number): boolean {
    return this.clients.some(({ asked }) =>
      asked.some(({ outcome, at }) => outcome === undefined && at <= since),
    );
  }

  /** What clients heard of the work. */
  heard(id: string) {
    return this.clients
      .flatMap(({ asked }) => asked.filter(({ work }) => work === id))
      .sort((one, other) => one.place - other.place);
  }

  /** A client sends a request; `again`: of the same work as before. */
  ask(client: Client, target: string, work?: string, key?: string): void {
    if (work !== undefined && !this.works.has(work))
      this.works.set(work, { meant: 1, isCertain: true, since: this.outside.takeovers });
    this.outside.note(`${client.node.id} gets ${target} ${work ?? ''}`);
    client.ask({
      target,
      work,
      key,
      least: this.answered,
      at: this.outside.now,
      place: (this.places += 1),
    });
  }

  /** A client that has its answer means the same once more. */
  mean(client: Client, target: string, work: string): void {
    const told = this.works.get(work);
    if (!told) return;
    told.meant += 1;
    this.ask(client, target, work);
    const asked = client.asked.at(-1);
    this.repeats.push(() => {
      const isOver = asked?.outcome !== undefined;
      if (told.since !== this.outside.takeovers || (isOver && asked.outcome !== 200))
        told.isCertain = false;
      return isOver;
    });
  }

  /** Whether the sender of an alert waits no longer. */
  givesUp({ target, at }: Asked): boolean {
    return target === ALERT && this.outside.now - at > GIVES_UP;
  }

  /**
   * Whether a sender would send the client's last request again: it was refused or its connection cut, or it waited long (contract
   * 3). A network is faster than a sender: `isStill` says that nothing of the node is on its way.
   */
  isLost({ asked }: Client, isStill: boolean): boolean {
    const { outcome, at } = asked.at(-1) ?? {};
    if (outcome === 'left') return this.outside.now - (at ?? 0) > GIVES_UP;
    if (outcome === 503) return true;
    return isStill && (outcome === 'cut' || outcome === 'left late');
  }

  stream(node: StoryNode): void {
    this.streams.push(new Stream(node, this.answered, () => this.outside.now));
  }

  /** What must hold always: answers are right, and a stream tells everything in order, and soon or not at all. */
  check(): void {
    this.repeats = this.repeats.filter((isOver) => !isOver());
    for (const { asked } of this.clients)
      for (const { target, work, fault } of asked)
        if (fault !== undefined) this.outside.violate(`answer: ${target} ${work ?? ''} ${fault}`);
    for (const stream of this.streams) this.look(stream);
  }

  leave(): void {
    for (const client of this.clients) client.leave();
    for (const stream of this.streams) stream.leave();
  }

  private look({
    fault,
    last = Infinity,
    node,
    isOver,
    isPaused,
    isDirect,
    wasCut,
    wentOnAt,
  }: Stream): void {
    if (fault !== undefined) this.outside.violate(`stream: ${fault}`);
    const mayEnd = isDirect || node.hasLapsed || node.isStopping || node.mustEnd || node.wokeAt > 0;
    if (wasCut && !mayEnd && node.state === 'runs')
      this.outside.violate(`stream: one of ${node.id} was cut, and its node goes on`);
    if (isOver || isPaused || node.state !== 'runs') return;
    // What its own node has told it nobody else told before, also where another one served when it began.
    const isOwn = this.outside.store.done[last - 1]?.node === node.id;
    const isLeased = node.owns(LEASE + DIRECTLY_BEHIND) || node.mustEnd;
    if (isOwn && !isLeased && this.outside.now - node.wokeAt > DIRECTLY_BEHIND)
      this.outside.violate(`stream: one of ${node.id} goes on, and its lease is over`);
    // What its own node has done it may not have heard yet.
    const next = this.outside.store.done
      .slice(last)
      .find((one) => !isDirect || one.node !== node.id);
    const since = Math.max(next?.at ?? Infinity, node.wokeAt, wentOnAt);
    const within = isDirect ? DIRECTLY_BEHIND : BEHIND;
    const looksSince = isDirect ? -Infinity : node.looksSince;
    if (this.outside.now - Math.max(since, looksSince) > within)
      this.outside.violate(`stream: one of ${node.id} is still at ${last}, and not over`);
  }
}
