import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Log, StorageUnavailable } from '@slipstream/ports';
import { operations } from '@slipstream/wire';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { faultyStorage } from '../helpers/faulty-storage.js';

const SECRET = 'select secret from the-inside';
/** Ids made here are UUIDv7 (contract 1). */
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('every answer of the server', () => {
  const storage = faultyStorage();
  const logged: string[] = [];
  const note = (fields: object, message: string): void =>
    void logged.push(JSON.stringify({ ...fields, message }));
  const log: Log = { info: note, warn: note, error: note };
  let server: ComposedServer;
  let owner: string;
  beforeAll(async () => {
    server = await composedServer({ log, through: storage.through });
    owner = await server.user('ada');
  });
  afterAll(() => server.close());

  /** The status of what a raw sender gets. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const socket = createConnection({ host: hostname, port: Number(port) }, () =>
        socket.write(bytes),
      );
      let text = '';
      socket.on('data', (data) => (text += data.toString('latin1')));
      socket.on('error', reject);
      socket.on('close', () => resolve(text));
    });

  it('gives stocks a link of the service itself, which leads to them (spec 2.5)', async () => {
    const names = ['AAPL:NASDAQ', 'BTC:COINBASE'];
    const [stock, coin] = await server.ask('getStocks', { stock_id: names });
    const { pathname, search } = new URL(stock?.links['slipstream'] ?? '');
    const { body } = await server.call('GET', pathname, { query: search.slice(1) });
    expect(body).toEqual({ success: true, response: [stock] });
    expect(coin?.links).toEqual(expect.objectContaining({ coin_marketcap: expect.any(String) }));
    expect(coin?.links['slipstream']).toBeUndefined();
  });

  it('is given to a costly request under an Idempotency-Key, and the same again', async () => {
    const token = await server.user('broad');
    const stocks = await server.ask('findStocks', { security: 'stock', limit: 12 });
    await server.quotes(Object.fromEntries(stocks.map(({ stock_id }) => [stock_id, 100])));
    const made = { type: 'stock', name: 'Broad' };
    const { strategy_id } = await server.ask('newStrategy', made, token);
    const allocations = stocks.map(({ stock_id }) => ({ stock_id, percent: 0.05 }));
    const send = () =>
      server.call('POST', '/newOrderAllocations', {
        token,
        headers: { 'Idempotency-Key': 'broad' },
        body: { strategy_id, allocations },
      });
    const first = await send();
    expect([first.status, (first.body as { response: unknown[] }).response.length]).toEqual([
      200, 12,
    ]);
    expect((await send()).text).toBe(first.text);
  });

  it.each([
    ['a read', 200, () => server.call('GET', '/verifyToken', { token: owner }), null],
    ['an unknown path', 404, () => server.call('GET', '/nope'), 'unknown_path'],
    ['a path in other letters', 404, () => server.call('GET', '/GETSTOCKS'), 'unknown_path'],
    ['a path with a slash more', 404, () => server.call('GET', '/getStocks/'), 'unknown_path'],
    ['a path that is badly encoded', 404, () => server.call('GET', '/%ff%zz'), 'unknown_path'],
    [
      'a refused method',
      405,
      () => server.call('GET', '/newOrder', { token: owner }),
      'method_not_allowed',
    ],
    [
      'another refused method',
      405,
      () => server.call('DELETE', '/getStocks'),
      'method_not_allowed',
    ],
    [
      'an unknown field',
      400,
      () => server.call('GET', '/getStocks', { query: 'x=1' }),
      'invalid_field',
    ],
    [
      'a query that is badly encoded',
      400,
      () => server.call('GET', '/getStocks', { query: 'stock_id[]=%zz' }),
      'invalid_field',
    ],
    [
      'a body of another type',
      400,
      () =>
        server.call('POST', '/newOrder', {
          token: owner,
          body: '{}',
          headers: { 'content-type': 'text/xml' },
        }),
      'invalid_json',
    ],
    [
      'a compressed body',
      400,
      () =>
        server.call('POST', '/newOrder', {
          token: owner,
          body: '{}',
          headers: { 'content-encoding': 'gzip' },
        }),
      'invalid_json',
    ],
    ['no token', 401, () => server.call('GET', '/getBots'), 'unauthenticated'],
    [
      'an endless token',
      401,
      () => server.call('GET', '/getBots', { token: 'x'.repeat(4000) }),
      'unauthenticated',
    ],
  ] as const)('to %s is %d in the envelope, with its headers', async (_, status, send, code) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body ?? {})).toEqual(['success', 'response']);
    expect(answer.body?.success).toBe(status === 200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('x-request-id')).toMatch(UUID_V7);
    expect(answer.headers.get('x-error-code')).toBe(code);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-powered-by')).toBeNull();
    if (status >= 400 && status !== 401)
      expect(String(answer.body?.response)).toMatch(/^Request failed\. \S/);
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/GET|POST/);
  });

  it.each([
    ['no HTTP', 'hello\r\n\r\n'],
    [
      'headers without end',
      `GET /getStocks HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ],
    [
      'a length that lies',
      'POST /newUser HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n',
    ],
    ['a tunnel', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n'],
    [
      'a stream without a valid token',
      'GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: x\r\n\r\n',
    ],
  ])('to %s is a refusal in the envelope, with an id', async (_, bytes) => {
    const text = await raw(bytes);
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(/^X-Request-Id: (.*)\r$/im.exec(text)?.[1]).toMatch(UUID_V7);
    expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toMatch(
      /^\{"success":false,"response":"(Request failed\. |Authentication failed\.)/,
    );
  });

  it('to a fault of the server is 500 without internals; the log has it under the request id', async () => {
    storage.state.fault = new Error(SECRET);
    const { status, text, headers } = await server.attempt('getBots', {}, owner);
    storage.state.fault = undefined;
    expect(status).toBe(500);
    expect(text).toMatch(/^\{"success":false,"response":"Request failed\. [^"]*"\}$/);
    expect(text).not.toMatch(/secret|Error|\.js|\.ts/);
    const requestId = headers.get('x-request-id') ?? '';
    expect(headers.get('x-error-code')).toBe('internal_error');
    expect(logged.some((line) => line.includes(requestId) && line.includes(SECRET))).toBe(true);
    expect((await server.attempt('getBots', {}, owner)).status).toBe(200);
  });

  it('to an unreachable storage is 503: nothing was done, try again', async () => {
    storage.state.fault = new StorageUnavailable(SECRET);
    const { status, text, headers } = await server.attempt(
      'newStrategy',
      { type: 'stock', name: 'x' },
      owner,
    );
    storage.state.fault = undefined;
    expect(status).toBe(503);
    expect(text).toBe(
      '{"success":false,"response":"Request failed. nothing was done, try again."}',
    );
    expect(headers.get('retry-after')).toBe('1');
    expect(await server.ask('getStrategySubscriptions', {}, owner)).toEqual([]);
  });

  it('serves every operation that it documents, and documents no other', async () => {
    const { paths } = (await server.call('GET', '/openapi.json')).body as unknown as {
      paths: Record<string, object>;
    };
    expect(Object.keys(paths).sort()).toEqual(
      Object.values(operations)
        .map(({ path }) => path)
        .sort(),
    );
    for (const { path, method, auth } of Object.values(operations)) {
      const { status } = await server.call(method, path, method === 'POST' ? { body: {} } : {});
      const open = auth === 'none' || auth === 'optional';
      expect({ path, status: open && status === 200 ? 400 : status }).toEqual({
        path,
        status: open ? 400 : 401,
      });
    }
  });

  it.each([
    ['/openapi.json', 'application/json', '"openapi":"3.'],
    ['/asyncapi.json', 'application/json', '"asyncapi":"3.'],
    ['/docs', 'text/html', 'newOrderAllocations'],
    ['/metrics', 'text/plain', 'slipstream_http_request_seconds_bucket'],
    ['/healthz', 'text/plain', 'ok'],
    ['/readyz', 'text/plain', 'ready'],
  ])('serves %s beside the operations', async (path, type, part) => {
    const { status, headers, text } = await server.call('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain(type);
    expect(text).toContain(part);
  });

  it('counts its answers in the metrics', async () => {
    await server.call('GET', '/somewhere/else');
    await server.attempt('getBots', {}, owner);
    const { text } = await server.call('GET', '/metrics');
    expect(text).toMatch(
      /slipstream_http_request_seconds_count\{operation="getBots",status="200"\} [1-9]/,
    );
    expect(text).toMatch(
      /slipstream_http_request_seconds_count\{operation="unknown",status="404"\} [1-9]/,
    );
    expect(text).not.toContain('somewhere');
  });
});

describe('callers beyond their limit', () => {
  const limits = 'reads=3,writes=2,alerts=2,failures=2';
  let server: ComposedServer;
  beforeAll(async () => {
    server = await composedServer({ environment: { RATE_LIMITS: limits } });
  });
  afterAll(() => server.close());

  const statuses = async (count: number, send: () => Promise<{ status: number }>) => {
    const seen: number[] = [];
    for (let sent = 0; sent < count; sent += 1) seen.push((await send()).status);
    return seen;
  };

  it('are told when to retry, each token separately', async () => {
    const [one, two] = [await server.user('ada'), await server.user('bob')];
    expect(await statuses(4, () => server.attempt('verifyToken', {}, one))).toEqual([
      200, 200, 200, 429,
    ]);
    const { headers, body } = await server.attempt('verifyToken', {}, one);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-error-code')).toBe('rate_limited');
    expect(body).toMatchObject({ success: false });
    expect(await statuses(1, () => server.attempt('verifyToken', {}, two))).toEqual([200]);
  });

  it('never get 429 for an alert: it would be lost', async () => {
    const owner = await server.user('carl');
    const send = () =>
      server.attempt(
        'newOrderWebhook',
        { strategy_id: 'x', stock_id: 'AAPL:NASDAQ', action: 'buy' },
        owner,
      );
    expect(await statuses(3, send)).toEqual([400, 400, 503]);
  });

  it('may not guess passwords', async () => {
    const guess = () =>
      server.attempt('newSession', { email: 'ada@example.com', password: 'wrong wrong' });
    expect((await statuses(6, guess)).at(-1)).toBe(429);
  });
});
