import type { IncomingMessage } from 'node:http';
import { aesSecretBox } from '@slipstream/adapter-crypto';
import {
  type HttpServer,
  type LinkHost,
  type LinkServer,
  type NodeFront,
  ServingNode,
  httpServer,
  linkServer,
  nodeFront,
} from '@slipstream/adapter-http';
import { HOUR } from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import { type HandTimers, handTimers } from '../world/hand-timers.js';
import type { Bug } from './bugs.js';
import { Core } from './core.js';
import type { PipeEnd } from './pipe.js';
import { LEASE, MISSED, type Store } from './store.js';
import type { WireEnd } from './wire.js';

/** Between two signs of life, between two looks at what became of a request, and how long those go on; in milliseconds. */
const [BEAT, LOOK, PATIENCE] = [500, 100, 5_000];

const proofs = aesSecretBox(['the master key of all nodes of the stories']);

const logTo = (say: (line: string) => void): Log => ({
  info: () => undefined,
  warn: (fields, line) => say(`${line} ${JSON.stringify(fields)}`),
  error: (fields, line) => say(`${line} ${JSON.stringify(fields)}`),
});

/** What a node has around it. */
export interface Surroundings {
  readonly store: Store;
  now(): number;
  /** Opens a connection with another node, when the story lets it. */
  open(from: StoryNode, to: string): WireEnd;
  /** Whether the node's machine is gone, so that the database has none of its connections. */
  isGone(node: string): boolean;
  note(line: string): void;
}

/** One of several nodes: the product's front, links and way of forwarding, over a database and a core of the story. */
export class StoryNode {
  state: 'runs' | 'frozen' | 'gone' = 'runs';
  /** Cut off from the database. */
  isCutOff = false;
  /** It was told to end, or ends. */
  mustEnd = false;
  isStopping = false;
  core: Core | undefined;
  /** Connections of clients: with requests, and with a stream. */
  private readonly clients = new Set<PipeEnd>();
  private readonly upgraded = new Set<PipeEnd>();
  readonly wires = new Set<WireEnd>();
  readonly timers: HandTimers;
  readonly links: LinkServer;
  readonly serving: ServingNode;
  private readonly front: NodeFront;
  private readonly http: HttpServer;
  private isClaimed = false;
  /** Whether it owned the database, and its lease was over then. */
  hasLapsed = false;
  /** When it went on last after it was frozen. */
  wokeAt = 0;
  /** When a link of its ended last, or it reached the database again. */
  private lostAt = 0;
  private heardAt: number;
  private seen: string | undefined;
  private requests = 0;

  constructor(
    readonly id: string,
    private readonly around: Surroundings,
    private readonly bug: Bug,
  ) {
    const { store, now, note } = around;
    this.timers = handTimers({ now });
    const host: LinkHost = {
      ...{ after: this.timers.after, every: this.timers.every },
      // The clocks of two nodes have nothing to do with each other.
      now: () => now() + HOUR * Number(id.slice(1)),
      open: (url) => around.open(this, new URL(url).hostname).socket,
    };
    const log = logTo((line) => note(`${id} logs: ${line}`));
    store.heard.set(id, now());
    this.heardAt = now();
    const local = () => (this.isOwner() ? this.core?.service : undefined);
    this.links = linkServer(
      proofs,
      () => (this.isStopping ? undefined : this.bug.servesAlways ? this.core?.service : local()),
      host,
    );
    this.serving = new ServingNode({
      ...{ proofs, isRemote: true, host, onStranger: () => note(`${id} meets a stranger`) },
      log,
      owner: () =>
        this.seen === undefined ? undefined : { id: this.seen, url: `http://${this.seen}` },
      onLeft: () => this.beat(),
    });
    this.bug.serving?.(this.serving);
    this.front = nodeFront({
      ...{
        local,
        serving: this.serving,
        trustProxy: false,
        hasHealth: true,
        carriesStreams: true,
      },
      mayStream: () => {
        this.hasLapsed ||= this.isClaimed && !this.owns(LEASE);
        return this.bug.streamsAlways === true || this.owns(LEASE);
      },
      ...{ log },
      newId: () => `${id}-${(this.requests += 1)}`,
      wasDone: (...asked) => this.wasDone(...asked),
    });
    this.http = httpServer(this.front.app, {
      upgrades: (request: IncomingMessage) => request.url === '/ws',
    });
    this.front.attach(this.http.server);
    this.http.server.prependListener('upgrade', ({ socket }: { readonly socket: PipeEnd }) => {
      this.clients.delete(socket);
      this.upgraded.add(socket);
      socket.once('close', () => this.upgraded.delete(socket));
    });
    // From now on it knows which of its connections are idle.
    this.http.server.emit('listening');
    this.timers.every(BEAT, () => this.beat());
    this.beat();
  }

  /** Whether it owns the database for certain. */
  isOwner(): boolean {
    return this.owns(MISSED);
  }

  /** Whether it owns the database, and its last sign of life is younger than that. */
  owns(within: number): boolean {
    return this.isClaimed && !this.mustEnd && this.around.now() - this.heardAt < within;
  }

  /** Whether it takes connections of clients. */
  get isOpen(): boolean {
    return this.state !== 'gone' && !this.isStopping;
  }

  /** Whether it owns the database, and does not serve yet. */
  get isLoading(): boolean {
    return this.isClaimed && !this.core && !this.isStopping;
  }

  wake(): void {
    this.state = 'runs';
    this.wokeAt = this.around.now();
  }

  /** Begins to serve, with what the database has. */
  serve(): void {
    this.core = new Core(this.id, this.around.store, this.bug.forgetsPast !== true);
  }

  /** Since when it has looked for a node that serves: without the database it learns of none. */
  get looksSince(): number {
    return this.isCutOff ? this.around.now() : this.lostAt;
  }

  /** A link of its has ended. */
  lost(): void {
    this.lostAt = this.around.now();
  }

  /** It reaches the database again. */
  reconnect(): void {
    this.isCutOff = false;
    this.lost();
  }

  /** Takes the connection of a client. */
  accept(pipe: PipeEnd): void {
    this.clients.add(pipe);
    pipe.once('close', () => this.clients.delete(pipe));
    this.http.server.emit('connection', pipe);
  }

  /** Ends as the server does: others serve next. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.front.endForwarded();
    this.core?.retire();
    await Promise.all([this.drained(), this.links.leave()]);
    if (this.state === 'gone') return;
    if (!this.isCutOff) this.around.store.end(this.id);
    this.front.close();
    this.serving.stop();
    await this.links.close();
    this.mustEnd = true;
  }

  /** Ends at once. `isReset`: what it sent last does not arrive. */
  kill(isReset: boolean): void {
    this.state = 'gone';
    this.http.server.close();
    for (const wire of this.wires) wire.terminate(isReset);
    for (const client of [...this.clients, ...this.upgraded]) client.reset();
  }

  /** Resolves when the requests of its own clients are answered. */
  private drained(): Promise<void> {
    const until = this.around.now() + PATIENCE;
    return new Promise((resolve) => {
      const stop = this.timers.every(LOOK, () => {
        if (this.clients.size > 0 && this.around.now() < until) return;
        for (const client of this.clients) client.destroy();
        stop();
        resolve();
      });
      this.http.drain();
    });
  }

  private beat(): void {
    const { store, now, isGone } = this.around;
    if (this.isCutOff || this.mustEnd) return;
    if (!store.heard.has(this.id)) {
      this.mustEnd = true;
      this.around.note(`${this.id} hears that it was ended`);
      return;
    }
    this.heardAt = now();
    store.heard.set(this.id, now());
    for (const [other, heard] of store.heard)
      if (other !== this.id && now() - heard > (isGone(other) ? MISSED : LEASE)) store.end(other);
    if (!this.isStopping && store.claim(this.id)) {
      this.isClaimed = true;
      this.around.note(`${this.id} owns`);
    }
    this.seen = store.owner;
  }

  /** As the server asks the database: once the other node has ended or has settled the request, or not at all. */
  private async wasDone(
    other: string,
    requestId: string,
    isSettled: () => boolean,
  ): Promise<boolean | undefined> {
    const { store, now } = this.around;
    if (this.bug.asksEarly) return store.done.some((work) => work.requestId === requestId);
    for (const until = now() + PATIENCE; now() < until;) {
      const found = this.isCutOff ? undefined : store.wasDone(other, requestId, isSettled());
      if (found !== undefined) return found;
      await new Promise<void>((then) => this.timers.after(LOOK, then));
    }
    return undefined;
  }
}
