import { Refusal } from '@slipstream/domain';
import { UNREAD } from '@slipstream/wire';
import type { AccessCheck } from './access-check.js';
import type { Connection } from '../connections/connection.js';
import { eventFrame } from '../connections/frames.js';
import { readSnapshot } from './snapshots.js';
import { type Streams, endSubscription } from '../streams.js';
import type { Subscription } from './subscription.js';

/** A snapshot counts as one read more for each so many bytes. */
const READ_BYTES = 64 * 1024;

/** The snapshots that one connection waits for, sent one at a time. */
export class SnapshotQueue {
  private readonly waiting: Subscription[] = [];
  private isSending = false;

  constructor(
    private readonly streams: Streams,
    private readonly connection: Connection,
    private readonly access: AccessCheck,
  ) {}

  /** Queues a snapshot; it is sent after the next `start`. */
  add(subscription: Subscription): void {
    this.waiting.push(subscription);
  }

  /** Sends what is queued. Does nothing while it does so already. */
  async start(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      if (!next.isOver) await this.send(next);
    }
    this.isSending = false;
  }

  private async send(subscription: Subscription): Promise<void> {
    const { application, topics, turn, pause, clock, log } = this.streams;
    const { channel } = subscription;
    try {
      // A crowd that subscribes at once is served a few at a time.
      await turn();
      if (subscription.isOver) return;
      subscription.beginSnapshot();
      if (await this.hasGoneOn(subscription)) return;
      const reader = { application, caller: this.connection.caller, turn: pause };
      const counted = (): number => topics.counted(channel);
      const { version, data } = await readSnapshot(reader, channel, counted);
      await this.access.idle();
      if (subscription.isOver) return;
      const frame = eventFrame(channel.name, 'snapshot', version, clock.now(), data);
      const sent = this.connection.sendSnapshot(frame.bytes);
      subscription.endSnapshot(version);
      await this.count(frame.bytes.length);
      await sent;
    } catch (error) {
      const isRefused = error instanceof Refusal;
      if (!isRefused) log.error({ error: String(error) }, 'could not read a snapshot');
      endSubscription(this.streams, subscription, isRefused ? error.message : UNREAD);
    }
  }

  /** Sends what the client has missed of orders, if it told what it has and all since is known. */
  private async hasGoneOn(subscription: Subscription): Promise<boolean> {
    const { application, topics } = this.streams;
    const { channel, after } = subscription;
    if (after === undefined || channel.kind !== 'wsOrders') return false;
    const { caller } = this.connection;
    const book = await application.operations.getPositions(caller, { strategyId: channel.id });
    await this.access.idle();
    if (subscription.isOver) return true;
    const missed = topics.missed(channel.id, after, book.version);
    if (!missed) return false;
    const sent = subscription.goOn(after, missed);
    await this.count(missed.reduce((sum, { bytes }) => sum + bytes.length, 0));
    await sent;
    return true;
  }

  /** So much was read, beside the one that is counted for each channel. */
  private async count(bytes: number): Promise<void> {
    const { caller, address } = this.connection;
    await this.streams.reads.count(caller, address, Math.floor(bytes / READ_BYTES));
  }
}
