import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ClientFrame } from '@slipstream/wire';
import type { WebSocket } from 'ws';
import type { Peer } from '../peer.js';
import type { ServingNode } from '../serving-node.js';
import type { InTurn } from './a-few-at-a-time.js';
import { byTurns } from './by-turns.js';
import { CarriedChannels } from './carried-channels.js';
import { type Opened, openUpstream } from './upstream.js';

/** For how long a client waits for another node that serves, in milliseconds. */
const GOES_ON_WITHIN = 30_000;
/** Frames of a client that may wait, as many as the node that serves lets wait. */
const MAX_WAITING_FRAMES = 100;
/** Close codes: 1001 the server stops, 1003 a kind of frame that is not taken, 1008 a rule was broken, 1013 come again. */
const [GOING_AWAY, UNACCEPTABLE, POLICY, TRY_AGAIN] = [1001, 1003, 1008, 1013];

/** How an answer begins (contract 6). */
const ANSWER = '{"id":';

interface Answer {
  readonly success: boolean;
}

/** A frame that awaits its answer. */
interface Asked {
  readonly text: string;
  /** Told the answer to a frame of this node's own; absent when the client asked. */
  readonly own?: (answer: Answer | undefined) => void;
}

type OpenUpstream = Opened & { readonly kind: 'open' };

/**
 * A client's stream at whichever node serves. It goes on when another node does: this node tells that one which channels
 * the client has, and the last event of each.
 */
export class CarriedStream {
  private readonly channels = new CarriedChannels();
  /** The last one that it gave in a frame; undefined while that of its request holds. */
  private token: string | undefined;
  /** Frames of the client that were not sent yet. */
  private waiting: Asked[] = [];
  /** Frames that were sent, in the order of their answers. */
  private asked: Asked[] = [];
  private upstream: WebSocket | undefined;
  /** The node at its other end, or the last one that was. */
  private servedBy = '';
  /** Whether the other node knows all of the client. */
  private isKnown = true;
  /** Whether the other node awaits a sign of life. */
  private isPinged = false;

  constructor(
    private readonly serving: ServingNode,
    private readonly request: IncomingMessage,
    /** The transport of `client`. */
    private readonly to: Duplex,
    private readonly client: WebSocket,
    private readonly inTurn: InTurn,
    first: OpenUpstream,
  ) {
    client.on('message', (data: Buffer, isBinary) => this.receive(data, isBinary));
    client.on('pong', (data) => {
      if (this.isPinged) this.upstream?.pong(data);
      this.isPinged = false;
    });
    client.on('error', () => undefined);
    client.once('close', () => this.upstream?.terminate());
    this.follow(first);
  }

  /** Cuts the client if the node of that id serves it. */
  cut(id: string): void {
    if (this.servedBy === id) this.client.terminate();
  }

  /** Closes it: this node stops. */
  close(): void {
    this.end(GOING_AWAY, 'the server is stopping');
  }

  /** A frame of the client. */
  private receive(data: Buffer, isBinary: boolean): void {
    if (isBinary) {
      this.end(UNACCEPTABLE, 'frames are JSON text');
      return;
    }
    const asked = { text: data.toString() };
    // The other node may read nothing for a while.
    if (this.asked.length + this.waiting.length >= MAX_WAITING_FRAMES)
      this.end(POLICY, 'too many frames at once');
    else if (this.upstream && this.isKnown) this.send(asked);
    else this.waiting.push(asked);
  }

  private send(asked: Asked): void {
    this.asked.push(asked);
    this.upstream?.send(asked.text);
  }

  /** From now on the node at the other end serves the client. */
  private follow({ socket, peer, isLost }: OpenUpstream): void {
    this.upstream = socket;
    this.servedBy = peer.id;
    socket.on('message', (data: Buffer, isBinary) => this.tell(data, isBinary));
    socket.on('ping', (data: Buffer) => {
      this.channels.interrupted();
      this.isPinged = true;
      if (this.isOpen) this.client.ping(data);
    });
    socket.once('close', (code, reason) => {
      this.upstream = undefined;
      this.channels.cut();
      const lost = this.asked;
      this.asked = [];
      this.waiting = [...lost.filter(({ own }) => !own), ...this.waiting];
      for (const { own } of lost) own?.(undefined);
      if (!this.isOpen) return;
      // The word of a node that stops may wait behind what a slow client has not read.
      if (isLost() || code === GOING_AWAY || !this.serving.isServing(peer))
        this.goOn().catch(() => this.client.terminate());
      else if (code === 1006) this.client.terminate();
      else this.end(code, String(reason));
    });
  }

  /** A frame for the client, or an answer for this node. */
  private tell(data: Buffer, isBinary: boolean): void {
    const event = this.channels.told(data);
    if (event === 'again') return;
    if (!event) {
      this.channels.interrupted();
      if (data.toString('latin1', 0, ANSWER.length) === ANSWER && !this.isForClient(data)) return;
    }
    if (!this.isOpen) return;
    byTurns(this.to);
    this.client.send(event ?? data, { binary: isBinary });
    if (!this.to.writableNeedDrain || this.upstream?.isPaused !== false) return;
    this.upstream.pause();
    this.to.once('drain', () => this.upstream?.resume());
  }

  /** Takes an answer to the frame that was sent first of those without one. */
  private isForClient(data: Buffer): boolean {
    const asked = this.asked.shift();
    const answer = JSON.parse(data.toString()) as Answer;
    asked?.own?.(answer);
    if (asked && answer.success && !asked.own) this.learn(JSON.parse(asked.text) as ClientFrame);
    return !asked?.own;
  }

  /** What the other node knows of the client since it took this frame. */
  private learn(frame: ClientFrame): void {
    if (frame.action === 'authenticate') this.token = frame.token;
    else this.channels.learn(frame);
  }

  /** Looks for the node that serves now, and goes on there when its turn comes. */
  private async goOn(): Promise<void> {
    this.isKnown = false;
    const { host } = this.serving;
    const until = host.now() + GOES_ON_WITHIN;
    while (this.isOpen) {
      const peer = await this.serving.find(until - host.now());
      if (!peer) return this.end(GOING_AWAY, 'no server serves');
      if (await this.inTurn(() => this.goOnAt(peer))) return;
    }
  }

  /** False when that node does not serve. */
  private async goOnAt(peer: Peer): Promise<boolean> {
    if (!this.isOpen) return true;
    const opened = await openUpstream(peer, this.request, this.token);
    if (opened.kind === 'not taken') {
      this.serving.left(peer);
      return false;
    }
    if (opened.kind === 'refused') this.refuse(opened.status === 401);
    else if (!this.isOpen) opened.socket.terminate();
    else {
      this.follow(opened);
      await this.introduce();
    }
    return true;
  }

  /** Tells the other node what the one before knew, then what the client sent meanwhile. */
  private async introduce(): Promise<void> {
    const { upstream } = this;
    for (const frame of this.channels.frames()) if (!(await this.isTaken(frame))) return;
    if (this.upstream !== upstream) return;
    this.isKnown = true;
    for (const asked of this.waiting.splice(0)) this.send(asked);
  }

  /** False when it goes on no further: the stream is lost again, or the other node refuses the frame. */
  private async isTaken(frame: ClientFrame): Promise<boolean> {
    const answer = await new Promise<Answer | undefined>((own) =>
      this.send({ text: JSON.stringify(frame), own }),
    );
    if (answer && !answer.success) this.refuse();
    return answer?.success === true;
  }

  /** The client connects anew, and the node that serves tells it why it is refused. */
  private refuse(isTokenLost = false): void {
    if (isTokenLost) this.end(POLICY, 'the token is no longer valid');
    else this.end(TRY_AGAIN, 'connect again');
  }

  private get isOpen(): boolean {
    return this.client.readyState === this.client.OPEN;
  }

  private end(code: number, reason: string): void {
    if (!this.isOpen) return;
    this.client.close(code, reason);
    this.upstream?.terminate();
  }
}
