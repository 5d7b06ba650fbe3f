import { EventEmitter } from 'node:events';

const OPEN = 1;
const CLOSING = 2;
const CLOSED = 3;

/** Observes a socket. */
export interface SocketWatch {
  /** A frame leaves the server; `owed` is the number of unsent bytes before it, without snapshots. */
  onSend(text: string, owed: number): void;
  /** The client reads a frame. */
  onReceive(text: string): void;
  /** The server closes the socket; `owed` as above. */
  onClose(code: number, owed: number): void;
}

interface Unsent {
  readonly text: string;
  readonly sent: () => void;
}

/** Snapshots do not count (contract 6). */
const isSnapshot = (text: string): boolean => text.includes('"event":"snapshot"');

/** A client's socket, without a network. While a client reads nothing, everything stays unsent. */
export class StandInSocket extends EventEmitter {
  readonly OPEN = OPEN;
  readyState = OPEN;
  isStalled = false;
  /** Bytes that were unsent when it stalled. */
  private before = 0;
  private readonly unsent: Unsent[] = [];
  /** Called by the socket when a frame has left. */
  private left = (): void => undefined;

  constructor(
    private readonly watch: SocketWatch,
    private readonly showsUnsent: boolean,
  ) {
    super();
  }

  /** Unsent bytes that count. */
  get unsentBytes(): number {
    return this.unsent.reduce(
      (bytes, { text }) => bytes + (isSnapshot(text) ? 0 : Buffer.byteLength(text)),
      this.before,
    );
  }

  get bufferedAmount(): number {
    if (!this.showsUnsent) return 0;
    return this.unsent.reduce((all, { text }) => all + Buffer.byteLength(text), this.before);
  }

  send(bytes: Buffer, _options: unknown, sent: () => void): void {
    const text = bytes.toString();
    this.watch.onSend(text, this.unsentBytes);
    if (!isSnapshot(text)) this.left = sent;
    if (this.isStalled) {
      this.unsent.push({ text, sent });
      return;
    }
    this.watch.onReceive(text);
    sent();
  }

  ping(word: string): void {
    if (!this.isStalled) this.emit('pong', Buffer.from(word));
  }

  /** A client that reads nothing does not answer the close either. */
  close(code: number): void {
    if (this.readyState !== OPEN) return;
    this.watch.onClose(code, this.unsentBytes);
    if (this.isStalled) this.readyState = CLOSING;
    else this.drop();
  }

  terminate(): void {
    this.drop();
  }

  /** From now on the client reads nothing. */
  stall(unsent: number): void {
    if (this.isStalled) return;
    this.isStalled = true;
    this.before = unsent;
  }

  /** The client reads all unsent frames, and those sent meanwhile. */
  catchUp(): void {
    if (this.before > 0) this.unsent.unshift({ text: '', sent: this.left });
    this.before = 0;
    for (let next = this.unsent.shift(); next; next = this.unsent.shift()) {
      if (next.text !== '') this.watch.onReceive(next.text);
      next.sent();
    }
    this.isStalled = false;
    if (this.readyState === CLOSING) this.drop();
  }

  /** The connection is lost. */
  drop(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.unsent.length = 0;
    this.emit('close');
  }
}
