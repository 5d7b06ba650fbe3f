import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHANNELS } from '@slipstream/wire';
import fc from 'fast-check';
import WebSocket from 'ws';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { newScene } from '../operations/table/scene.js';
import type { Frame, StreamClient } from '../helpers/stream-client.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20260304);
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
const runs = (numRuns: number) => ({ seed: SEED, numRuns: numRuns * MORE });
const KIB = 1024;

const UPGRADE = [
  'GET /ws HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '',
  '',
].join('\r\n');

describe(`a live stream, sent anything (TEST_SEED=${SEED})`, () => {
  let server: ComposedServer;
  let owner: string;
  let ids: readonly string[];
  beforeAll(async () => {
    server = await composedServer();
    const scene = await newScene(server);
    owner = scene.owner;
    ids = [await scene.real('strategy'), await scene.real('bot'), await scene.real('user')];
  });
  afterAll(() => server.close());

  const expectServing = async (): Promise<void> =>
    expect((await server.call('GET', '/healthz')).status).toBe(200);
  const socketOf = (client: StreamClient): Promise<number | 'open'> =>
    Promise.race([client.closed, client.settled().then(() => 'open' as const)]);

  const name = fc
    .tuple(
      fc.constantFrom(...Object.keys(CHANNELS), 'wsNothing', '__proto__', 'toString', ''),
      fc.oneof(fc.constantFrom(0, 1, 2), fc.string({ maxLength: 110 })),
    )
    .map(([kind, id]) => `${kind}:${typeof id === 'number' ? ids[id] : id}`);
  const some = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 6, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue() });
  const frame = fc.record(
    {
      // Never the id of the test's own question.
      id: some(fc.string({ maxLength: 120 }).map((id) => `f${id}`)),
      action: some(
        fc.constantFrom(
          'authenticate',
          'subscribe',
          'subscribe',
          'unsubscribe',
          'ping',
          'Ping',
          '__proto__',
        ),
      ),
      channels: some(fc.array(name, { maxLength: 5 })),
      token: some(fc.string({ maxLength: 300 })),
      unknown: fc.jsonValue(),
    },
    { requiredKeys: ['action'] },
  );
  // Rarely more than the fields that belong together, or the schemas would refuse nearly all.
  const apt = frame.map(({ channels, token, unknown: _, ...rest }) =>
    rest.action === 'authenticate'
      ? { ...rest, token }
      : rest.action === 'ping'
        ? rest
        : { ...rest, channels },
  );
  const text = fc.oneof(
    { weight: 3, arbitrary: apt.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: frame.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    // oxfmt-ignore
    { weight: 1, arbitrary: fc.constantFrom('', 'null', '[]', '{', '{"action":1e999}', '{"__proto__":{}}', '['.repeat(9000), `"${'x'.repeat(16 * KIB - 2)}"`, '{"id":null,"action":"ping"}', '\ufeff{}', '\u0000') },
  );

  it('answers each text frame once and stays open', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(text, { minLength: 1, maxLength: 8 }),
        async (known, texts) => {
          const client = await server.stream(known ? owner : undefined);
          for (const one of texts) client.send(one);
          expect(await socketOf(client)).toBe('open');
          const answers = client.frames.filter(({ channel }) => channel === undefined);
          expect(answers).toHaveLength(texts.length + 1);
          for (const answer of answers) expectProper(answer);
          expect(client.texts.join('\n')).not.toMatch(/\.[jt]s:\d+|is not a function|Cannot read/);
          expect(client.texts.join('\n')).not.toContain(owner);
          client.stop();
        },
      ),
      runs(60),
    );
    await expectServing();
  });

  it.each<[string, fc.Arbitrary<Uint8Array>, boolean, readonly number[]]>([
    ['a frame of bytes', fc.uint8Array({ maxLength: 100 }), true, [1003]],
    [
      'text that is no UTF-8',
      fc
        .constantFrom([0xff], [0xe2, 0x82], [0xed, 0xa0, 0x80])
        .map((bytes) => Uint8Array.from(bytes)),
      false,
      [1007],
    ],
    [
      'more than 16 KiB',
      fc
        .integer({ min: 16 * KIB + 1, max: 100_000 })
        .map((length) => new Uint8Array(length).fill(0x20)),
      false,
      [1009],
    ],
  ])('closes by rule at %s', async (_, frames, binary, codes) => {
    await fc.assert(
      fc.asyncProperty(frames, async (bytes) => {
        const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/ws`);
        await once(socket, 'open');
        socket.send(bytes, { binary });
        const [code] = (await once(socket, 'close')) as [number];
        expect(codes).toContain(code);
      }),
      runs(5),
    );
    await expectServing();
  });

  it.each<[string, string]>([
    ['after the upgrade', UPGRADE],
    ['in place of a request', ''],
    ['after a request', 'POST /newOrder HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n'],
  ])('continues to serve after random bytes %s', async (_, before) => {
    const noise = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
      fc.string().map((line) => Buffer.from(`${line}\r\n\r\n`)),
    );
    await fc.assert(
      fc.asyncProperty(noise, async (bytes) => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        socket.write(before);
        socket.write(bytes);
        socket.end();
        const heard = await allOf(socket);
        expect(heard).not.toMatch(/HTTP\/1.1 5\d\d|\.[jt]s:\d+/);
        // Of each answer: some HTTP that is refused has no id of a listener's, yet one all the same.
        for (const head of heard.match(/^HTTP\/1.1 4[^]*?\r\n\r\n/gm) ?? [])
          expect(head).toMatch(/\r\nX-Request-Id: /i);
      }),
      runs(12),
    );
    await expectServing();
  });

  it.each([
    ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n'],
    [
      'two lengths',
      'POST /newOrder HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
    [
      'a length and chunks',
      'POST /newOrder HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a chunk of no length',
      'POST /newOrder HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['a NUL in a header', 'GET /getStocks HTTP/1.1\r\nHost: localhost\r\nA: \u0000\r\n\r\n'],
    [
      'headers of 20 KiB',
      `GET /getStocks HTTP/1.1\r\nHost: localhost\r\nA: ${'x'.repeat(20 * KIB)}\r\n\r\n`,
    ],
    ['a version that is none', 'GET /getStocks HTTP/9.9\r\nHost: localhost\r\n\r\n'],
    ['a host that is none', 'GET http://[/getStocks HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a host that no URL has', 'GET http://xn--a/getStocks HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a port that is none', 'GET http://:x/getStocks HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a star for its target', 'POST * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['only a new line', 'GET\n\n'],
  ])('answers a request with %s in the envelope', async (_, text) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(text);
    // Node drops the answers of a socket that ended before them.
    socket.once('data', () => socket.end());
    const [head = '', body = ''] = (await allOf(socket)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(head).toMatch(/^X-Request-Id: [0-9a-f-]{36}$/im);
    expect(JSON.parse(body)).toEqual({
      success: false,
      response: expect.stringMatching(/^(Authentication failed\.|Request failed\. .*\S\.)$/),
    });
  });
});

/** All that comes back. */
async function allOf(socket: Socket): Promise<string> {
  let heard = '';
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1');
  });
  socket.on('error', () => socket.destroy());
  await once(socket, 'close');
  return heard;
}

/** Contract 6: the answer to a frame. */
function expectProper({ id, success, response }: Frame): void {
  expect(id === null || typeof id === 'string').toBe(true);
  if (success === true) expect(Object.keys(response as object)).toEqual(['channels']);
  else expect(response).toMatch(/^(Authentication failed\.|Request failed\. .*\S[.!?])$/s);
}
