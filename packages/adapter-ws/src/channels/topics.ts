import { type StrategyId, type Timestamp, id } from '@slipstream/domain';
import {
  type Clock,
  type Event,
  type Log,
  type OrdersChanged,
  ordersChanged,
} from '@slipstream/ports';
import {
  CHANNELS,
  type Channel,
  type ChannelKind,
  presentAlert,
  presentBot,
  presentBotOrder,
  presentNotification,
  presentOrder,
  presentPositionValues,
  presentPositions,
  presentStrategyValue,
} from '@slipstream/wire';
import { type EventFrame, eventFrame } from '../connections/frames.js';
import type { StreamedApplication } from '../streamed-application.js';
import { accountReads } from './account-reads.js';
import { Pace } from './pace.js';
import { RecentOrders } from './recent-orders.js';
import { mayHear } from './rights.js';
import type { Subscription } from './subscription.js';
import type { StreamTimers } from '../timers.js';

/**
 * A strategy's value is sent at most 10 times a second (contract 6), the values of its positions once. The account of a bot is
 * read at its broker, which counts.
 */
const INTERVALS: Partial<Record<ChannelKind, number>> = {
  ...{ wsStrategyValue: 100, wsPositions: 1000, wsBot: 5000 },
};

/** How often the account of a bot with listeners is read, in milliseconds; besides, when the bot or an order of it changes. */
const ACCOUNT_EVERY = 10_000;

/** A client that missed more, in bytes, begins with a snapshot: as much as a slow client may have unsent (contract 6). */
const MOST_MISSED = 1024 * 1024;

/** The kinds of channel that show a strategy. */
const OF_STRATEGIES = (Object.keys(CHANNELS) as ChannelKind[]).filter(
  (kind) => CHANNELS[kind].parameter === 'strategy_id',
);

type ValueChanged = Event & { kind: 'value_changed' };
type BookChanged = Event & { kind: 'book_changed' };

interface Topic {
  readonly channel: Channel;
  readonly subscriptions: Set<Subscription>;
  /** Events so far, of channels that count their own. */
  count: number;
  /** Stops the computation that only listeners need. */
  readonly stop: (() => void) | undefined;
  /** Of the values. */
  readonly pace: Pace;
}

/** The listeners of each channel, and the frames of events: each frame is encoded once for all. */
export class Topics {
  private readonly topics = new Map<string, Topic>();
  private readonly accounts: ReturnType<typeof accountReads>;
  private readonly recent = new RecentOrders();

  constructor(
    private readonly application: StreamedApplication,
    private readonly timers: StreamTimers,
    private readonly clock: Clock,
    /** Lets computations through a few at a time. */
    private readonly turn: () => Promise<void>,
    private readonly log: Log,
  ) {
    this.accounts = accountReads(application, log);
  }

  join(subscription: Subscription): void {
    const { channel } = subscription;
    const topic = this.topics.get(channel.name) ?? this.open(channel);
    topic.subscriptions.add(subscription);
  }

  leave(subscription: Subscription): void {
    subscription.end();
    const topic = this.topics.get(subscription.channel.name);
    if (!topic?.subscriptions.delete(subscription) || topic.subscriptions.size > 0) return;
    this.topics.delete(topic.channel.name);
    topic.pace.stop();
    topic.stop?.();
  }

  /** The version of the last event of a channel that counts its own. */
  counted(channel: Channel): number {
    return this.topics.get(channel.name)?.count ?? 0;
  }

  /** Goes on with what other servers told of orders last; called before anybody listens. */
  goOn(told: readonly OrdersChanged[]): void {
    this.recent.addPast(told);
  }

  /**
   * What came after that version of a strategy's orders, whose book has the version `current` now. Undefined when that is not
   * known, or too much.
   */
  missed(strategyId: string, version: number, current: number): readonly EventFrame[] | undefined {
    const changes = this.recent.since(id<'strategy'>(strategyId), version, current);
    if (!changes) return undefined;
    const missed: EventFrame[] = [];
    let room = MOST_MISSED;
    for (const changed of changes) {
      for (const frame of this.framesOf(changed)) {
        missed.push(frame);
        room -= frame.bytes.length;
      }
      if (room < 0) return undefined;
    }
    return missed;
  }

  /** All who listen to the channel. */
  listeners(kind: ChannelKind, named: string): readonly Subscription[] {
    return [...(this.topics.get(`${kind}:${named}`)?.subscriptions ?? [])];
  }

  /** All who listen to any channel of the strategy. */
  listenersOf(strategyId: string): readonly Subscription[] {
    return OF_STRATEGIES.flatMap((kind) => this.listeners(kind, strategyId));
  }

  /** Sends an event to the listeners that it concerns. */
  publish(event: Event): void {
    switch (event.kind) {
      case 'book_changed':
        this.publishBook(event);
        break;
      case 'value_changed': {
        const topic = this.topics.get(`wsStrategyValue:${event.strategyId}`);
        topic?.pace.send(() => this.sendValue(topic, event));
        break;
      }
      case 'prices_moved': {
        const topic = this.topics.get(`wsPositions:${event.strategyId}`);
        topic?.pace.send(() => void this.sendPositionValues(topic, event));
        break;
      }
      case 'bot_changed': {
        const { bot, at } = event;
        this.sendNext(`wsBot:${bot.id}`, 'changed', at, () => presentBot(bot));
        this.readAccount(bot.id);
        break;
      }
      case 'bot_order_changed': {
        const { order, at } = event;
        const shown = () => presentBotOrder(this.application.streams.presentableBotOrder(order));
        this.sendNext(`wsBot:${order.botId}`, 'order', at, shown);
        this.readAccount(order.botId);
        break;
      }
      case 'notification_added': {
        const { notification, at } = event;
        const channel = `wsNotifications:${notification.userId}`;
        this.sendNext(channel, 'added', at, () => presentNotification(notification));
        break;
      }
      case 'alert_added':
      case 'alert_changed': {
        const { alert, at } = event;
        const name = event.kind === 'alert_added' ? 'added' : 'changed';
        const { strategyId, userId } = alert;
        const channels = strategyId === null ? [] : [`wsAlerts:${strategyId}`];
        for (const channel of [...channels, `wsUserAlerts:${userId}`])
          this.sendNext(channel, name, at, () => presentAlert(alert));
        break;
      }
      default:
        break;
    }
  }

  private open(channel: Channel): Topic {
    const topic: Topic = {
      channel,
      subscriptions: new Set(),
      count: 0,
      stop: this.watch(channel),
      pace: new Pace(this.timers, INTERVALS[channel.kind] ?? 0),
    };
    this.topics.set(channel.name, topic);
    return topic;
  }

  private watch({ kind, id: named }: Channel): (() => void) | undefined {
    const { streams } = this.application;
    if (kind === 'wsStrategyValue') return streams.watchValue(id<'strategy'>(named));
    if (kind === 'wsPositions') return streams.watchPrices(id<'strategy'>(named));
    if (kind === 'wsBot') return this.timers.every(ACCOUNT_EVERY, () => this.readAccount(named));
    return undefined;
  }

  private publishBook(event: BookChanged): void {
    const { version } = event.after;
    const changedOrders = ordersChanged(event);
    if (changedOrders) {
      this.recent.add(changedOrders);
      const orders = this.topics.get(`wsOrders:${event.strategyId}`);
      if (orders) for (const frame of this.framesOf(changedOrders)) offer(orders, frame);
    }
    const positions = this.topics.get(`wsPositions:${event.strategyId}`);
    const changed = positions && this.application.streams.changedPositions(event);
    if (!changed) return;
    this.send(positions, 'changed', version, event.at, presentPositions(changed));
    // A split waits for its quote; else the weights of the other positions have changed too.
    if (event.adjusted?.kind !== 'split')
      positions.pace.sendLater(() => void this.sendPositionValues(positions, event));
  }

  private sendValue(topic: Topic, { strategyId, value, state, at }: ValueChanged): void {
    const data = presentStrategyValue({ strategyId, strategyValue: value, state });
    this.send(topic, 'changed', ++topic.count, at, data);
  }

  /** One quote may concern thousands of watched strategies. */
  private async sendPositionValues(
    topic: Topic,
    { strategyId, at }: { readonly strategyId: StrategyId; readonly at: Timestamp },
  ): Promise<void> {
    await this.turn();
    if (topic.subscriptions.size === 0) return;
    try {
      const positions = this.application.streams.valuedPositions(strategyId);
      if (positions)
        this.send(topic, 'valued', positions.version, at, presentPositionValues(positions));
    } catch (error) {
      this.log.error({ error: String(error), strategyId }, 'could not value positions');
    }
  }

  /** Reads the account of a bot that has listeners, unless it was read a moment ago. */
  private readAccount(botId: string): void {
    const topic = this.topics.get(`wsBot:${botId}`);
    topic?.pace.send(() => void this.sendAccount(topic));
  }

  private async sendAccount({ channel, subscriptions }: Topic): Promise<void> {
    const account = await this.accounts.read(channel, subscriptions);
    if (account) this.sendNext(channel.name, 'account', this.clock.now(), () => account);
  }

  /** Sends the next event of a channel that counts its own, if anybody listens. */
  private sendNext(channel: string, event: string, at: Timestamp, data: () => unknown): void {
    const topic = this.topics.get(channel);
    if (topic) this.send(topic, event, ++topic.count, at, data());
  }

  private framesOf({ strategyId, version, at, changes }: OrdersChanged): EventFrame[] {
    return changes.map(({ kind, order }) => {
      const shown = presentOrder(this.application.streams.presentableOrder(order));
      return eventFrame(`wsOrders:${strategyId}`, kind, version, at, shown);
    });
  }

  private send(topic: Topic, event: string, version: number, at: Timestamp, data: unknown): void {
    offer(topic, eventFrame(topic.channel.name, event, version, at, data));
  }
}

function offer({ channel, subscriptions }: Topic, frame: EventFrame): void {
  for (const subscription of [...subscriptions])
    if (mayHear(subscription.connection.caller, channel, frame.event)) subscription.offer(frame);
}
