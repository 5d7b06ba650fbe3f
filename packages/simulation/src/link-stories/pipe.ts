import { Duplex } from 'node:stream';
import { moved } from './activity.js';

/** One end of a connection of a client with a node. What is written to it can be read at the other end at once. */
export class PipeEnd extends Duplex {
  readonly remoteAddress = '192.0.2.7';
  private other: PipeEnd | undefined;
  private goOn: (() => void) | undefined;

  constructor() {
    super({ emitClose: false });
  }

  /** Both ends. */
  static pair(): readonly [PipeEnd, PipeEnd] {
    const [one, other] = [new PipeEnd(), new PipeEnd()];
    [one.other, other.other] = [other, one];
    for (const end of [one, other]) end.on('error', () => undefined);
    return [one, other];
  }

  /** What a socket has besides, which means nothing here. */
  setTimeout = (): this => this;
  setNoDelay = (): this => this;
  setKeepAlive = (): this => this;
  ref = (): this => this;
  unref = (): this => this;

  /** As when the machine at the other end is gone: what was not read is lost. */
  reset(): void {
    this.destroy(new Error('the connection was reset'));
  }

  override _read(): void {
    const go = this.goOn;
    this.goOn = undefined;
    go?.();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error) => void): void {
    moved();
    const { other } = this;
    if (!other || other.destroyed) done(new Error('nobody is at the other end'));
    else if (other.push(chunk)) done();
    else other.goOn = done;
  }

  override _final(done: () => void): void {
    moved();
    if (this.other?.destroyed === false) this.other.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    moved();
    const { other } = this;
    process.nextTick(() => {
      if (!other || other.destroyed) return;
      moved();
      if (error) other.destroy(new Error('the connection was reset'));
      else if (!other.readableEnded) other.push(null);
    });
    done(error);
    // As sockets do, which say whether they were broken.
    setImmediate(() => this.emit('close', error !== null));
  }
}
