import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import WebSocket from 'ws';
import { CHILD_OPERATOR, freshFolders, serveIn, signUp } from '../helpers/child-server.js';
import { OPERATOR_TOKEN, ask, composedServer } from '../helpers/composed-server.js';
import { itOne } from '../helpers/three-nodes.js';
import { rawFrames } from './raw-frames.js';
import { rawRequests } from './raw-requests.js';
import { IS_WHOLE } from './whole.js';

/** What all of them are told. */
const ENVIRONMENT = {
  PUBLIC_URL: 'http://127.0.0.1:3000',
  TRADING_HOURS: 'always',
  QUOTE_FRESH_SECONDS: '3600',
};

/** What differs, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'healthz of another host':
    'a node that forwards says by itself that it runs, under every name (docs/several-nodes.md)',
};

/** What comes back until the server closes the connection. */
async function exchanged(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(parts).toString('latin1');
}

/** What comes back for a frame before the answer to a ping after it, or until the server closes the connection. */
async function framesBack(
  url: string,
  token: string | undefined,
  frame: string | Buffer,
): Promise<string> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers });
  const texts: string[] = [];
  socket.on('error', () => undefined);
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    texts.push(text);
    if (text.includes('"id":"last"')) socket.close();
  });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  socket.send(frame);
  socket.send('{"id":"last","action":"ping"}');
  const [code, reason] = (await closed) as [number, Buffer];
  // A snapshot is read beside what comes after it.
  return [...texts.filter((text) => !text.includes('"snapshot"')), code, reason].join('\n');
}

const withoutIds = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{18,27}/gi, '<id>')
    .replaceAll(/"(created_)?at":"[^"]+"/g, '');

/** Every answer, without what no two answers have alike. */
async function answersOf(url: string, token: string, operator: string) {
  const told: Record<string, string> = {};
  for (const [name, bytes] of Object.entries(rawRequests(token, operator)))
    told[name] = withoutIds(await exchanged(url, bytes))
      .replaceAll(/^(date|x-request-id): .*/gim, '$1')
      .replaceAll(/127\.0\.0\.1:\d+/g, '<host>');
  const { user_id } = await ask(url, 'verifyToken', {}, token);
  for (const [name, frame] of Object.entries(rawFrames(token, user_id)))
    for (const by of [token, undefined])
      told[`frame: ${name}, ${by ? 'with' : 'without'} a token`] = withoutIds(
        await framesBack(url, by, frame),
      );
  return told;
}

describe('a request or a frame that is wrong', () => {
  const it = itOne('it compares servers over storages of its own');
  const folders = freshFolders();
  const closing: (() => Promise<unknown> | void)[] = [];
  let alone: Record<string, string> = {};
  beforeAll(async () => {
    alone = await ofComposed('memory');
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });

  async function ofComposed(storage: 'memory' | 'PostgreSQL of three nodes') {
    const server = await composedServer({ storage, environment: ENVIRONMENT });
    closing.push(() => server.close());
    return answersOf(server.url, await server.user('ada'), OPERATOR_TOKEN);
  }

  const OTHERS = {
    'three nodes': () => ofComposed('PostgreSQL of three nodes'),
    ...(IS_WHOLE && { fronts: ofFronts }),
  };

  async function ofFronts() {
    const { url, process } = await serveIn(folders(), { ...ENVIRONMENT, FRONTS: '2' });
    closing.push(() => void process.kill('SIGKILL'));
    const token = await signUp((name, fields, by) =>
      ask(url, name, fields, name === 'newUser' ? CHILD_OPERATOR : by),
    );
    return answersOf(url, token, CHILD_OPERATOR);
  }

  it.each(Object.entries(OTHERS))(
    'is answered by %s as by one server, byte for byte',
    async (_, answered) => {
      const answers = await answered();
      const differing = Object.keys(alone).filter(
        (asked) => answers[asked] !== alone[asked] && !(asked in EXCEPTIONS),
      );
      const only = (from: Record<string, string>) =>
        Object.fromEntries(differing.map((asked) => [asked, from[asked]?.slice(0, 2_000)]));
      expect(only(answers)).toEqual(only(alone));
    },
  );
});
