import { createHash } from 'node:crypto';
import { Refusal } from '@slipstream/domain';
import { StorageUnavailable } from '@slipstream/ports';
import { describe, expect, it } from '@jest/globals';
import { silentLog } from '@slipstream/adapter-memory/testing';
import request from 'supertest';
import { answerFailure } from '../src/answers/answer-failure.js';
import { compressed } from '../src/answers/compressed.js';
import { plainApp } from '../src/http-handler.js';
import { send } from '../src/answers/send.js';
import { aStock, anOrder, served } from './stand-in.js';

const view = { stock: aStock, quote: undefined };
const orderView = { ...view, order: anOrder, waitingReason: 'quote' };

describe('answers', () => {
  it('are an envelope of two keys, with decimals as plain text, and not cacheable', async () => {
    const { app } = served({ newOrder: () => orderView });
    const answer = await request(app)
      .post('/newOrder')
      .set('Authorization', 'Bearer orders')
      .send({ strategy_id: 's', stock_id: 'AAPL:NASDAQ', action: 'buy', amount: 1e-8 });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body as object)).toEqual(['success', 'response']);
    expect(answer.body).toMatchObject({
      success: true,
      response: {
        amount: '0.00000001',
        fee: '0',
        bid: null,
        created_at: '1970-01-01T00:00:00.000Z',
      },
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-request-id': 'request-1',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'strict-transport-security': expect.stringContaining('max-age=31536000'),
    });
    expect(answer.headers).not.toHaveProperty('x-powered-by');
    expect(answer.headers).not.toHaveProperty('etag');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('never repeat the request id of the caller', async () => {
    const { app } = served();
    const answer = await request(app).get('/nowhere').set('X-Request-Id', 'mine');
    expect(answer.headers['x-request-id']).toBe('request-1');
  });

  describe('of over 4 KB', () => {
    const ask = (count: number, encoding: string, method: 'get' | 'head' = 'get') => {
      const { app } = served({ getStocks: () => Array<unknown>(count).fill(view) });
      return request(app)[method]('/getStocks?stock_id[]=a').set('Accept-Encoding', encoding);
    };

    it('end with their connection when they fail half way: the client does not wait for the rest', async () => {
      const app = plainApp(false);
      // After the request has come whole: before that, ending the request would do.
      app.get('/', (whole, response, next) => {
        whole.resume().once('close', () => {
          response.write('the first half');
          next(new Error('half way'));
        });
      });
      const logged: unknown[] = [];
      app.use(answerFailure({ ...silentLog(), error: (facts) => logged.push(facts) }));
      await expect(request(app).get('/')).rejects.toThrow(/aborted|hang up/);
      expect(logged).toMatchObject([{ message: 'half way' }]);
    });

    it('arrive whole if they are sent in pieces and long even when compressed', async () => {
      const pieces = Array.from({ length: 5_000 }, (_, at) =>
        Buffer.from(createHash('sha256').update(`${at}`).digest('hex')),
      );
      const app = plainApp(false);
      app.use(compressed());
      app.get('/', (_, response) => send(response, 200, 'text/plain', pieces));
      const answer = await request(app).get('/').set('Accept-Encoding', 'gzip');
      expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip' });
      expect(answer.text).toBe(pieces.join(''));
    });

    it.each(['gzip', 'br', 'deflate'])(
      'are compressed with %s where that is asked for',
      async (encoding) => {
        const [plain, short] = [await ask(30, 'identity'), await ask(30, encoding)];
        expect(plain.headers).not.toHaveProperty('content-encoding');
        expect(short.headers).toMatchObject({ 'content-encoding': encoding });
        if (encoding !== 'br') expect(short.text).toBe(plain.text);
      },
    );

    it('are not compressed for others, nor are short ones', async () => {
      expect((await ask(30, 'zip')).headers).not.toHaveProperty('content-encoding');
      expect((await ask(2, 'gzip')).headers).not.toHaveProperty('content-encoding');
    });

    it('to HEAD have no body', async () => {
      expect((await ask(30, 'gzip', 'head')).text).toBeUndefined();
    });
  });

  it('to HEAD have no body', async () => {
    const { app } = served({ getStocks: () => [view] });
    const answer = await request(app).head('/getStocks?stock_id[]=a');
    expect([answer.status, answer.text]).toEqual([200, undefined]);
  });
});

describe('failures', () => {
  const get = (error: Error) => served({ getTokens: () => Promise.reject(error) });
  const ask = (app: Parameters<typeof request>[0]) =>
    request(app).get('/getTokens').set('Authorization', 'all');

  // oxfmt-ignore
  it.each([
    [new Refusal('not_found', 'strategy x does not exist'), 400, 'not_found', 'Request failed. strategy x does not exist.'],
    [new Refusal('quote_unavailable', 'No quote yet!'), 400, 'quote_unavailable', 'Request failed. No quote yet!'],
    [new Refusal('unauthenticated', 'whatever'), 401, 'unauthenticated', 'Authentication failed.'],
    [new StorageUnavailable('disk full'), 503, 'unavailable', 'Request failed. nothing was done, try again.'],
    [new Error('select secret from x'), 500, 'internal_error', 'Request failed. the server made an error; its log names this request by X-Request-Id.'],
  ])('%s: %d %s', async (error, status, code, response) => {
    const answer = await ask(get(error).app);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-error-code']).toBe(code);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.body).toEqual({ success: false, response });
  });

  it('are logged under the request id if unexpected, with the code of their cause, whose text may quote what was stored', async () => {
    const cause = Object.assign(new Error('invalid: "ada@example.com"'), { code: 'SQLITE_FULL' });
    const { app, logged } = get(new Error('broken', { cause }));
    await ask(app);
    expect(logged.find(({ level }) => level === 'error')?.fields).toMatchObject({
      request_id: 'request-1',
      error: 'Error',
      message: 'broken',
      cause: 'SQLITE_FULL',
    });
  });

  // oxfmt-ignore
  it.each([
    ['get', '/nowhere', 404, 'unknown_path', undefined],
    ['get', '/getorders', 404, 'unknown_path', undefined],
    ['get', '/%ff', 404, 'unknown_path', undefined],
    ['post', '/getTokens', 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['get', '/newOrder', 405, 'method_not_allowed', 'POST, OPTIONS'],
    ['put', '/healthz', 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['post', '/healthz', 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['delete', '/deleteOrder', 405, 'method_not_allowed', 'POST, OPTIONS'],
  ] as const)('%s %s: %d', async (method, path, status, code, allow) => {
    const answer = await request(served().app)[method](path);
    expect(answer.status).toBe(status);
    expect(answer.headers['x-error-code']).toBe(code);
    expect(answer.headers['allow']).toBe(allow);
    expect(answer.body).toMatchObject({ success: false, response: expect.stringMatching(/^Request failed\. /) });
  });
});

describe('CORS', () => {
  const options = { corsOrigins: ['https://app.test'] };

  it('answers the preflight of an origin on the list', async () => {
    const answer = await request(served({}, options).app)
      .options('/newOrder')
      .set({ Origin: 'https://app.test', 'Access-Control-Request-Method': 'POST' });
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe('https://app.test');
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it('sends no header to any other origin', async () => {
    const answer = await request(served({}, options).app)
      .get('/getTokens')
      .set('Origin', 'https://app.test.evil');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers['vary']).toMatch(/\bOrigin\b/);
  });
});

describe('the log', () => {
  it('has no query, body, header or token', async () => {
    const { app, logged } = served({ getOrders: () => [], newOrderWebhook: () => orderView });
    await request(app).get('/getOrders?strategy_id=secret').set('Authorization', 'all');
    await request(app).post('/newOrderWebhook').send({
      strategy_id: 's',
      stock_id: 'x',
      action: 'buy',
      api_token: 'orders',
      note: 'secret',
    });
    await request(app).get('/getTokens').set('Authorization', 'Bearer secret');
    expect(
      logged.map(({ fields }) => [fields['path'], fields['status'], fields['token_id']]),
    ).toEqual([
      ['/getOrders', 200, 'token-*'],
      ['/newOrderWebhook', 200, 'token-newOrder'],
      ['/getTokens', 401, undefined],
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/secret|"orders"|api_token/);
  });
});
