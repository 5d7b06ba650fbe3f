import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { operations } from '@slipstream/wire';
import request from 'supertest';
import { answersTo, clientAddress, httpServer } from '../src/index.js';
import { served } from './stand-in.js';

describe('service pages', () => {
  it('show that the server lives and whether it is ready', async () => {
    const { app } = served({}, { ready: () => false });
    expect((await request(app).get('/healthz')).status).toBe(200);
    expect((await request(app).get('/readyz')).status).toBe(503);
    expect((await request(served().app).get('/readyz')).status).toBe(200);
  });

  it('tell why the server is not ready, where something is wrong', async () => {
    const app = (reason: string | null) => served({}, { unready: () => reason }).app;
    const answer = await request(app('the disk is nearly full')).get('/readyz');
    expect([answer.status, answer.text]).toEqual([503, 'not ready\nthe disk is nearly full\n']);
    expect((await request(app(null)).get('/readyz')).status).toBe(200);
  });

  it('tell of each source of quotes how it is, and stay ready', async () => {
    const source = { name: 'kraken', age: 1_600, healthy: true, reconnects: 2, drops: { wide: 3 } };
    const silent = { name: 'other', age: null, healthy: false, reconnects: 0, drops: {} };
    const answer = await request(served({}, { sources: () => [source, silent] }).app).get(
      '/readyz',
    );
    expect([answer.status, answer.text]).toEqual([
      200,
      [
        'ready',
        'quotes of kraken: healthy, last heard 2 s ago, 2 reconnects, 3 dropped: wide',
        'quotes of other: not healthy, silent so far, 0 reconnects',
        '',
      ].join('\n'),
    ]);
  });

  it('tell why the clock is in doubt, and stay ready', async () => {
    const clockDoubt = () => 'since noon it jumped ahead';
    const answer = await request(served({}, { clockDoubt }).app).get('/readyz');
    expect([answer.status, answer.text]).toEqual([
      200,
      'ready\nthe clock is in doubt: since noon it jumped ahead\n',
    ]);
  });

  it('show the metrics', async () => {
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

  it('has every control of /docs in a landmark, where a screen reader finds it', async () => {
    const { text } = await request(served().app).get('/docs');
    const outside = ['main', 'header', 'nav', 'section'].reduce(
      (rest, name) => rest.replace(new RegExp(`<${name}\\b[^]*</${name}>`), ''),
      text.replace(/<(style|script)>[^]*?<\/\1>/g, ''),
    );
    expect(outside).not.toMatch(/<(div|label|input)/);
    expect(text).toContain('<section id="tools" aria-label="Tools">');
  });

  it('explain every operation on a page without external resources', async () => {
    const { text, headers } = await request(served().app).get('/docs');
    for (const { path, name } of Object.values(operations)) {
      expect(text).toContain(path);
      expect(text).toContain(`id="${name}"`);
    }
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/script-src 'sha256-/);
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  it('say what the figures of strategies are', async () => {
    const { app } = served({}, { disclosure: 'All figures are <made up>.' });
    expect((await request(app).get('/docs')).text).toContain('All figures are &#60;made up');
    const { info } = (await request(app).get('/openapi.json')).body as { info: object };
    expect(info).toMatchObject({ description: expect.stringMatching(/made up>\.$/) });
  });
});

describe('the metrics', () => {
  const metrics = {
    observe: () => undefined,
    contentType: 'text/plain',
    text: async () => 'figure 1\n',
  };
  const metricsToken = 'token-of-the-figures';

  // oxfmt-ignore
  it.each<[string, Record<string, string>, number | false, number]>([
    ['from this machine', {}, false, 200],
    ['by a proxy that is not trusted', { 'X-Forwarded-For': '127.0.0.1' }, false, 401],
    ['by a proxy that tells it so', { Forwarded: 'for=192.0.2.7' }, false, 401],
    ['by a proxy that tells the client alone', { 'X-Real-IP': '192.0.2.7' }, false, 401],
    ['by a proxy that tells the scheme alone', { 'X-Forwarded-Proto': 'https' }, false, 401],
    ['by a proxy that tells itself alone', { Via: '1.1 proxy' }, false, 401],
    ['by a trusted proxy for another machine', { 'X-Forwarded-For': '192.0.2.7' }, 1, 401],
    ['by a trusted proxy on this machine for itself', { 'X-Forwarded-For': '127.0.0.1' }, 1, 200],
    ['with the token from elsewhere', { 'X-Forwarded-For': '192.0.2.7', Authorization: `Bearer ${metricsToken}` }, 1, 200],
    ['with another token', { Authorization: 'Bearer token-of-the-figureS' }, false, 401],
  ])('requested %s', async (_, headers, trustProxy, status) => {
    const { app } = served({}, { metrics, metricsToken, trustProxy });
    expect((await request(app).get('/metrics').set(headers)).status).toBe(status);
  });

  it('without a token can be read on this machine only', async () => {
    const { app } = served({}, { metrics });
    expect((await request(app).get('/metrics').set('Authorization', 'undefined')).status).toBe(401);
    expect((await request(app).get('/metrics')).status).toBe(200);
  });
});

describe('a path', () => {
  const metrics = { observe: () => undefined, contentType: 'text/plain', text: async () => '' };
  const pages = [
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/asyncapi.json',
    '/docs',
    '/connect',
    '/getTokens',
  ];
  const odd = pages.flatMap((page) => [
    page.toUpperCase(),
    `${page}/`,
    `/${page}`,
    `${page}//`,
    `/.${page}`,
    `${page}%20`,
    page.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ]);

  it.each(odd)('is served as written, or not at all: %s', async (path) => {
    const { server } = httpServer(served({}, { metrics }).app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^HTTP\/1.1 404 [^]*\{"success":false,"response":"Request failed\. there is no such path\."\}$/,
    );
    server.close();
    await once(server, 'close');
  });

  it.each(pages.slice(0, 6))('%s accepts GET and HEAD, and says so in Allow', async (page) => {
    const { app } = served({}, { metrics });
    for (const method of ['put', 'post', 'delete', 'patch'] as const) {
      const answer = await request(app)[method](page);
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(answer.body).toMatchObject({ success: false });
    }
    const asked = await request(app).options(page);
    expect([asked.status, asked.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect((await request(app).head(page)).status).not.toBe(405);
  });

  it('that is unknown is not logged: it may contain a token', async () => {
    const { app, logged } = served();
    for (const path of [
      '/newOrderWebhook/slp_secret',
      '/slp_secret',
      '/getTokens/slp_secret',
      '/healthz',
    ])
      await request(app).get(path);
    expect(logged.map(({ fields }) => fields['path'])).toEqual([
      '(unknown)',
      '(unknown)',
      '(unknown)',
      '/healthz',
    ]);
  });
});

describe('the Host header', () => {
  const ask = async (...lines: string[]): Promise<string> => {
    const { app } = served({}, { answersTo: answersTo(['trade.example']) });
    const { server } = httpServer(app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(['GET /healthz HTTP/1.1', ...lines, 'Connection: close', '', ''].join('\r\n'));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    server.close();
    await once(server, 'close');
    return Buffer.concat(chunks).toString().slice(9, 12);
  };

  it.each([
    [['Host: trade.example'], '200'],
    [['Host: localhost:3000'], '200'],
    [['Host: 192.0.2.7'], '200'],
    [['Host: evil.example'], '400'],
    [['Host: trade.example', 'Host: evil.example'], '400'],
    [['Host: trade.example', 'host: trade.example'], '400'],
    [[], '400'],
  ])('%j: %s', async (lines, status) => expect(await ask(...lines)).toBe(status));
});

describe('the server', () => {
  it('answers data that is not HTTP with the envelope', async () => {
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

  it.each<[number | false, string, string]>([
    [false, '203.0.113.9, 192.0.2.7', '127.0.0.1'],
    [1, '203.0.113.9, 192.0.2.7', '192.0.2.7'],
    [1, '203.0.113.9, 192.0.2.7:51234', '192.0.2.7'],
    [1, '203.0.113.9, [2001:db8::7]:51234', '2001:db8::7'],
    [1, '203.0.113.9, [2001:db8::7]', '2001:db8::7'],
    [2, '203.0.113.9:51234, 192.0.2.7', '203.0.113.9'],
  ])(
    'knows the address of an upgrade, behind %s trusted proxies that report %s: %s',
    async (trustProxy, reported, address) => {
      const { server } = httpServer(served({}, { trustProxy }).app, { upgrades: () => true });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(
        `GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: ${reported}\r\n\r\n`,
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
