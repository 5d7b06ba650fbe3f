import { Refusal } from '@slipstream/domain';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { anOrder, aStock, served } from './stand-in.js';

const orderView = { stock: aStock, quote: undefined, order: anOrder, waitingReason: null };
const answers = {
  getStrategies: () => [],
  newOrder: () => orderView,
  newOrderWebhook: () => orderView,
  newQuotes: () => ({ accepted: 0, rejected: [] }),
};

const order = (fields: string): string =>
  `{"strategy_id":"s","stock_id":"AAPL:NASDAQ","action":"buy",${fields}}`;

const post = (body: string | Buffer, type = 'application/json') =>
  request(served(answers).app)
    .post('/newOrder')
    .set('Authorization', 'all')
    .set('Content-Type', type)
    .send(body);

describe('bodies', () => {
  // oxfmt-ignore
  it.each([
    ['a number beyond all', order('"amount":1e999'), /amount must be a decimal/],
    ['NaN', order('"amount":NaN'), /valid JSON/],
    ['an array for a number', order('"amount":[1]'), /amount must be a decimal/],
    ['10^5 digits', order(`"amount":${'9'.repeat(60_000)}`), /amount must be a decimal/],
    ['10^5 digits as text', order(`"amount":"${'9'.repeat(60_000)}"`), /amount must be a decimal/],
    ['depth 17', order(`"amount":${'['.repeat(16)}${']'.repeat(16)}`), /deeper than 16/],
    ['endless depth', '['.repeat(60_000), /deeper than 16/],
    ['__proto__', order('"amount":"1","__proto__":{"price":"1"}'), /must not have a field "__proto__"/],
    ['constructor', order('"amount":"1","constructor":{}'), /must not have a field "constructor"/],
    ['an unknown field', order('"amount":"1","pirce":"1"'), /unknown field "pirce"/],
    ['NUL', order('"amount":"1"').replace('AAPL', 'A\\u0000'), /stock_id must be well-formed text/],
    ['a lone surrogate', order('"amount":"1"').replace('AAPL', '\\ud800'), /stock_id must be well-formed text/],
    ['nothing', '', /valid JSON/],
    ['an array', '[]', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
  ])('%s: a clean 400', async (_, body, reason) => {
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect((answer.body as { response: string }).response).toMatch(reason);
    expect((answer.body as { response: string }).response).toMatch(/^Request failed\. .{1,250}\.$/);
  });

  it.each([
    ['text/plain', order('"amount":"1"')],
    ['application/jsonp', order('"amount":"1"')],
    ['application/x-www-form-urlencoded', 'a=1'],
  ])('of type %s are refused', async (type, body) => {
    const answer = await post(body, type);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({
      success: false,
      response: 'Request failed. Content-Type must be application/json.',
    });
  });

  it('may name their encoding', async () => {
    const answer = await post(order('"amount":"1"'), 'application/json; charset=utf-8');
    expect(answer.status).toBe(200);
  });

  it('that are not UTF-8 are refused', async () => {
    const broken = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    const answer = await post(broken).serialize((body: unknown) => body as string);
    expect(answer.body).toEqual({
      success: false,
      response: 'Request failed. the body must be UTF-8.',
    });
  });

  it('that are compressed are refused', async () => {
    const answer = await request(served(answers).app)
      .post('/newOrder')
      .set({ Authorization: 'all', 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .send(gzipSync(order('"amount":"1"')));
    expect(answer.body).toMatchObject({
      response: 'Request failed. the body must not be compressed.',
    });
  });

  const padded = (length: number, body: string): string => body + ' '.repeat(length - body.length);
  const alert = '{"strategy_id":"s","stock_id":"x","action":"buy","api_token":"orders"}';
  it.each([
    ['/newOrder', padded(65_536, order('"amount":"1"')), 200],
    ['/newOrder', padded(65_537, order('"amount":"1"')), 413],
    ['/newOrderWebhook', padded(8_192, alert), 200],
    ['/newOrderWebhook', padded(8_193, alert), 413],
    ['/newQuotes', padded(1_048_576, '{"quotes":[]}'), 200],
    ['/newQuotes', padded(1_048_577, '{"quotes":[]}'), 413],
  ])('%s has its limit (%#)', async (path, body, status) => {
    const { app } = served(answers, { operatorToken: 'op' });
    const answer = await request(app)
      .post(path)
      .set('Authorization', path === '/newQuotes' ? 'op' : 'all')
      .set('Content-Type', 'application/json')
      .send(body);
    expect(answer.status).toBe(status);
    if (status === 413) expect(answer.headers['x-error-code']).toBe('body_too_large');
  });
});

describe('queries', () => {
  const ask = (query: string) => {
    const { app, calls } = served(answers);
    return { calls, answer: request(app).get(`/getStrategies?${query}`) };
  };
  const several = (count: number) =>
    Array.from({ length: count }, (_, index) => `strategy_id[]=${index}`).join('&');

  it.each([1, 20, 21, 100])('take an array of %d', async (count) => {
    const { answer, calls } = ask(several(count));
    expect((await answer).status).toBe(200);
    const [, , command] = calls[0] ?? [];
    expect((command as { strategyIds: string[] }).strategyIds).toHaveLength(count);
  });

  it('count duplicates once', async () => {
    const { answer, calls } = ask('strategy_id[]=b&strategy_id[]=a&strategy_id[]=b');
    await answer;
    expect(calls[0]?.[2]).toMatchObject({ strategyIds: ['b', 'a'] });
  });

  it.each([
    ['', 'strategy_id is required'],
    [several(101), 'strategy_id[] must have at most 100 items'],
    ['strategy_id=a', 'the parameter is named strategy_id[], not strategy_id'],
    ['strategy_id[]=', 'strategy_id[0] must have 1 to 50 characters'],
    ['strategy_id[]=a&timeframe=day&timeframe=day', 'timeframe was sent twice'],
    ['strategy_id[]=a&x=1', 'unknown parameter "x"'],
    ['strategy_id[]=%00', 'strategy_id[0] must be well-formed text without NUL'],
  ])('%.40s: %s', async (query, reason) => {
    const answer = await ask(query).answer;
    expect(answer.body).toEqual({ success: false, response: `Request failed. ${reason}.` });
    expect(answer.status).toBe(400);
  });

  it('do not belong to a POST', async () => {
    const answer = await request(served(answers).app)
      .post('/newOrder?strategy_id=s')
      .set('Authorization', 'all')
      .send({});
    expect(answer.body).toMatchObject({ response: 'Request failed. /newOrder takes no query.' });
  });
});

describe('a refusal of the application', () => {
  it('reaches the caller with its code', async () => {
    const newOrder = () => {
      throw new Refusal('insufficient_buying_power', 'at most 0.5 fits');
    };
    const answer = await request(served({ newOrder }).app)
      .post('/newOrder')
      .set({ Authorization: 'all', 'Content-Type': 'application/json' })
      .send(order('"amount":"1"'));
    expect(answer.headers['x-error-code']).toBe('insufficient_buying_power');
    expect(answer.body).toEqual({ success: false, response: 'Request failed. at most 0.5 fits.' });
  });
});
