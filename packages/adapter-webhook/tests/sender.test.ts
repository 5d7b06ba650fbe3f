import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type EndpointTarget, id } from '@slipstream/domain';
import {
  type Venue,
  type VenueRequest,
  discordStandIn,
  listen,
  telegramStandIn,
} from '@slipstream/stand-ins';
import { Webhook } from 'standardwebhooks';
import { type EndpointSenderOptions, endpointSender } from '../src/index.js';

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

/** A receiver on this machine that keeps what it gets. */
async function receiver(answer: Awaited<ReturnType<Venue>> = { status: 200, body: '' }) {
  const got: VenueRequest[] = [];
  const { url, close } = await listen(async (request) => {
    got.push(request);
    return answer;
  });
  closings.push(close);
  return { url, got };
}

const SECRET = endpointSender().newSecret();
const hook = (url: string, ...secrets: string[]): EndpointTarget => ({
  kind: 'webhook',
  url,
  secrets: (secrets.length > 0 ? secrets : [SECRET]).map((secret) => ({ secret, until: null })),
});
const message = () => ({
  id: id<'delivery'>('delivery-1'),
  at: Date.now(),
  body: '{"type":"order.filled","data":{"name":"Größe ✓"}}',
  text: 'Filled: buy AAPL.\nhttp://localhost/strategies/1',
});
const local = (options: EndpointSenderOptions = {}) =>
  endpointSender({ allowed: 'loopback', ...options });
const failed = (reason: string) => ({ kind: 'failed', status: null, reason });

describe('a message to a webhook', () => {
  it('is verified by the library of Standard Webhooks', async () => {
    const { url, got } = await receiver();
    expect(await local().send(hook(`${url}/hook?x=1`), message())).toEqual({
      kind: 'delivered',
      status: 200,
      reason: null,
    });
    const [request] = got;
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'delivery-1',
    });
    const verified = new Webhook(SECRET).verify(request?.body ?? '', request?.headers ?? {});
    expect(verified).toEqual(JSON.parse(message().body));
    const other = new Webhook(endpointSender().newSecret());
    expect(() => other.verify(request?.body ?? '', request?.headers ?? {})).toThrow();
  });

  it('is signed by both secrets during a rotation', async () => {
    const { url, got } = await receiver();
    const secrets = [SECRET, local().newSecret()];
    await local().send(hook(url, ...secrets), message());
    for (const secret of secrets)
      new Webhook(secret).verify(got[0]?.body ?? '', got[0]?.headers ?? {});
    const at = Date.now();
    const over = {
      kind: 'webhook' as const,
      url,
      secrets: [
        { secret: SECRET, until: null },
        { secret: secrets[1] ?? '', until: at },
      ],
    };
    await local().send(over, { ...message(), at });
    expect(got[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it.each([
    [204, 'delivered'],
    [299, 'delivered'],
    [301, 'failed'],
    [307, 'failed'],
    [404, 'failed'],
    [500, 'failed'],
    [410, 'gone'],
  ])('that is answered %d is %s', async (status, kind) => {
    const away = await receiver();
    const { url } = await receiver({ status, body: '', headers: { location: away.url } });
    expect(await local().send(hook(url), message())).toMatchObject({ kind, status });
    expect(away.got).toEqual([]);
  });

  it.each([
    [429, '120', 120_000],
    [503, '0.5', 500],
    [429, 'Wed, 04 Mar 2026 15:01:00 GMT', 60_000],
    [429, 'Wed, 04 Mar 2026 14:00:00 GMT', undefined],
    [429, 'soon', undefined],
    [429, '-5', undefined],
    [500, '120', undefined],
  ])('that is answered %d with Retry-After %s waits', async (status, told, retryAfter) => {
    const { url } = await receiver({ status, body: '', headers: { 'retry-after': told } });
    const at = Date.parse('2026-03-04T15:00:00.000Z');
    const answer = await local().send(hook(url), { ...message(), at });
    expect(answer).toMatchObject({ kind: 'failed', status });
    expect(answer.retryAfter).toBe(retryAfter);
  });

  it('fails when the receiver hangs, breaks the connection or is not there', async () => {
    const hanging = await receiver('silent');
    const patient = local({ patience: 50 });
    expect(await patient.send(hook(hanging.url), message())).toEqual(
      failed('it did not answer within 0.05 seconds'),
    );
    const breaking = await receiver('dropped');
    expect(await local().send(hook(breaking.url), message())).toEqual(
      failed('it broke the connection'),
    );
    const closed = await receiver();
    await closings.pop()?.();
    expect(await local().send(hook(closed.url), message())).toEqual(
      failed('it refused the connection'),
    );
  });

  it('ends when the answer drips or never ends', async () => {
    const server = createServer((_, response) => {
      response.writeHead(200);
      const more = (): boolean =>
        response.writableEnded || !response.write('x'.repeat(65_536)) || more();
      more();
      response.on('drain', more);
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    closings.push(
      () => new Promise((ended) => (server.close(() => ended()), server.closeAllConnections())),
    );
    const ended = new Promise((gone) =>
      server.on('connection', (socket) => socket.on('close', gone)),
    );
    const { port } = server.address() as AddressInfo;
    expect(await local().send(hook(`http://127.0.0.1:${port}`), message())).toMatchObject({
      kind: 'delivered',
    });
    await ended;
  });

  it('says nothing of the address in why it failed', async () => {
    const tcp = createTcpServer((socket) => socket.resume().end('not http\r\n\r\n'));
    await new Promise<void>((ready) => tcp.listen(0, '127.0.0.1', ready));
    closings.push(() => new Promise((ended) => tcp.close(() => ended())));
    const { port } = tcp.address() as AddressInfo;
    const answer = await local().send(hook(`http://127.0.0.1:${port}/a-secret`), message());
    expect(answer).toEqual(failed('the connection failed'));
    const resolve = async () => Promise.reject(new Error('getaddrinfo a-secret.example'));
    const unknown = await local({ resolve }).send(hook('https://a-secret.example'), message());
    expect(JSON.stringify(unknown)).not.toContain('a-secret');
  });
});

describe('an address that cannot be checked', () => {
  it('fails its attempt, and nothing else', async () => {
    const unreadable = {
      family: 4,
      get address(): string {
        throw new Error('this machine says nothing of its addresses');
      },
    };
    const resolve = async () => [unreadable];
    const answer = await endpointSender({ resolve }).send(hook('https://some.example'), message());
    expect(answer).toEqual(failed('the connection failed'));
  });
});

describe('an address inside', () => {
  it.each([
    'http://example.com',
    'ftp://example.com',
    'example.com',
    'https://user@example.com',
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://[::1]',
    'https://[::ffff:10.0.0.1]',
    'https://169.254.169.254/latest/meta-data',
  ])('%s is refused as an address', (url) => {
    expect(endpointSender().problemOf(hook(url))).toMatch(/^url must/);
  });

  it('is not dialled when a name has it, also beside public ones', async () => {
    const { url, got } = await receiver();
    const port = new URL(url).port;
    for (const inside of ['127.0.0.1', '10.0.0.1', '::ffff:127.0.0.1']) {
      const resolve = async () => [
        { address: '8.8.8.8', family: 4 },
        { address: inside, family: inside.includes(':') ? 6 : 4 },
      ];
      expect(
        await endpointSender({ resolve }).send(hook(`https://rebound.example:${port}`), message()),
      ).toEqual(failed('its address is not public'));
    }
    expect(got).toEqual([]);
  });

  it('is not dialled by a name that changes its address (DNS rebinding): each attempt dials what it checked', async () => {
    const { url, got } = await receiver();
    const { port } = new URL(url);
    const answers = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '127.0.0.1'];
    let asked = 0;
    const resolve = async () => [{ address: answers[asked++] ?? '', family: 4 }];
    const sender = local({ resolve });
    const kinds: string[] = [];
    for (const _ of answers) {
      const before = asked;
      const { reason } = await sender.send(hook(`http://localhost:${port}`), message());
      kinds.push(reason ?? 'delivered');
      expect(asked).toBe(before + 1);
    }
    expect(kinds).toEqual([
      'delivered',
      'its address is not public',
      'its address is not public',
      'delivered',
    ]);
    expect(got).toHaveLength(2);
  });
});

/** The stand-in at an address of this machine. */
async function standingIn(venue: Venue): Promise<string> {
  const { url, close } = await listen(venue);
  closings.push(close);
  return url;
}

describe('a message to a messenger', () => {
  const botToken = `12345:${'a'.repeat(35)}`;
  const chat = { kind: 'telegram', botToken, chatId: '-100' } as const;
  const channel = { kind: 'discord', url: 'https://discord.com/api/webhooks/123/a_B-c' } as const;

  it('is a text to the chat of a bot of Telegram', async () => {
    const telegram = telegramStandIn(botToken, '-100');
    const sender = endpointSender({ telegramUrl: await standingIn(telegram.venue) });
    expect(sender.problemOf(chat)).toBeUndefined();
    const long = { ...message(), text: 'x'.repeat(5000) };
    telegram.flood();
    const statuses: unknown[] = [];
    for (const one of [message(), message(), long]) {
      const { kind, status } = await sender.send(chat, one);
      statuses.push([kind, status]);
    }
    const unknown = { ...chat, chatId: '-7' };
    statuses.push((await sender.send(unknown, message())).kind);
    telegram.block('-100');
    statuses.push((await sender.send(chat, message())).kind);
    const revoked = { ...chat, botToken: `12345:${'b'.repeat(35)}` };
    statuses.push((await sender.send(revoked, message())).kind);
    expect(statuses).toEqual([
      ['failed', 429],
      ['delivered', 200],
      ['failed', 400],
      'failed',
      'gone',
      'gone',
    ]);
    expect(telegram.texts('-100')).toEqual([message().text]);
  });

  it('is a text to a channel of Discord', async () => {
    const discord = discordStandIn('123', 'a_B-c');
    const sender = endpointSender({ discordUrl: await standingIn(discord.venue) });
    expect(await sender.send(channel, message())).toMatchObject({ kind: 'delivered', status: 204 });
    const other = { ...channel, url: 'https://discord.com/api/webhooks/123/other' };
    expect(await sender.send(other, message())).toMatchObject({ kind: 'gone', status: 401 });
    discord.remove();
    expect(await sender.send(channel, message())).toMatchObject({ kind: 'gone', status: 404 });
    expect(discord.texts).toEqual([message().text]);
  });

  it('calls nobody in Discord, whatever name is in it', async () => {
    const { url, got } = await receiver({ status: 204, body: '' });
    await endpointSender({ discordUrl: url }).send(channel, { ...message(), text: '@everyone' });
    expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({
      content: '@everyone',
      allowed_mentions: { parse: [] },
    });
  });

  it('shows a name in Discord as it is written: no link in it hides where it leads', async () => {
    const { url, got } = await receiver({ status: 204, body: '' });
    const sender = endpointSender({ discordUrl: url });
    const link = 'https://slipstream.example/strategies/a_b_c';
    for (const name of ['[Sign in](https://evil.example) *_~|<t:1>', '*'.repeat(1_500)])
      await sender.send(channel, { ...message(), text: `Filled, in ${name}.\n${link}` });
    expect(got.map(({ body }) => (JSON.parse(body) as { content: string }).content)).toEqual([
      `Filled, in \\[Sign in\\](https://evil.example) \\*\\_\\~\\|\\<t:1\\>.\n${link}`,
      `Filled, in ${' '.repeat(1_500)}.\n${link}`,
    ]);
  });

  it('has an address at Discord, a token and a chat of Telegram, or is refused', () => {
    const { problemOf } = endpointSender();
    for (const url of [
      'https://discord.com.evil.example/api/webhooks/1/x',
      'https://discord.com/api/users/1',
      'http://discord.com/api/webhooks/1/x',
      'https://discord.com/api/webhooks/1/../../x',
    ])
      expect(problemOf({ kind: 'discord', url })).toMatch(/^url must be like/);
    const botToken = `12345:${'a'.repeat(35)}`;
    expect(problemOf({ kind: 'telegram', botToken: '../x', chatId: '1' })).toMatch(/^bot_token/);
    expect(problemOf({ kind: 'telegram', botToken, chatId: 'x y' })).toMatch(/^chat_id/);
  });
});
