import { once } from 'node:events';
import { CHANNELS, type ChannelKind, MAX_CHANNELS } from '@slipstream/wire';
import { WebSocket } from 'ws';
import type { Things } from './largest-request.js';

/** For each kind of channel the one with a whale's largest snapshot, and as many channels as a connection allows. */
const LARGEST = {
  wsOrders: ({ crowded }) => [crowded[0]],
  wsPositions: ({ crowded }) => [crowded[0]],
  wsStrategyValue: ({ strategyIds }) => strategyIds,
  wsBot: ({ botIds }) => botIds,
  wsNotifications: ({ userId }) => [userId],
  wsAlerts: ({ crowded }) => [crowded[0]],
  wsUserAlerts: ({ userId }) => [userId],
} as const satisfies Record<ChannelKind, (things: Things) => readonly string[]>;

/** The sets of channels that a client subscribes to at once, by name. */
export const largestSnapshots = (things: Things): readonly (readonly [string, string[]])[] => {
  const kinds = Object.keys(CHANNELS) as ChannelKind[];
  const of = (kind: ChannelKind): string[] => LARGEST[kind](things).map((id) => `${kind}:${id}`);
  const most = things.strategyIds.map((id) => `wsOrders:${id}`).slice(0, MAX_CHANNELS);
  return [...kinds.map((kind) => [kind, of(kind)] as const), ['all wsOrders', most]];
};

/** Subscribes to the channels and waits for all snapshots. Returns the number of received bytes. */
export async function subscribeTo(
  port: number,
  token: string,
  channels: readonly string[],
): Promise<{ readonly status: string; readonly bytes: number }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: token } });
  try {
    await once(socket, 'open');
    const left = new Set(channels);
    let bytes = 0;
    const all = new Promise<string>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('close', (code) => reject(new Error(`the stream was closed: ${code}`)));
      socket.on('message', (text: Buffer) => {
        bytes += text.length;
        const frame = JSON.parse(text.toString()) as {
          readonly success?: boolean;
          readonly response?: string;
          readonly event?: string;
          readonly channel?: string;
        };
        if (frame.success === false) resolve(`refused: ${frame.response ?? ''}`);
        if (frame.event === 'snapshot' || frame.event === 'ended') left.delete(frame.channel ?? '');
        if (left.size === 0) resolve('stream');
      });
    });
    socket.send(JSON.stringify({ id: 'snapshots', action: 'subscribe', channels }));
    return { status: await all, bytes };
  } finally {
    socket.removeAllListeners('close');
    socket.terminate();
  }
}
