import type { Channel } from '@slipstream/wire';
import type { Connection } from '../connections/connection.js';
import type { EventFrame } from '../connections/frames.js';

/** One channel of one connection. Events wait while a snapshot is read or access is checked. */
export class Subscription {
  /** The value to send once the client has caught up. */
  newest: EventFrame | undefined;
  readonly connection: Connection;
  readonly channel: Channel;
  /** The version of the last event that the client has of the channel, if it goes on after one. */
  readonly after: number | undefined;
  private awaitsSnapshot = true;
  private holds = 0;
  private held: EventFrame[] = [];
  private seen = -1;
  private sentVersion = 0;
  private ended = false;

  constructor(connection: Connection, channel: Channel, after?: number) {
    this.connection = connection;
    this.channel = channel;
    this.after = after;
  }

  /** Of the last thing that was sent; it never falls. */
  get version(): number {
    return this.sentVersion;
  }

  get isOver(): boolean {
    return this.ended || this.connection.isOver;
  }

  /** From now on events are stored, because the snapshot that is read next may lack them. */
  beginSnapshot(): void {
    this.awaitsSnapshot = false;
    this.hold();
  }

  /** The snapshot of that version was sent. */
  endSnapshot(version: number): void {
    this.seen = version;
    this.sentVersion = Math.max(this.sentVersion, version);
    this.release();
  }

  /**
   * In place of a snapshot: the client has all up to that version, and `missed` is what came since, all that is held too. Resolves
   * when that has left.
   */
  async goOn(version: number, missed: readonly EventFrame[]): Promise<void> {
    const sent = missed.map(({ bytes }) => this.connection.sendSnapshot(bytes));
    this.endSnapshot(missed.at(-1)?.version ?? version);
    await Promise.all(sent);
  }

  hold(): void {
    this.holds += 1;
  }

  release(): void {
    this.holds -= 1;
    if (this.holds > 0) return;
    for (const frame of this.takeHeld()) {
      if (this.isNews(frame)) this.send(frame);
    }
  }

  /** An event of the channel; the snapshot still to be read will show what comes before it. */
  offer(frame: EventFrame): void {
    if (this.isOver || this.awaitsSnapshot) return;
    if (this.holds > 0) {
      this.held.push(frame);
      this.connection.hold(frame.bytes.length);
    } else if (this.isNews(frame)) {
      this.send(frame);
    }
  }

  /** Sends the value that was stored while the client was slow, unless the channel waits again. */
  sendKept(): void {
    const frame = this.newest;
    this.newest = undefined;
    if (frame && !this.isOver) this.offer(frame);
  }

  /** Nothing more is sent. */
  end(): void {
    this.ended = true;
    this.takeHeld();
  }

  /** An event not above the snapshot is old. Values are of the present book, unless a change of it was sent since. */
  private isNews({ event, version }: EventFrame): boolean {
    return event === 'valued' ? version >= this.sentVersion : version > this.seen;
  }

  private send(frame: EventFrame): void {
    this.sentVersion = Math.max(this.sentVersion, frame.version);
    if (this.channel.kind === 'wsStrategyValue' || frame.event === 'valued')
      this.connection.sendNewest(this, frame);
    else this.connection.send(frame.bytes);
  }

  private takeHeld(): EventFrame[] {
    const held = this.held;
    this.held = [];
    this.connection.hold(-held.reduce((bytes, frame) => bytes + frame.bytes.length, 0));
    return held;
  }
}
