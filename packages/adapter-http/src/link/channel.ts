import { Duplex } from 'node:stream';
import type { OfChannels } from './messages.js';

/** So many bytes of a channel may be on their way; more when the other side has read some. */
export const WINDOW = 256 * 1024;
/** Bytes of one message at most. */
const PIECE = 64 * 1024;
/** The other side hears of so much room at once: a word for each short message would cost more than the message. */
const ROOM_TOLD = WINDOW / 4;

/** The link between the two nodes is closed: the other one has ended, or cannot be reached. */
export class LinkClosed extends Error {
  override readonly name = 'LinkClosed';
}

/** What a channel needs of its link. */
export interface ChannelHost {
  send(message: OfChannels, body?: Buffer): void;
  forget(id: number): void;
}

/** A connection within a link. Each side sends no more than the other one has room for. */
export class Channel extends Duplex {
  /** How many bytes the other side has room for. */
  private room = WINDOW;
  /** Bytes that the reader has not taken yet, and those whose room was not given back. */
  private used = 0;
  private waiting: (() => void) | undefined;
  private isCut = false;

  constructor(
    private readonly host: ChannelHost,
    readonly id: number,
    /** The client's. */
    readonly remoteAddress: string,
  ) {
    super();
  }

  /** The link sends what was written in one turn together: there is nothing to hold back here. */
  override cork(): void {}
  override uncork(): void {}

  /** Bytes from the other side. */
  arrived(body: Buffer): void {
    this.used += body.length;
    if (this.push(body)) this.giveBack();
  }

  /** Another message for this channel. */
  receive(message: OfChannels): void {
    switch (message[0]) {
      case 'credit':
        this.room += message[2];
        this.goOn();
        return;
      case 'end':
        this.push(null);
        return;
      default:
        this.cut(new Error('the other node closed the connection'));
    }
  }

  /** Ends the channel without a word to the other side. */
  cut(error: Error): void {
    this.isCut = true;
    this.destroy(error);
  }

  override _read(): void {
    this.giveBack();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    let rest = chunk;
    const send = (): void => {
      while (rest.length > 0 && this.room > 0) {
        const length = Math.min(PIECE, this.room);
        // The link knows bytes for several channels by being the same object.
        const piece = length < rest.length ? rest.subarray(0, length) : rest;
        rest = rest.subarray(piece.length);
        this.room -= piece.length;
        this.host.send(['data', [this.id]], piece);
      }
      if (rest.length > 0) this.waiting = send;
      else done();
    };
    send();
  }

  override _final(done: () => void): void {
    this.host.send(['end', this.id]);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const isWhole = this.writableFinished && this.readableEnded;
    if (!this.isCut && !isWhole) this.host.send(['cut', this.id]);
    this.host.forget(this.id);
    done(error);
  }

  private goOn(): void {
    const go = this.waiting;
    this.waiting = undefined;
    go?.();
  }

  private giveBack(): void {
    if (this.used < ROOM_TOLD) return;
    this.host.send(['credit', this.id, this.used]);
    this.used = 0;
  }
}
