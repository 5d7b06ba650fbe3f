import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { anOrder, bookChanged, serve } from './harness.js';

const CLIENTS = 3_000;

/** A socket that keeps what is sent through it, for as long as nobody looks. */
class StandInSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: Buffer[] = [];
  send(bytes: Buffer, _: unknown, done: () => void): void {
    this.sent.push(bytes);
    done();
  }
  ping(): void {}
  close(): void {
    this.readyState = 3;
    this.emit('close');
  }
  terminate(): void {
    this.close();
  }
  say(frame: object): void {
    this.emit('message', Buffer.from(JSON.stringify(frame)), false);
  }
}

describe('thousands of clients', () => {
  it('of one channel get one text, which is made once, and leave nothing behind', async () => {
    const live = await serve();
    const sockets = Array.from({ length: CLIENTS }, () => new StandInSocket());
    for (const socket of sockets) await live.streams.accept(socket as unknown as WebSocket, 'ada');
    for (const socket of sockets) socket.say({ action: 'subscribe', channels: ['wsOrders:s'] });
    while (sockets.some(({ sent }) => sent.length < 2)) await turn();

    live.publish(bookChanged(6, [{ kind: 'opened', order: anOrder('o2') }]));
    const events = new Set(sockets.map(({ sent }) => sent[2]));
    expect(events.size).toBe(1);
    expect(JSON.parse(String([...events][0]))).toMatchObject({ event: 'opened', version: 6 });

    expect(live.streams.connections()).toBe(CLIENTS);
    for (const socket of sockets) socket.close();
    expect(live.streams.connections()).toBe(0);
    await live.stop();
  });
});
