import { EventEmitter } from 'node:events';
import type { LinkHost } from '@slipstream/adapter-http';
import { moved } from './activity.js';

type Sent =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'ping'; readonly data: Buffer }
  | { readonly kind: 'pong' | 'closing' | 'gone' };

/**
 * One end of a connection between two nodes, as `ws` offers it. What it sends arrives at the other end when the story lets it,
 * in order; also when its node has ended meanwhile.
 */
export class WireEnd extends EventEmitter {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readyState: 0 | 1 | 2 | 3 = 0;
  /** On its way to the other end. */
  readonly sent: Sent[] = [];
  private other: WireEnd | undefined;

  constructor(readonly node: string) {
    super();
  }

  /** As the parts that are used of a socket of `ws`. */
  get socket(): ReturnType<LinkHost['open']> {
    return this as unknown as ReturnType<LinkHost['open']>;
  }

  /** Both ends are open now. */
  join(other: WireEnd): void {
    [this.other, other.other] = [other, this];
    [this.readyState, other.readyState] = [this.OPEN, this.OPEN];
    this.emit('open');
  }

  send(bytes: Buffer | string): void {
    if (this.readyState === this.OPEN) this.put({ kind: 'bytes', bytes: Buffer.from(bytes) });
  }

  ping(data: string): void {
    this.put({ kind: 'ping', data: Buffer.from(data) });
  }

  close(): void {
    if (this.readyState !== this.OPEN) return;
    this.readyState = 2;
    this.put({ kind: 'closing' });
  }

  /** Ends at once. `isReset`: what is on its way does not arrive. */
  terminate(isReset = false): void {
    if (this.readyState === 3) return;
    if (isReset) this.sent.length = 0;
    this.put({ kind: 'gone' });
    this.over();
  }

  /** Lets the next thing arrive at the other end. */
  deliver(): void {
    const first = this.sent.shift();
    const { other } = this;
    if (!first || !other || other.readyState === 3) return;
    moved();
    switch (first.kind) {
      case 'bytes':
        other.emit('message', first.bytes);
        return;
      case 'ping':
        other.emit('ping', first.data);
        other.put({ kind: 'pong' });
        return;
      case 'pong':
        other.emit('pong');
        return;
      case 'closing':
        if (other.readyState === other.OPEN) other.put({ kind: 'closing' });
        other.over();
        return;
      case 'gone':
        other.over();
    }
  }

  private put(one: Sent): void {
    moved();
    this.sent.push(one);
  }

  private over(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    moved();
    setImmediate(() => this.emit('close'));
  }
}
