import type { WebSocket } from 'ws';
import { Channel, LinkClosed } from './channel.js';
import type { SessionKeys } from './handshake.js';
import { FrameBuilder, type Message, type Word, messagesOf } from './messages.js';
import { frameOpener, frameSealer } from './sealed-frames.js';

/** A frame that is longer is sent at once, in bytes. */
const ENOUGH = 128 * 1024;
/** The longest frame: a whole body may come to one that is nearly long enough. */
export const LONGEST_FRAME = 4 * 1024 * 1024;

const NOTHING = Buffer.alloc(0);

/** Receives the messages that are not of a channel. */
export type Receiver = (word: Word, body: Buffer) => void;

/**
 * The one connection between two nodes. Messages of one turn of the event loop leave in one frame; frames are sealed and
 * counted, so that nobody between can read, change, repeat or drop one.
 */
export class Link {
  private readonly builder = new FrameBuilder();
  private readonly channels = new Map<number, Channel>();
  private readonly seal: (frame: Buffer) => Buffer;
  private messages = 0;
  private sent = 0;
  private isClosed = false;

  constructor(
    private readonly socket: WebSocket,
    { sending, receiving }: SessionKeys,
    private readonly receive: Receiver,
    private readonly onClose: () => void,
  ) {
    this.seal = frameSealer(sending);
    const open = frameOpener(receiving);
    socket.on('message', (data: Buffer) => {
      try {
        for (const [message, body] of messagesOf(open(data))) this.take(message, body);
      } catch {
        // Not the next frame, or not sealed by the other side.
        this.destroy();
      }
    });
    socket.on('close', () => this.closed());
  }

  /** Sends a message with its bytes; returns its place among the messages sent. */
  send(message: Message, body: Buffer = NOTHING): number {
    if (this.builder.size === 0) setImmediate(() => this.flush());
    this.builder.add(message, body);
    this.messages += 1;
    if (this.builder.size > ENOUGH) this.flush();
    return this.messages;
  }

  /** Whether the message of that place has left this process. */
  hasSent(place: number): boolean {
    return place <= this.sent;
  }

  /** A connection within the link. */
  channel(id: number, address = 'unknown'): Channel {
    const channel = new Channel(
      {
        send: (...message) => void this.send(...message),
        forget: (over) => void this.channels.delete(over),
      },
      id,
      address,
    );
    channel.on('error', () => undefined);
    if (this.isClosed) channel.cut(new LinkClosed());
    else this.channels.set(id, channel);
    return channel;
  }

  get isOpen(): boolean {
    return !this.isClosed;
  }

  /** Closes it after what was sent. */
  close(): void {
    this.flush();
    this.socket.close();
  }

  /** Closes it at once. */
  destroy(): void {
    this.socket.terminate();
    this.closed();
  }

  private take(message: Message, body: Buffer): void {
    switch (message[0]) {
      case 'data': {
        const own = alone(body);
        // A channel may have ended on this side meanwhile.
        for (const id of message[1]) this.channels.get(id)?.arrived(own);
        return;
      }
      case 'credit':
      case 'end':
      case 'cut':
        this.channels.get(message[1])?.receive(message);
        return;
      default:
        this.receive(message, body);
    }
  }

  private flush(): void {
    if (this.builder.size === 0) return;
    const frame = this.builder.take();
    if (this.isClosed || this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(this.seal(frame));
    this.sent = this.messages;
  }

  private closed(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const channel of this.channels.values()) channel.cut(new LinkClosed());
    this.channels.clear();
    this.onClose();
  }
}

/** The bytes without the frame they came in, if that is much longer: a slow client keeps them for long. */
function alone(body: Buffer): Buffer {
  if (2 * body.length > body.buffer.byteLength) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}
