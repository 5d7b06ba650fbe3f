import { WebSocket } from 'ws';

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

/** A client that hands over the frames in order. */
export class Client {
  readonly socket: WebSocket;
  readonly texts: string[] = [];
  readonly closed: Promise<number>;
  #wake: (() => void) | undefined;

  constructor(port: number, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers });
    this.socket.on('message', (data: Buffer) => {
      this.texts.push(data.toString());
      this.#wake?.();
    });
    this.closed = new Promise((resolve) => this.socket.on('close', (code) => resolve(code)));
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  async nextText(): Promise<string> {
    while (this.texts.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.texts.shift() ?? '';
  }

  async next(): Promise<Frame> {
    return JSON.parse(await this.nextText()) as Frame;
  }

  /** Sends a frame and answers what comes back next. */
  async ask(frame: object): Promise<Frame> {
    this.send({ id: 'q', ...frame });
    return this.next();
  }

  /** Subscribes and answers the snapshots. */
  async subscribe(...channels: string[]): Promise<Frame[]> {
    const answer = await this.ask({ action: 'subscribe', channels });
    if (answer.success !== true) throw new Error(String(answer.response));
    const snapshots: Frame[] = [];
    for (const _ of channels) snapshots.push(await this.next());
    return snapshots;
  }

  /** All frames until the answer to a ping: nothing else was on its way. */
  async settle(): Promise<Frame[]> {
    this.send({ id: 'settle', action: 'ping' });
    const frames: Frame[] = [];
    for (;;) {
      const frame = await this.next();
      if (frame.id === 'settle') return frames;
      frames.push(frame);
    }
  }
}
