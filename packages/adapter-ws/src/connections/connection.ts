import type { Duplex } from 'node:stream';
import type { Caller } from '@slipstream/application';
import type { WebSocket } from 'ws';
import type { EventFrame } from './frames.js';
import type { CorkedWrites } from './corked-writes.js';
import type { Subscription } from '../channels/subscription.js';
import type { StreamTimers } from '../timers.js';

const KIB = 1024;
/** A client with more unsent bytes gets only the newest values. */
const CONFLATED_BEYOND = 256 * KIB;
/** A client with more unsent bytes is disconnected: with the frames' heads and the one that says so it is 1 MiB (contract 6). */
const CUT_OFF_BEYOND = 1024 * KIB - 64;
/** How long a close frame may take before the socket is torn down, in milliseconds. */
const CLOSING_TIME = 1000;

/** The transport of a client's WebSocket; it collects frames to many clients. */
export interface Wire {
  readonly to: Duplex;
  readonly writes: CorkedWrites;
}

/** One client: its caller, its channels, and how much is still unsent. */
export class Connection {
  caller: Caller = { kind: 'anonymous' };
  /** Needed to check the caller again; undefined while anonymous. */
  token: string | undefined;
  /** The heartbeats so far. */
  beats = 0;
  /** The client's. */
  readonly address: string;
  /** The network that the address counts for: providers give whole networks to one customer. */
  readonly network: string;
  readonly subscriptions = new Map<string, Subscription>();
  private readonly socket: WebSocket;
  private readonly timers: StreamTimers;
  /** Bytes of a snapshot on its way: they do not count as unsent. */
  private snapshotBytes = 0;
  /** Bytes of events that wait for a snapshot or a check. */
  private heldBytes = 0;
  private readonly behind = new Set<Subscription>();
  /** The word of a heartbeat that the client has not answered. */
  private asked: string | undefined;
  private over = false;

  private readonly wire: Wire | undefined;
  private readonly left = (): void => this.drained();

  /** Frames go through `wire` if there is one, else each separately. */
  constructor(
    socket: WebSocket,
    timers: StreamTimers,
    { address, network }: { readonly address: string; readonly network: string },
    wire?: Wire,
  ) {
    this.address = address;
    this.network = network;
    this.socket = socket;
    this.timers = timers;
    this.wire = wire;
  }

  /** Closed or closing: nothing is sent any more. */
  get isOver(): boolean {
    return this.over || this.socket.readyState !== this.socket.OPEN;
  }

  get unsent(): number {
    return Math.max(0, this.socket.bufferedAmount - this.snapshotBytes) + this.heldBytes;
  }

  /** Sends an answer or an event; disconnects a client that would have more than 1 MiB unsent. */
  send(bytes: Buffer): void {
    if (this.isOver || !this.keepsUpWith(bytes.length)) return;
    if (this.wire) this.wire.writes.send(this.wire.to, bytes, this.left);
    else this.socket.send(bytes, { binary: false }, this.left);
  }

  /** Sends the newest value, or keeps it until the client has caught up. */
  sendNewest(subscription: Subscription, frame: EventFrame): void {
    if (this.unsent > CONFLATED_BEYOND) {
      subscription.newest = frame;
      this.behind.add(subscription);
      return;
    }
    subscription.newest = undefined;
    this.behind.delete(subscription);
    this.send(frame.bytes);
  }

  /** Resolves when the snapshot has left for the network, or the connection is over. */
  sendSnapshot(bytes: Buffer): Promise<void> {
    if (this.isOver) return Promise.resolve();
    this.snapshotBytes += bytes.length;
    return new Promise((resolve) => {
      this.socket.send(bytes, { binary: false }, () => {
        this.snapshotBytes -= bytes.length;
        this.drained();
        resolve();
      });
    });
  }

  /** Counts events that wait; negative when they no longer do. */
  hold(bytes: number): void {
    this.heldBytes += bytes;
    if (bytes > 0) this.keepsUpWith(0);
  }

  /** Asks whether the client reads, by a word that only a client that reads can repeat. False when it did not answer the last one. */
  ping(word: string): boolean {
    if (this.asked !== undefined) return false;
    this.asked = word;
    this.socket.ping(word);
    return true;
  }

  /** An answer to a heartbeat; a pong that nobody asked for is allowed, and means nothing (RFC 6455, 5.5.3). */
  ponged(word: string): void {
    if (word === this.asked) this.asked = undefined;
  }

  /** Sends a close frame, and destroys the socket if the client sends none within `patience` milliseconds. */
  close(code: number, reason: string, patience = CLOSING_TIME): void {
    if (this.over) return;
    this.over = true;
    const cancel = this.timers.after(Math.min(patience, CLOSING_TIME), () =>
      this.socket.terminate(),
    );
    this.socket.once('close', cancel);
    this.socket.close(code, reason);
  }

  terminate(): void {
    this.over = true;
    this.socket.terminate();
  }

  private keepsUpWith(bytes: number): boolean {
    if (this.unsent + bytes <= CUT_OFF_BEYOND) return true;
    this.close(1013, 'too slow: start again from a snapshot');
    return false;
  }

  private drained(): void {
    if (this.isOver || this.behind.size === 0 || this.unsent > CONFLATED_BEYOND) return;
    const behind = [...this.behind];
    this.behind.clear();
    for (const subscription of behind) subscription.sendKept();
  }
}
