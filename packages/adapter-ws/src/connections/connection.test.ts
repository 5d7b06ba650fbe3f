import { describe, expect, it } from '@jest/globals';
import { parseChannel } from '@slipstream/wire';
import type { WebSocket } from 'ws';
import { Connection } from './connection.js';
import { eventFrame } from './frames.js';
import { Subscription } from '../channels/subscription.js';

const KIB = 1024;
const channel = parseChannel('wsStrategyValue:s') ?? { name: '', kind: 'wsStrategyValue', id: '' };

/** A socket whose network takes nothing until `drain`. */
function clogged() {
  const waiting: { size: number; text: string; done: () => void }[] = [];
  const sent: string[] = [];
  const closes: number[] = [];
  let buffered = 0;
  const socket = {
    OPEN: 1,
    readyState: 1,
    get bufferedAmount() {
      return buffered;
    },
    send(bytes: Buffer, _: object, done: () => void) {
      buffered += bytes.length;
      waiting.push({ size: bytes.length, text: bytes.toString(), done });
    },
    close: (code: number) => void closes.push(code),
    once: () => socket,
    terminate: () => undefined,
  };
  const drain = () => {
    for (const { size, text, done } of waiting.splice(0)) {
      buffered -= size;
      sent.push(text);
      done();
    }
  };
  const timers = { after: () => () => undefined, every: () => () => undefined };
  const from = { address: '127.0.0.1', network: '127.0.0.1' };
  const connection = new Connection(socket as unknown as WebSocket, timers, from);
  return { connection, sent, closes, drain };
}

const value = (version: number) => eventFrame(channel.name, 'changed', version, 0, null);
const live = (connection: Connection): Subscription => {
  const subscription = new Subscription(connection, channel);
  subscription.beginSnapshot();
  subscription.endSnapshot(0);
  return subscription;
};
const versions = (texts: readonly string[]) =>
  texts.map((text) => (JSON.parse(text) as { version?: number }).version);
const filler = (size: number) => Buffer.from(JSON.stringify('x'.repeat(size - 2)));

describe('a slow client', () => {
  it('gets only the newest value, once it has caught up', () => {
    const { connection, sent, drain } = clogged();
    const subscription = live(connection);
    connection.send(filler(257 * KIB));
    for (const version of [1, 2, 3]) subscription.offer(value(version));
    drain();
    drain();
    expect(versions(sent)).toEqual([undefined, 3]);
    subscription.offer(value(4));
    drain();
    expect(versions(sent)).toEqual([undefined, 3, 4]);
  });

  it('is cut off with 1 MiB unsent', () => {
    const { connection, closes } = clogged();
    connection.send(filler(1024 * KIB - 64));
    expect(closes).toEqual([]);
    connection.send(filler(2));
    expect(closes).toEqual([1013]);
    expect(connection.isOver).toBe(true);
  });

  it('is not blamed for a snapshot', async () => {
    const { connection, closes, drain } = clogged();
    const sent = connection.sendSnapshot(filler(5 * 1024 * KIB));
    connection.send(filler(1000 * KIB));
    expect(closes).toEqual([]);
    drain();
    await sent;
    expect(connection.unsent).toBe(0);
  });

  it('is blamed for events that wait for its snapshot', () => {
    const { connection, closes } = clogged();
    const subscription = new Subscription(connection, channel);
    subscription.beginSnapshot();
    subscription.offer({ event: 'opened', version: 1, bytes: filler(1024 * KIB - 64) });
    expect(closes).toEqual([]);
    subscription.offer({ event: 'opened', version: 2, bytes: filler(10) });
    expect(closes).toEqual([1013]);
    subscription.end();
    expect(connection.unsent).toBe(0);
  });
});
