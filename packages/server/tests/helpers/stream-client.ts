import { once } from 'node:events';
import WebSocket from 'ws';

/** A frame of contract 6: an answer or an event. */
export interface Frame {
  readonly id?: string | null;
  readonly success?: boolean;
  readonly response?: unknown;
  readonly channel?: string;
  readonly event?: string;
  readonly version?: number;
  readonly at?: string;
  readonly data?: unknown;
}

interface Waiter {
  matches(frame: Frame): boolean;
  resolve(frame: Frame): void;
  reject(error: Error): void;
}

/** Collects the frames of a connection; a test awaits the one it wants. */
export class StreamClient {
  /** All texts that came, in order. */
  readonly texts: string[] = [];
  readonly frames: Frame[] = [];
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #waiters: Waiter[] = [];
  #looked = 0;
  #asked = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#take(data.toString('utf8')));
    this.closed = new Promise((resolve) => {
      socket.once('close', (code) => {
        resolve(code);
        for (const { reject } of this.#waiters.splice(0)) {
          reject(new Error(`the stream was closed (${code}) after ${this.texts.join('\n')}`));
        }
      });
    });
  }

  static async open(url: string, token?: string): Promise<StreamClient> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    const client = new StreamClient(socket);
    await once(socket, 'open');
    return client;
  }

  #take(text: string): void {
    this.texts.push(text);
    this.frames.push(JSON.parse(text) as Frame);
    this.#serve();
  }

  /** Frames are looked at in order by one waiter after another; those that match none are passed over. */
  #serve(): void {
    for (let waiter = this.#waiters[0]; waiter && this.#looked < this.frames.length;) {
      const frame = this.frames[this.#looked] as Frame;
      this.#looked += 1;
      if (!waiter.matches(frame)) continue;
      this.#waiters.shift();
      waiter.resolve(frame);
      waiter = this.#waiters[0];
    }
  }

  /** The first frame after the one that was awaited last that matches. */
  next(matches: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve, reject) => {
      this.#waiters.push({ matches, resolve, reject });
      this.#serve();
    });
  }

  /** The next event of a channel, of that kind when it is said. */
  event(channel: string, event?: string): Promise<Frame> {
    return this.next(
      (frame) => frame.channel === channel && (event === undefined || frame.event === event),
    );
  }

  /** Sends a frame and answers what comes back for it. */
  ask(frame: Readonly<Record<string, unknown>>): Promise<Frame> {
    this.#asked += 1;
    const id = String(this.#asked);
    this.#socket.send(JSON.stringify({ id, ...frame }));
    return this.next((answer) => answer.id === id);
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  /** Subscribes, and answers the snapshot of each channel. */
  async subscribe(...channels: string[]): Promise<Frame[]> {
    const { success, response } = await this.ask({ action: 'subscribe', channels });
    if (success !== true) throw new Error(String(response));
    const snapshots: Frame[] = [];
    for (const channel of channels) snapshots.push(await this.event(channel, 'snapshot'));
    return snapshots;
  }

  /** All that came until the server has answered everything before. */
  async settled(): Promise<readonly Frame[]> {
    await this.ask({ action: 'ping' });
    return this.frames;
  }

  stop(): void {
    this.#socket.terminate();
  }
}
