import { Agent } from 'node:http';
import type { Log } from '@slipstream/ports';
import { requestAt } from './hop.js';
import { NewsOfDeliveries } from './news.js';
import { PASSPORT, type Passports } from './passport.js';

/** A node of the database, and where the others reach it. */
export interface NodeAddress {
  readonly id: string;
  readonly url: string;
}

/** Status of a node that does not serve; nothing of the request was done. */
export const NOT_SERVING = 421;
/** Status for whoever has not the same master key. */
export const STRANGER = 403;

/** Between two looks at the owner, and between two questions whether it serves, in milliseconds. */
const LOOK = 50;
/** How long an answer to that question may take, in milliseconds. */
const PATIENCE = 1_000;

/** The node that serves, and the connections to it. */
export interface Peer extends NodeAddress {
  readonly agent: Agent;
  /** Closed when another node owns the database. */
  readonly tunnels: Set<{ destroy(): void }>;
}

export interface ServingNodeOptions {
  /** The owner that the database names. */
  readonly owner: () => NodeAddress | undefined;
  readonly passports: Passports;
  readonly log: Log;
  /** Called when the owner has another master key. */
  readonly onStranger: () => void;
}

/** Finds the node that serves, and cuts what others have to do with one that no longer owns the database. */
export class ServingNode {
  /** What it must hear; told with the next request or soon. */
  readonly news = new NewsOfDeliveries();
  private peer: Peer | undefined;
  /** The last one that served. */
  private known: Peer | undefined;
  private finding: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;
  private isStopped = false;

  constructor(private readonly options: ServingNodeOptions) {
    this.timer = setInterval(() => {
      this.look();
      if (!this.peer || this.news.some().length > 0) this.finding ??= this.asking();
    }, LOOK).unref();
  }

  /** The node that serves; waits for one, at most for so many milliseconds. */
  async find(patience: number): Promise<Peer | undefined> {
    const until = performance.now() + patience;
    for (;;) {
      this.look();
      if (this.peer || this.isStopped || performance.now() >= until) return this.peer;
      this.finding ??= this.asking();
      await this.finding;
    }
  }

  /** Whether one serves, as far as is known. */
  get isFound(): boolean {
    return this.peer !== undefined;
  }

  /** The node does not serve, or cannot be reached. Answers that it still owes may come. */
  left(peer: Peer): void {
    if (this.peer === peer) this.peer = undefined;
  }

  /** Cuts every connection to other nodes. */
  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
    this.cut();
  }

  private look(): void {
    const owner = this.options.owner();
    // No owner is known while the database cannot be reached: the last one may still serve.
    if (this.known && owner && owner.id !== this.known.id) this.cut();
  }

  private asking(): Promise<void> {
    return this.ask().finally(() => (this.finding = undefined));
  }

  private cut(): void {
    const { known } = this;
    [this.known, this.peer] = [undefined, undefined];
    known?.agent.destroy();
    for (const tunnel of known?.tunnels ?? []) tunnel.destroy();
  }

  /** Asks the owner whether it serves. */
  private async ask(): Promise<void> {
    const { owner: ownerNow, log, onStranger } = this.options;
    const owner = ownerNow();
    const status = owner && (await this.statusOf(owner));
    if (status === STRANGER) {
      log.error({ node: owner?.url }, 'the node that serves has another SECRET_KEY');
      onStranger();
    }
    if (owner && status === 204 && !this.isStopped) {
      if (this.known?.id !== owner.id) {
        this.cut();
        this.known = { ...owner, agent: new Agent({ keepAlive: true }), tunnels: new Set() };
      }
      this.peer = this.known;
    } else {
      this.peer = undefined;
      await new Promise((resolve) => setTimeout(resolve, LOOK));
    }
  }

  private statusOf(node: NodeAddress): Promise<number | undefined> {
    const { passports } = this.options;
    const asked = { method: 'GET', url: '/' };
    const news = this.news.some();
    const hello = { requestId: '', address: '', waited: 0, news };
    return new Promise((resolve) => {
      const request = requestAt(node, asked, {
        headers: { [PASSPORT]: passports.issue(hello, asked) },
        agent: false,
        timeout: PATIENCE,
      });
      request.on('response', (response) => {
        response.resume();
        if (response.statusCode === 204) this.news.heard(news);
        resolve(response.statusCode);
      });
      request.on('timeout', () => request.destroy(new Error('no answer')));
      request.on('error', () => resolve(undefined));
      request.end();
    });
  }
}
