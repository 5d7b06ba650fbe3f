import { setTimeout as wait } from 'node:timers/promises';
import { type Streams, createClient } from '@slipstream/client';
import { applyEvent, newView } from '../run/apply-event.js';
import type { ChannelView, Frame } from '../run/client.js';
import type { Trading } from '../torture/scene.js';
import { stateOf } from './state.js';

/** The client waits at most so long before it connects again, in milliseconds. */
const RECONNECTS_WITHIN = 200;
/** A longer wait is not for a connection. */
const SILENCE = 60_000;

const timers = {
  wait: (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    wait(
      milliseconds < SILENCE ? Math.min(milliseconds, RECONNECTS_WITHIN) : milliseconds,
      undefined,
      signal && { signal },
    ).catch(() => undefined),
};

/** A stream told of that version of a strategy after that one. */
export interface Gap {
  readonly stream: string;
  readonly strategyId: string;
  readonly after: number;
  readonly version: number;
}

/** A client of the streams of one place among the nodes: it goes to each node that has the place, one after another. */
export interface Watcher {
  /** What it saw that must not be. */
  readonly faults: string[];
  /** Where it went on with a later version of a strategy's orders than the next one: none between may have told of orders. */
  readonly gaps: Gap[];
  /** How many events, connections that opened, and connections that were lost. */
  readonly seen: { events: number; connections: number; lost: number };
  /** Watches at the node of that address from now on. */
  moveTo(url: string): void;
  /** What it knows of a strategy from the events alone, in the words of `stateOf`. */
  knows(strategyId: string): string;
  close(): void;
}

/** Watches every strategy's positions and orders. */
export function watch({ token, strategyIds }: Trading, name: string): Watcher {
  const faults: string[] = [];
  const gaps: Gap[] = [];
  const seen = { events: 0, connections: 0, lost: 0 };
  const views = new Map<string, ChannelView>();
  /** The texts of the connection's events of the newest version, by channel. */
  const newest = new Map<string, Set<string>>();
  /** The channels that have begun on the present connection. */
  const begun = new Set<string>();
  let streams: Streams | undefined;
  let at = '';

  const view = (channel: string): ChannelView => {
    const known = views.get(channel) ?? newView();
    views.set(channel, known);
    return known;
  };

  const hear = (frame: Frame): void => {
    const { channel, event, version, data } = frame;
    if (event === 'ended') {
      faults.push(`${name}: ${channel} was ended: ${JSON.stringify(data)}`);
      return;
    }
    const known = view(channel);
    seen.events += 1;
    if (version < known.version)
      faults.push(`${name}: ${channel} ${event} fell from version ${known.version} to ${version}`);
    const [kind, strategyId = ''] = channel.split(':');
    const isGap = kind === 'wsOrders' && event !== 'snapshot' && version > known.version + 1;
    if (isGap) gaps.push({ stream: name, strategyId, after: known.version, version });
    if (event === 'snapshot' && channel.startsWith('wsOrders') && begun.has(channel))
      faults.push(`${name}: ${channel} begins anew, though its connection goes on`);
    begun.add(channel);
    if (event === 'snapshot') newest.delete(channel);
    else if (event !== 'valued') {
      const text = `${event} ${JSON.stringify(data)}`;
      if (version > known.version) newest.delete(channel);
      const same = newest.get(channel) ?? new Set<string>();
      if (same.has(text)) faults.push(`${name}: ${channel} told twice: ${text}`);
      newest.set(channel, same.add(text));
    }
    applyEvent(known, frame);
  };

  return {
    faults,
    gaps,
    seen,
    moveTo(url) {
      if (url === at) return;
      at = url;
      streams?.close();
      streams = createClient({ url, token, timers }).streams({
        onConnection: (state) => {
          if (state === 'lost') seen.lost += 1;
          else {
            seen.connections += 1;
            begun.clear();
          }
        },
      });
      for (const strategyId of strategyIds)
        for (const kind of ['wsPositions', 'wsOrders'] as const)
          streams.subscribe(`${kind}:${strategyId}`, (event) => hear(event as Frame));
    },
    knows(strategyId) {
      const positions = view(`wsPositions:${strategyId}`);
      const orders = view(`wsOrders:${strategyId}`);
      return stateOf({
        cash: positions.cash ?? '',
        positions: [...positions.items.values()] as never,
        orders: [...orders.items.values()] as never,
      });
    },
    close: () => streams?.close(),
  };
}
