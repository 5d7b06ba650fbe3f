import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { answerQuestions } from '../program.js';
import type { Publishing } from './fan-out-server.js';

/** The baseline of P13 to P16: plain ws, which sends a text to every client and has no subscriptions. */
const clients = new Set<WebSocket>();
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
await once(server, 'listening');
server.on('connection', (client) => {
  clients.add(client);
  client.on('close', () => clients.delete(client));
});

answerQuestions({
  facts: () => ({ port: (server.address() as AddressInfo).port, token: '', channels: [] }),
  async publish({ updates, burst, text }: Publishing & { readonly text: string }) {
    for (let sent = 0; sent < updates; sent += burst) {
      for (let one = 0; one < burst; one += 1) for (const client of clients) client.send(text);
      await turn();
    }
  },
});
