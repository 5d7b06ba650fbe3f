import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { operations } from '@slipstream/wire';
import request from 'supertest';
import { clientAddress, httpServer } from '../src/index.js';
import { served } from './stand-in.js';

describe('service pages', () => {
  it('tell that the server lives and whether it is ready', async () => {
    const { app } = served({}, { ready: () => false });
    expect((await request(app).get('/healthz')).status).toBe(200);
    expect((await request(app).get('/readyz')).status).toBe(503);
    expect((await request(served().app).get('/readyz')).status).toBe(200);
  });

  it('show the figures that are counted', async () => {
    const observed: [string, number][] = [];
    const metrics = {
      observe: (operation: string, status: number) => void observed.push([operation, status]),
      contentType: 'text/plain; version=0.0.4',
      text: async () => 'figure 1\n',
    };
    const { app } = served({}, { metrics });
    await request(app).get('/getTokens');
    const answer = await request(app).get('/metrics');
    expect([answer.status, answer.text]).toEqual([200, 'figure 1\n']);
    expect(observed[0]).toEqual(['getTokens', 401]);
  });

  it('have a document of every operation', async () => {
    const { app } = served();
    const open = await request(app).get('/openapi.json');
    expect(Object.keys((open.body as { paths: object }).paths)).toHaveLength(
      Object.keys(operations).length,
    );
    expect((await request(app).get('/asyncapi.json')).body).toHaveProperty('asyncapi', '3.0.0');
  });

  it('explain every operation on a page that needs nothing from elsewhere', async () => {
    const { text, headers } = await request(served().app).get('/docs');
    for (const { path, name } of Object.values(operations)) {
      expect(text).toContain(path);
      expect(text).toContain(`id="${name}"`);
    }
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-/);
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
  });
});

describe('the server', () => {
  it('answers what is no HTTP with the envelope', async () => {
    const { server } = httpServer(served().app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^HTTP\/1.1 400 .*\r\n[^]*X-Request-Id: [0-9a-f-]{36}\r\n[^]*\{"success":false,"response":"Request failed\. /,
    );
    server.close();
    await once(server, 'close');
  });

  it.each<[number | false, string]>([
    [false, '127.0.0.1'],
    [1, '192.0.2.7'],
  ])(
    'knows the address of an upgrade, behind %s trusted proxies: %s',
    async (trustProxy, address) => {
      const { server } = httpServer(served({}, { trustProxy }).app, { upgrades: () => true });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(
        'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: 203.0.113.9, 192.0.2.7\r\n\r\n',
      );
      const [upgrade] = (await once(server, 'upgrade')) as [IncomingMessage];
      expect(clientAddress(upgrade)).toBe(address);
      socket.destroy();
      upgrade.socket.destroy();
      server.close();
      await once(server, 'close');
    },
  );
});
