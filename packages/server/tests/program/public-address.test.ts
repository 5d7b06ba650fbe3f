import { describe, expect, it } from '@jest/globals';
import { outbox } from '@slipstream/adapter-memory/testing';
import { WebSocket } from 'ws';
import { composedServer } from '../helpers/composed-server.js';

describe('a server on a port that was found free', () => {
  it.each([
    [{}, undefined],
    [{ PUBLIC_URL: 'https://slip.example' }, 'https://slip.example'],
  ])('writes its address into mails and links: %j', async (environment, expected) => {
    const mailer = outbox();
    const server = await composedServer({ environment, adapters: { mailer } });
    try {
      const address = expected ?? server.url;
      expect(address).not.toMatch(/:0$/);
      await server.ask('newUser', { email: 'ada@example.com', password: 'a long password' });
      await server.application.background.sendMails();
      expect(mailer.sent[0]?.text).toContain(`\n${address}/confirm#code=`);
      const [stock] = await server.ask('getStocks', { stock_id: ['AAPL:NASDAQ'] });
      expect(stock?.links['slipstream']).toMatch(`${address}/getStocks?`);
    } finally {
      await server.close();
    }
  });
});

describe('the page at the public address', () => {
  /** The status of an upgrade that a browser asks for from a page of the origin. */
  const upgrade = (url: string, origin: string): Promise<number> =>
    new Promise((resolve) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { origin });
      socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
      socket.on('error', () => undefined);
      socket.on('open', () => {
        socket.terminate();
        resolve(101);
      });
    });

  it('may open streams, whatever host the proxy before the server names', async () => {
    const PUBLIC_URL = 'https://slip.example/';
    const server = await composedServer({ environment: { PUBLIC_URL } });
    try {
      const origins = ['https://slip.example', 'http://slip.example', 'https://evil.example'];
      const statuses = await Promise.all(origins.map((origin) => upgrade(server.url, origin)));
      expect(statuses).toEqual([101, 400, 400]);
    } finally {
      await server.close();
    }
  });
});
