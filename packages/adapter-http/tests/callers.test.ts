import { setImmediate as turn } from 'node:timers/promises';
import { TriedTooOften } from '@slipstream/application';
import { describe, expect, it } from '@jest/globals';
import { Overloaded } from '@slipstream/ports';
import request from 'supertest';
import { DEFAULT_RATE_LIMITS, createLimiter } from '../src/index.js';
import { aStock, anOrder, served } from './stand-in.js';

const answers = {
  getTokens: () => [],
  getStrategies: () => [],
  getStocks: () => [],
  getOrders: () => [],
  newQuotes: () => ({ accepted: 0, rejected: [] }),
  newOrderWebhook: () => ({ stock: aStock, quote: undefined, order: anOrder, waitingReason: null }),
};

describe('the Authorization header', () => {
  // oxfmt-ignore
  it.each([
    ['/getTokens', 'Bearer all', 200],
    ['/getTokens', 'bearer   all', 200],
    ['/getTokens', 'all', 200],
    ['/getTokens', 'refresh', 200],
    ['/getTokens', undefined, 401],
    ['/getTokens', 'unknown', 401],
    ['/getTokens', 'Bearer', 401],
    ['/getTokens', 'x'.repeat(600), 401],
    ['/getTokens', 'other', 401],
    ['/getTokens', 'bound', 401],
    ['/getTokens', 'operator-secret', 401],
    ['/getTokens?token=all', undefined, 401],
    ['/getTokens?api_token=all', undefined, 401],
    ['/getOrders?strategy_id=mine', 'bound', 200],
    ['/getOrders?strategy_id=theirs', 'bound', 401],
    ['/getOrders?nonsense', undefined, 401],
    ['/getStrategies?strategy_id[]=a', undefined, 200],
    ['/getStrategies?strategy_id[]=a', 'all', 200],
    ['/getStrategies?strategy_id[]=a', 'Bearer', 200],
    ['/getStrategies?strategy_id[]=a', 'unknown', 401],
    ['/getStocks?stock_id[]=a', 'unknown', 200],
  ])('%s with %s: %d', async (path, header, status) => {
    const { app } = served(answers, { operatorToken: 'operator-secret' });
    const answer = await request(app).get(path).set(header === undefined ? {} : { Authorization: header });
    expect(answer.status).toBe(status);
    if (status === 401) {
      expect(answer.body).toEqual({ success: false, response: 'Authentication failed.' });
    }
  });

  it('is ignored if no token is needed', async () => {
    const { app, calls } = served(answers);
    await request(app).get('/getStocks?stock_id[]=a').set('Authorization', 'all');
    expect(calls).toEqual([['getStocks', { kind: 'anonymous' }, { stocks: ['a'] }]]);
  });
});

describe('the operator', () => {
  const quotes = (header: string, operatorToken: string | undefined) =>
    request(served(answers, { operatorToken }).app)
      .post('/newQuotes')
      .set('Authorization', header)
      .send({ quotes: [] });

  it.each([
    ['Bearer operator-secret', 'operator-secret', 200],
    ['operator-secret', 'operator-secret', 200],
    ['operator-secreT', 'operator-secret', 401],
    ['all', 'operator-secret', 401],
    ['operator-secret', undefined, 401],
  ])('%s if the token is %s: %d', async (header, operatorToken, status) => {
    expect((await quotes(header, operatorToken)).status).toBe(status);
  });
});

describe('alerts', () => {
  const alert = { strategy_id: 's', stock_id: 'AAPL:NASDAQ', action: 'Buy', api_token: 'orders' };
  const post = (type: string, body: string) => {
    const { app, calls } = served(answers);
    return {
      calls,
      answer: request(app).post('/newOrderWebhook').set('Content-Type', type).send(body),
    };
  };

  it.each([
    'application/json',
    'text/plain',
    'text/plain; charset=utf-8',
    'application/x-www-form-urlencoded',
  ])('are accepted as %s, trimmed', async (type) => {
    const { answer, calls } = post(type, `\n  ${JSON.stringify(alert)} \r\n`);
    expect((await answer).status).toBe(200);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.[2]).toMatchObject({ action: 'buy', strategyId: 's', stock: 'AAPL:NASDAQ' });
    expect(JSON.stringify(calls)).not.toContain('api_token');
  });

  // oxfmt-ignore
  it.each([
    ['{{strategy.order.action}} AAPL', 400, 'Request failed. the body must be valid JSON.'],
    ['[{}]', 400, 'Request failed. the body must be a JSON object.'],
    ['null', 400, 'Request failed. the body must be a JSON object.'],
    ['{}', 401, 'Authentication failed.'],
    ['{"api_token":7}', 401, 'Authentication failed.'],
    ['{"api_token":"unknown"}', 401, 'Authentication failed.'],
    ['{"api_token":"other"}', 401, 'Authentication failed.'],
    ['{"api_token":"orders"}', 400, 'Request failed. strategy_id is required.'],
  ])('%s: %d', async (body, status, response) => {
    const answer = await post('text/plain', body).answer;
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ success: false, response });
  });

  it('without a token in the body are refused, whatever the header says', async () => {
    const { app } = served(answers);
    const { api_token: _, ...rest } = alert;
    const answer = await request(app)
      .post('/newOrderWebhook')
      .set('Authorization', 'all')
      .send(rest);
    expect(answer.status).toBe(401);
  });
});

const session = { token: 't', tokenId: 't', userId: 'u', expiresAt: 0 };

/** Whole seconds from 1 to 60: the limits are those of a minute. */
const WITHIN_A_MINUTE = /^([1-9]|[1-5]\d|60)$/;

describe('rate limits', () => {
  const limits = (changed: Partial<typeof DEFAULT_RATE_LIMITS>) => ({
    limiter: createLimiter({ ...DEFAULT_RATE_LIMITS, ...changed }),
  });
  const statuses = async (count: number, ask: () => PromiseLike<{ status: number }>) => {
    const seen: number[] = [];
    for (let index = 0; index < count; index++) seen.push((await ask()).status);
    return seen;
  };

  it('count reads of each user, whatever the tokens', async () => {
    const { app } = served(answers, limits({ reads: 2 }));
    const read = (token: string) => () =>
      request(app).get('/getTokens').set('Authorization', token);
    expect(await statuses(3, read('all'))).toEqual([200, 200, 429]);
    const last = await read('all')();
    expect(last.headers['retry-after']).toMatch(WITHIN_A_MINUTE);
    expect(last.headers['x-error-code']).toBe('rate_limited');
    expect((await read('refresh')()).status).toBe(429);
  });

  it('count every ten items of a request as one more call', async () => {
    const { app } = served(answers, limits({ reads: 13 }));
    const stocks = (count: number) =>
      Array.from({ length: count }, (_, index) => `stock_id[]=${index}`).join('&');
    const read = (count: number) => () => request(app).get(`/getStocks?${stocks(count)}`);
    expect(await statuses(1, read(100))).toEqual([200]);
    expect(await statuses(3, read(9))).toEqual([200, 200, 429]);
  });

  it('count a large answer with the next call', async () => {
    const getOrders = () => Array.from({ length: 500 }, () => answers.newOrderWebhook());
    const { app } = served({ getOrders }, limits({ reads: 4 }));
    const read = () => request(app).get('/getOrders?strategy_id=s').set('Authorization', 'all');
    expect(await statuses(2, read)).toEqual([200, 429]);
  });

  it('are looked at again when the turn of a costly read comes', async () => {
    let [underWay, most, made] = [0, 0, 0];
    const getOrders = async () => {
      most = Math.max(most, (underWay += 1));
      made += 1;
      await turn();
      underWay -= 1;
      return Array.from({ length: 500 }, () => answers.newOrderWebhook());
    };
    const { app } = served({ getOrders }, limits({ reads: 25 }));
    const read = async () =>
      (await request(app).get('/getOrders?strategy_id=s').set('Authorization', 'all')).status;
    const seen = await Promise.all(Array.from({ length: 20 }, read));
    expect(most).toBe(1);
    expect(seen.filter((status) => status === 200)).toHaveLength(made);
    expect(seen.filter((status) => status === 429)).toHaveLength(20 - made);
    expect(made).toBeLessThan(5);
  });

  it('count an IPv6 address by its network', async () => {
    const { app } = served(answers, { ...limits({ reads: 2 }), trustProxy: 1 });
    const read = (address: string) => () =>
      request(app).get('/getStocks?stock_id[]=a').set('X-Forwarded-For', address);
    expect(await statuses(2, read('2001:db8:1:2::1'))).toEqual([200, 200]);
    expect(await statuses(1, read('2001:db8:1:2:ffff::2'))).toEqual([429]);
    expect(await statuses(1, read('2001:db8:1:3::1'))).toEqual([200]);
  });

  it.each(['/openapi.json', '/asyncapi.json', '/docs', '/nowhere', '/connect'])(
    'count %s with the anonymous reads of its address; health is always answered',
    async (path) => {
      const { app } = served(answers, limits({ reads: 2 }));
      const seen = await statuses(3, () => request(app).get(path));
      expect(seen.slice(0, 2)).not.toContain(429);
      expect(seen[2]).toBe(429);
      expect(await statuses(2, () => request(app).get('/healthz'))).toEqual([200, 200]);
    },
  );

  it('count anonymous calls of each address', async () => {
    const { app } = served(answers, limits({ reads: 2 }));
    const read = () => request(app).get('/getStocks?stock_id[]=a');
    expect(await statuses(3, read)).toEqual([200, 200, 429]);
    expect((await request(app).get('/getTokens').set('Authorization', 'all')).status).toBe(200);
  });

  it('count failed authentications, without delaying callers with a token', async () => {
    const { app } = served(answers, limits({ failures: 2 }));
    const guess = () => request(app).get('/getTokens').set('Authorization', 'wrong');
    expect(await statuses(3, guess)).toEqual([401, 401, 429]);
    expect((await request(app).get('/getTokens').set('Authorization', 'all')).status).toBe(200);
  });

  it('count a valid token without the scope as its own calls: its address may still sign in', async () => {
    const newSession = () => session;
    const { app } = served({ ...answers, newSession }, limits({ failures: 2, reads: 40 }));
    const scopeless = () => request(app).get('/getTokens').set('Authorization', 'other');
    expect(new Set(await statuses(40, scopeless))).toEqual(new Set([401]));
    const login = () => request(app).post('/newSession').send({ email: 'a@b.test', password: 'x' });
    expect(await statuses(2, login)).toEqual([200, 200]);
    expect((await scopeless()).status).toBe(429);
  });

  it.each([
    [429, 'rate_limited', '17', new TriedTooOften(17)],
    [503, 'unavailable', '1', new Overloaded('too many')],
  ])(
    'of the application are answered %d (%s), with Retry-After %s',
    async (status, code, seconds, error) => {
      const { app, logged } = served({ newSession: () => Promise.reject(error) });
      const answer = await request(app)
        .post('/newSession')
        .send({ email: 'a@b.test', password: 'x' });
      expect([answer.status, answer.get('x-error-code'), answer.get('retry-after')]).toEqual([
        status,
        code,
        seconds,
      ]);
      expect(answer.body).toMatchObject({ success: false });
      expect(JSON.stringify(logged)).not.toContain('request failed');
    },
  );

  it('never answer an alert with 429', async () => {
    const { app } = served(answers, limits({ alerts: 1, failures: 0 }));
    const body = { strategy_id: 's', stock_id: 'x', action: 'buy', api_token: 'orders' };
    const alert = () => request(app).post('/newOrderWebhook').send(body);
    expect(await statuses(2, alert)).toEqual([200, 503]);
    expect((await alert()).headers['retry-after']).toMatch(WITHIN_A_MINUTE);
    const wrong = () => request(app).post('/newOrderWebhook').send({ api_token: 'wrong' });
    expect(await statuses(3, wrong)).toEqual([401, 503, 503]);
  });

  it('of alerts with unknown tokens delay no other alert of the address', async () => {
    const { app } = served(answers, limits({ alerts: 2 }));
    const wrong = () => request(app).post('/newOrderWebhook').send({ api_token: 'wrong' });
    expect(await statuses(4, wrong)).toEqual([401, 401, 503, 503]);
    const body = { strategy_id: 's', stock_id: 'x', action: 'buy', api_token: 'orders' };
    expect((await request(app).post('/newOrderWebhook').send(body)).status).toBe(200);
  });
});
