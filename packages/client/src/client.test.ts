import { describe, expect, it } from '@jest/globals';
import { operations } from '@slipstream/wire';
import {
  type ClientOptions,
  RequestFailed,
  Unreachable,
  createClient,
  isOutcomeUnknown,
  isServerUrl,
} from './index.js';

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
const done = () => json(200, { success: true, response: [] });
const unavailable = (retryAfter = '') =>
  json(
    503,
    { success: false, response: 'Request failed. try again.' },
    {
      'X-Error-Code': 'unavailable',
      'X-Request-Id': 'r-1',
      ...(retryAfter && { 'Retry-After': retryAfter }),
    },
  );
const unreachable = () => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
  });
};

/** A client whose service gives `answers` in order, and repeats the last one. */
function clientOf(...answers: (() => Response)[]) {
  return clientWith({}, ...answers);
}

function clientWith(
  options: Pick<ClientOptions, 'newKey' | 'waitForServer'>,
  ...answers: (() => Response)[]
) {
  const sent: { url: string; init: RequestInit }[] = [];
  const waits: number[] = [];
  const client = createClient({
    ...options,
    url: 'http://x.test/',
    token: 'secret',
    timers: { wait: async (milliseconds) => void waits.push(milliseconds) },
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      return answer ? answer() : done();
    },
  });
  const headersOf = (index = 0) => new Headers(sent[index]?.init.headers);
  return { client, sent, waits, headersOf };
}

const ORDER = { strategy_id: 's', stock_id: 'a', action: 'buy', amount: '0.1' } as const;

describe('the address of a server', () => {
  it.each([
    undefined,
    null,
    '',
    'localhost:3000',
    '127.0.0.1:3000',
    'ftp://x.test',
    'https://ada:secret@x.test',
    'http://x.test/?page=1',
    'http://x.test/#/bots',
    'http://x.test and more',
    'https://',
    'https:///path',
  ])('is refused in words, and not shown, where no request could be sent to it: %j', (url) => {
    expect(isServerUrl(url)).toBe(false);
    const made = (): unknown => createClient({ url: url as string });
    expect(made).toThrow('url must be an address such as https://trading.example');
    expect(made).toThrow(TypeError);
  });

  it.each([
    'http://127.0.0.1:3000',
    'https://x.test/',
    'https://x.test/below',
    'http://[::1]:3000',
  ])('is taken: %s', (url) => {
    expect(isServerUrl(url)).toBe(true);
    expect(() => createClient({ url })).not.toThrow();
  });
});

describe('a request of the client', () => {
  it('has a method for every operation', () => {
    const { client } = clientOf();
    expect(Object.keys(client)).toEqual([...Object.keys(operations), 'streams']);
  });

  it('sends arrays of a query as name[], and leaves out what is undefined', async () => {
    const { client, sent, headersOf } = clientOf(done);
    await client.getStrategies({ strategy_id: ['a', 'b&c'], timeframe: undefined });
    expect(sent[0]?.url).toBe(
      'http://x.test/getStrategies?strategy_id%5B%5D=a&strategy_id%5B%5D=b%26c',
    );
    expect(headersOf().get('Authorization')).toBe('Bearer secret');
    expect(sent[0]?.init.body).toBeUndefined();
  });

  it('takes an option that is undefined as one that is not there', async () => {
    const none = { newKey: undefined, waitForServer: undefined };
    const { client, headersOf } = clientWith(none, done);
    await client.getBots({}, { signal: undefined, idempotencyKey: undefined, token: undefined });
    expect(headersOf().get('Authorization')).toBe('Bearer secret');
  });

  it.each(['two\nlines', 'nul\0', 'zero\u200bwidth'])(
    'is not sent with a token that no header can carry, which is not shown: %j',
    async (token) => {
      const { client, sent } = clientOf(done);
      const refused = client.getStrategies({ strategy_id: ['a'] }, { token });
      await expect(refused).rejects.toThrow(/^Authentication failed\.$/);
      await client.getStrategies({ strategy_id: ['a'] }, { token: 'of a file\n' });
      expect(sent).toHaveLength(1);
    },
  );

  it('sends decimals as text', async () => {
    const { client, sent } = clientOf(done);
    await client.newOrder({ ...ORDER, amount: '0.100000000000000001' });
    expect(sent[0]?.init.body).toContain('"amount":"0.100000000000000001"');
  });

  it('puts the token of an alert into its body', async () => {
    const { client, sent, headersOf } = clientOf(done);
    const alert = { strategy_id: 's', stock_id: 'a', action: 'buy' } as const;
    await client.newOrderWebhook(alert);
    await client.newOrderWebhook({ ...alert, ...({ api_token: undefined } as object) });
    await client.newOrderWebhook({ ...alert, api_token: 'another' });
    const tokens = sent.map(
      ({ init }) => (JSON.parse(String(init.body)) as { api_token?: string }).api_token,
    );
    expect(tokens).toEqual(['secret', 'secret', 'another']);
    expect(headersOf().has('Authorization')).toBe(false);
  });
});

describe('an answer without success', () => {
  it('rejects with the sentence, the code and the request id of the service', async () => {
    const { client } = clientOf(() =>
      json(
        400,
        { success: false, response: 'Request failed. no.' },
        { 'X-Error-Code': 'not_found', 'X-Request-Id': 'r-7' },
      ),
    );
    const error = await client.getBots().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RequestFailed);
    expect(error).toMatchObject({
      status: 400,
      code: 'not_found',
      message: 'Request failed. no.',
      requestId: 'r-7',
    });
  });

  it.each([
    ['a page of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
    ['another JSON', () => json(200, { hello: 1 })],
    ['JSON null', () => json(200, null)],
  ])('reports an answer that is %s', async (_, answer) => {
    const { client } = clientOf(answer);
    await expect(client.getBots()).rejects.toMatchObject({ code: 'unexpected_answer' });
  });

  it.each([
    ['', 504, '504 '],
    ['<!DOCTYPE html>\n<html>\n\t<h1>Not found</h1>', 404, '404 <!DOCTYPE html> <html> <h1>'],
  ])('says whose it is, and how it begins on one line: %j', async (text, status, beginning) => {
    const { client } = clientOf(() => new Response(text, { status }));
    await expect(client.newOrder(ORDER)).rejects.toThrow(
      `The answer of http://x.test is not of this service: ${beginning}`,
    );
  });
});

describe('repeating', () => {
  it('retries a read while the service is unreachable, waiting longer each time', async () => {
    const { client, sent, waits } = clientOf(unreachable, unavailable, done);
    expect(await client.getBots()).toEqual([]);
    expect(sent).toHaveLength(3);
    expect(waits[0]).toBeLessThanOrEqual(200);
    expect(waits[1]).toBeGreaterThanOrEqual(200);
  });

  it.each([502, 504])(
    'retries while a proxy says that the service is away (%i)',
    async (status) => {
      const { client, sent } = clientOf(
        () => new Response('<h1>Bad gateway</h1>', { status }),
        done,
      );
      expect(await client.getBots()).toEqual([]);
      expect(sent).toHaveLength(2);
    },
  );

  it('waits for a server that went away with the request, which may have been served', async () => {
    const cut = () => {
      throw new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } });
    };
    const { client, sent } = clientWith({ waitForServer: false }, cut, unreachable, done);
    expect(await client.getBots()).toEqual([]);
    expect(sent).toHaveLength(3);
    const gone = clientWith({ waitForServer: false }, cut, unreachable);
    await expect(gone.client.getBots()).rejects.toMatchObject({ isNobodyThere: false });
    const never = clientWith({ waitForServer: false }, unreachable);
    await expect(never.client.getBots()).rejects.toMatchObject({ isNobodyThere: true });
    expect(never.sent).toHaveLength(1);
  });

  it('never says of a POST that may have been served that nothing was done', async () => {
    const cut = () => {
      throw new TypeError('fetch failed', { cause: { code: 'UND_ERR_SOCKET' } });
    };
    const gateway = () => new Response('', { status: 504 });
    const failure = (...answers: (() => Response)[]): Promise<unknown> =>
      clientOf(...answers)
        .client.newOrder(ORDER, { idempotencyKey: 'k-1' })
        .catch((error: unknown) => error);
    expect(await failure(cut, unavailable)).toBeInstanceOf(Unreachable);
    expect(await failure(unavailable, cut, unavailable)).toBeInstanceOf(Unreachable);
    expect(await failure(gateway, unavailable)).toMatchObject({ status: 504 });
    // Both are asked before the service looks for the first answer.
    const unasked = (status: number) => () => json(status, { success: false, response: 'no' });
    expect(await failure(cut, unasked(429))).toBeInstanceOf(Unreachable);
    expect(await failure(cut, unasked(401))).toBeInstanceOf(Unreachable);
    expect(await failure(unasked(429))).toMatchObject({ status: 429 });
    const refused = () => json(400, { success: false, response: 'Request failed. no.' });
    expect(await failure(cut, refused)).toMatchObject({ status: 400 });
  });

  it.each([
    ['a connection that was cut', true, 'UND_ERR_SOCKET'],
    ['a connection that could not be opened', false, 'UND_ERR_CONNECT_TIMEOUT'],
    ['nobody who listens', false, 'ECONNREFUSED'],
    ['an address that is none', false, 'ERR_INVALID_URL'],
    ['the answer of a proxy', true, new Response('', { status: 502 })],
    ['a refusal', false, json(429, { success: false, response: 'Request failed. later.' })],
  ])('knows whether a request may have been served after %s', async (_, isUnknown, answer) => {
    const { client } = clientOf(() => {
      if (answer instanceof Response) return answer;
      throw new TypeError('fetch failed', { cause: { code: answer } });
    });
    const error = await client.newOrder(ORDER).catch((reason: unknown) => reason);
    expect(isOutcomeUnknown(error)).toBe(isUnknown);
  });

  it('waits as long as the service requests', async () => {
    const { client, waits } = clientOf(() => unavailable('3'), done);
    await client.getBots();
    expect(waits).toEqual([3000]);
  });

  it('gives up at last', async () => {
    const refused = clientOf(unavailable);
    await expect(refused.client.getBots()).rejects.toMatchObject({ status: 503 });
    expect(refused.sent).toHaveLength(4);
    const away = clientOf(unreachable);
    const error = await away.client.getBots().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Unreachable);
    expect(String(error)).toBe('Unreachable: http://x.test cannot be reached (ECONNREFUSED)');
  });

  it('sends a POST once, and with an Idempotency-Key again under the same key', async () => {
    const once = clientOf(unavailable, done);
    await expect(once.client.newOrder(ORDER)).rejects.toMatchObject({ status: 503 });
    expect(once.sent).toHaveLength(1);
    const keyed = clientOf(unreachable, done);
    await keyed.client.newOrder(ORDER, { idempotencyKey: 'k-1' });
    expect(
      [keyed.headersOf(0), keyed.headersOf(1)].map((headers) => headers.get('Idempotency-Key')),
    ).toEqual(['k-1', 'k-1']);
  });

  it('makes a key for every POST that takes one, if it has a source of keys', async () => {
    let made = 0;
    const newKey = () => `k-${(made += 1)}`;
    const { client, headersOf, sent } = clientWith({ newKey }, unavailable, done);
    await client.newOrder(ORDER);
    await client.newOrder(ORDER);
    await client.newOrder(ORDER, { idempotencyKey: 'mine' });
    await client.getBots();
    await client.newSession({ email: 'ada@example.com', password: 'a long password' });
    expect(sent.map((_, index) => headersOf(index).get('Idempotency-Key'))).toEqual([
      'k-1',
      'k-1',
      'k-2',
      'mine',
      null,
      null,
    ]);
  });

  it('never repeats a refused request', async () => {
    const { client, sent } = clientOf(() =>
      json(400, { success: false, response: 'Request failed. no.' }),
    );
    await expect(client.getBots()).rejects.toMatchObject({ status: 400 });
    expect(sent).toHaveLength(1);
  });
});
