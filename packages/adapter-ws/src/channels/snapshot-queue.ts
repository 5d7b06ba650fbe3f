import { Refusal } from '@slipstream/domain';
import type { Pause } from '@slipstream/ports';
import { UNREAD, tooManyRequests } from '@slipstream/wire';
import type { AccessCheck } from './access-check.js';
import type { Connection } from '../connections/connection.js';
import { eventFrame } from '../connections/frames.js';
import { readSnapshot } from './snapshots.js';
import { type Streams, endSubscription } from '../streams.js';
import type { Subscription } from './subscription.js';

/** A snapshot counts as one read more for each so many bytes. */
const READ_BYTES = 64 * 1024;

/** What was read has been given to the connection; `sent` resolves when it has left. */
interface OnItsWay {
  readonly sent: Promise<void>;
}

const NOTHING: OnItsWay = { sent: Promise.resolve() };

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
    const { reads, turn, log } = this.streams;
    const { caller, address } = this.connection;
    try {
      // A crowd that subscribes at once is served a few at a time.
      await turn();
      const { sent } = await reads.inTurn(caller, address, async (rest, over) => {
        if (subscription.isOver) return NOTHING;
        if (over !== undefined) throw new Refusal('too_many', tooManyRequests(over));
        subscription.beginSnapshot();
        return (await this.goOn(subscription)) ?? (await this.begin(subscription, rest));
      });
      // Not in turn: a client may be slow.
      await sent;
    } catch (error) {
      const isRefused = error instanceof Refusal;
      if (!isRefused) log.error({ error: String(error) }, 'could not read a snapshot');
      endSubscription(this.streams, subscription, isRefused ? error.message : UNREAD);
    }
  }

  private async begin(subscription: Subscription, turn: Pause): Promise<OnItsWay> {
    const { application, topics, clock } = this.streams;
    const { channel } = subscription;
    const reader = { application, caller: this.connection.caller, turn };
    const counted = (): number => topics.counted(channel);
    const { version, data } = await readSnapshot(reader, channel, counted);
    await this.access.idle();
    if (subscription.isOver) return NOTHING;
    const frame = eventFrame(channel.name, 'snapshot', version, clock.now(), data);
    const sent = this.connection.sendSnapshot(frame.bytes);
    subscription.endSnapshot(version);
    await this.count(frame.bytes.length);
    return { sent };
  }

  /** Sends what the client has missed of orders, if it told what it has and all since is known. */
  private async goOn(subscription: Subscription): Promise<OnItsWay | undefined> {
    const { application, topics } = this.streams;
    const { channel, after } = subscription;
    if (after === undefined || channel.kind !== 'wsOrders') return undefined;
    const { caller } = this.connection;
    const book = await application.operations.getPositions(caller, { strategyId: channel.id });
    await this.access.idle();
    if (subscription.isOver) return NOTHING;
    const missed = topics.missed(channel.id, after, book.version);
    if (!missed) return undefined;
    const sent = subscription.goOn(after, missed);
    await this.count(missed.reduce((sum, { bytes }) => sum + bytes.length, 0));
    return { sent };
  }

  /** So much was read, beside the one that is counted for each channel. */
  private async count(bytes: number): Promise<void> {
    const { caller, address } = this.connection;
    await this.streams.reads.count(caller, address, Math.floor(bytes / READ_BYTES));
  }
}
