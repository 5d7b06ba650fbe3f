import type { Log } from '@slipstream/ports';
import { type LinkHost, linkHost } from '../link/link-host.js';
import { NewsOfDeliveries } from './news.js';
import { type Linking, type NodeAddress, type Peer, linkWith } from './peer.js';

/** For how long a request waits for a node that serves, in milliseconds. */
export const LOOKED_FOR = 2_500;

/** Between two looks at the owner, and between two questions whether it serves, in milliseconds. */
const LOOK = 50;

export interface ServingNodeOptions extends Omit<Linking, 'host' | 'unreached'> {
  /** The process by default. */
  readonly host?: LinkHost;
  /** The owner that the database names. */
  readonly owner: () => NodeAddress | undefined;
  readonly log: Log;
  /** An owner that is not found to serve for so many milliseconds is logged: its successor would serve by then. None is by default. */
  readonly missedAfter?: number;
  /** The id of this node, if it may be the owner itself. */
  readonly self?: string;
  /** Called when the owner has another master key. */
  readonly onStranger: () => void;
  /** Called when the owner says that it has left the database, or its link has closed. */
  readonly onLeft: () => void;
}

/** Finds the node that serves, and cuts what others have to do with one that no longer owns the database. */
export class ServingNode {
  /** What it must hear. */
  readonly news = new NewsOfDeliveries(() => this.peer?.tell());
  private peer: Peer | undefined;
  /** The last one that was linked. */
  private linked: Peer | undefined;
  private finding: Promise<void> | undefined;
  private readonly stopLooking: () => void;
  private isStopped = false;
  /** Whether the log says that no owner is found to serve. */
  private isMissed = false;
  /** The owner that is not found to serve: since when, whether the log says so, and whether anything answers at its address. */
  private missing:
    | {
        readonly id: string;
        readonly since: number;
        readonly isTold: boolean;
        readonly isReached: boolean;
      }
    | undefined;
  /** What it has around it. */
  readonly host: LinkHost;

  constructor(private readonly options: ServingNodeOptions) {
    this.host = options.host ?? linkHost;
    this.stopLooking = this.host.every(LOOK, () => {
      this.look();
      if (!this.peer) this.finding ??= this.asking();
    });
  }

  /** The node that serves; waits for one, at most for so many milliseconds. */
  async find(patience: number): Promise<Peer | undefined> {
    const until = this.host.now() + patience;
    for (;;) {
      this.look();
      if (this.peer || this.isStopped || this.host.now() >= until) return this.peer;
      this.finding ??= this.asking();
      await this.finding;
    }
  }

  /** Whether that node serves, found within so many milliseconds; resolves once it has nothing of the request under way. */
  async settled({ id }: NodeAddress, requestId: string, patience: number): Promise<boolean> {
    const again = await this.find(patience);
    return again?.id === id && (await again.settled(requestId));
  }

  /** Whether one serves, as far as is known. */
  get isFound(): boolean {
    return this.peer !== undefined;
  }

  /** Why no node is found that serves, in a sentence. Nobody is told where the nodes are. */
  get fault(): string {
    const owner = this.options.owner();
    if (!owner) return 'no server is known to serve: none shows signs of life in the database';
    return this.missing?.id === owner.id && !this.missing.isReached
      ? 'this server cannot reach the one that owns the database'
      : 'the server that owns the database does not serve now';
  }

  /** Whether it serves, as far as is known. */
  isServing(peer: Peer): boolean {
    return this.peer === peer;
  }

  /** The node does not serve, or cannot be reached. Answers that it still owes may come. */
  left(peer: Peer): void {
    if (this.peer === peer) this.peer = undefined;
  }

  /** Cuts the link to the other node. */
  stop(): void {
    this.isStopped = true;
    this.stopLooking();
    this.cut();
  }

  private found({ url }: NodeAddress): void {
    this.missing = undefined;
    if (!this.isMissed) return;
    this.isMissed = false;
    this.options.log.info({ node: url }, 'the node that owns the database serves now');
  }

  /** Told once of each owner, and not while another node may be about to own the database. */
  private missed({ id, url }: NodeAddress, reason: string, isReached: boolean): void {
    const { log, missedAfter = Infinity, self } = this.options;
    // It has not begun to serve, as its own log shows.
    if (id === self && isReached) return;
    const now = this.host.now();
    const { since, isTold } =
      this.missing?.id === id ? this.missing : { since: now, isTold: false };
    const tells = !isTold && !this.isStopped && now - since >= missedAfter;
    this.missing = { id, since, isTold: isTold || tells, isReached };
    if (!tells) return;
    if (id === self) {
      log.warn(
        { node: url, reason },
        'this node owns the database, and cannot reach its own NODE_URL: no request reaches it from other nodes that cannot either',
      );
      return;
    }
    this.isMissed = true;
    log.error(
      { node: url, reason },
      isReached
        ? 'the node that owns the database does not serve: its log may say why, or PostgreSQL does not answer it, or that is not its NODE_URL'
        : 'no request reaches the node that owns the database: does it run, is that its NODE_URL, and is its port open to the other nodes?',
    );
  }

  private look(): void {
    const owner = this.options.owner();
    // No owner is known while the database cannot be reached: the last one may still serve.
    if (this.linked && owner && owner.id !== this.linked.id) this.cut();
  }

  private asking(): Promise<void> {
    return this.ask().finally(() => (this.finding = undefined));
  }

  private cut(): void {
    const { linked } = this;
    [this.linked, this.peer] = [undefined, undefined];
    linked?.destroy();
  }

  /** Asks the owner whether it serves. */
  private async ask(): Promise<void> {
    const owner = this.options.owner();
    const peer = owner && (await this.linkTo(owner));
    const serves = peer !== undefined && (await peer.serves());
    if (serves && peer === this.linked && !this.isStopped) {
      this.peer = peer;
      this.found(peer);
      peer.tell();
    } else {
      this.peer = undefined;
      if (peer) this.missed(peer, 'what answers there does not serve', true);
      await new Promise<void>((resolve) => this.host.after(LOOK, resolve));
    }
  }

  /** The one link to the node. */
  private async linkTo(node: NodeAddress): Promise<Peer | undefined> {
    const { host } = this;
    const { proofs, isRemote, log, onStranger, onLeft } = this.options;
    if (this.linked?.id === node.id && this.linked.isOpen) return this.linked;
    this.cut();
    const linking = {
      ...{ proofs, isRemote, host },
      unreached: (reason: string) => this.missed(node, reason, false),
    };
    const found = await linkWith(node, linking, this.news, (peer, how) => {
      this.left(peer);
      if (how === 'left' && !this.isStopped) onLeft();
    });
    if (found === 'stranger') {
      log.error({ node: node.url }, 'the node that serves has another SECRET_KEY');
      onStranger();
      return undefined;
    }
    if (this.isStopped) {
      found?.destroy();
      return undefined;
    }
    return (this.linked = found);
  }
}
