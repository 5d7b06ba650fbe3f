import { setImmediate } from 'node:timers/promises';
import { testSecrets } from '@slipstream/adapter-memory/testing';
import { ONLY_BY_NAME } from '@slipstream/domain';
import type { Mail } from '@slipstream/ports';
import { type VenueRequest, listen } from '@slipstream/stand-ins';
import { type OperationName, type ResponseOf, operations } from '@slipstream/wire';
import { type Answer } from '../helpers/call.js';
import {
  type ComposedOptions,
  type ComposedServer,
  OPERATOR_TOKEN,
  queryOf,
} from '../helpers/composed-server.js';
import { vault } from '../helpers/vault-broker.js';
import type { StreamClient } from '../helpers/stream-client.js';
import type { Fields, Placeholder } from '../operations/table/scene.js';
import { countedIds } from '../transcripts/counted-ids.js';
import type { Known, PlayedWorld } from '../transcripts/played-world.js';

/** The prices of a moment: `100`, or `[bid, ask]`. */
export type Prices = Readonly<Record<string, number | readonly [number, number]>>;

export const NOW: Prices = { 'AAPL:NASDAQ': 200, 'MSFT:NASDAQ': 400, 'IBM:NYSE': 100 };

/** A story while it is played. */
export interface Play extends PlayedWorld {
  readonly known: Known[];
  readonly tokens: Map<string, string | undefined>;
  readonly streams: Map<string, StreamClient>;
  /** Where endpoints are. What is below `/busy` answers 503, below `/later` asks for an hour, below `/gone` ends. */
  readonly receiver: string;
  /** What stocks cost where a step says nothing else. */
  prices: Prices;
  /** The secret of a second factor. */
  totpSecret: string;
  /** What each command was answered, by what was asked. */
  readonly answers: Map<string, Answer>;
  knows(kind: Placeholder, label: string, id: unknown): string;
  idOf(kind: Placeholder, label: string): string;
  /** A command of somebody, whatever is answered. */
  attempt(
    who: string,
    name: OperationName,
    fields?: Fields,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** A command that must succeed. */
  does<Name extends OperationName>(
    who: string,
    name: Name,
    fields?: Fields,
  ): Promise<ResponseOf<Name>>;
  /** Time goes by, quotes come, and what is due is done. */
  passes(milliseconds: number, prices?: Prices): Promise<void>;
  close(): Promise<void>;
}

/** One part of a story. */
export type Step = (play: Play) => Promise<void>;

export type OpenServer = (
  options: Omit<ComposedOptions, 'storage' | 'folder'>,
) => Promise<ComposedServer>;

const SOME_TURNS = 50;

/** Until what commits cause beside their answers is stored, as that a bot is due: each write comes after those before it. */
async function settled(play: Play): Promise<void> {
  for (const notifications of [['subscription'], ['like'], ['subscription']]) {
    for (let turn = 0; turn < SOME_TURNS; turn += 1) await setImmediate();
    await play.server.ask('updateUserNotifications', { notifications }, play.tokens.get('idle'));
  }
}

/** The host's tasks, until nothing is due at this moment. */
async function rest(play: Play): Promise<void> {
  const { background } = play.server.application;
  for (let round = 0; round < 2; round += 1) {
    await settled(play);
    await background.tick();
    await background.runBilling();
    await background.runBots();
    await background.sendEvents();
    await background.sendMails();
  }
  await background.makeAnchors();
  await background.rankStrategies();
}

const ANSWERS: Readonly<Record<string, { status: number; headers?: Record<string, string> }>> = {
  busy: { status: 503 },
  later: { status: 429, headers: { 'retry-after': '3600' } },
  gone: { status: 410 },
};

/** Opens the world of a story. */
export async function newPlay(open: OpenServer): Promise<Play> {
  const { ids } = countedIds();
  const { passwords, oneTimePasswords } = testSecrets();
  const mails: Mail[] = [];
  const sent: VenueRequest[] = [];
  const receiver = await listen(async (request) => {
    sent.push(request);
    return { status: 200, body: '', ...ANSWERS[request.path.split('/')[1] ?? ''] };
  });
  const server = await open({
    adapters: {
      mailer: { send: async (mail) => void mails.push(mail) },
      ids,
      passwords,
      oneTimePasswords,
      addBrokers: [vault([])],
    },
    environment: {
      SECRET_KEY: 'the master key of the tests and their servers',
      WEBHOOK_ALLOW: 'loopback',
      PUBLIC_URL: 'http://127.0.0.1:3000',
      CAPS: 'alerts=5',
      RATE_LIMITS: 'reads=1000000,writes=1000000,alerts=1000000,failures=5',
    },
  });
  const known: Known[] = [];
  const tokens = new Map<string, string | undefined>([['operator', OPERATOR_TOKEN]]);
  const answers = new Map<string, Answer>();
  const play: Play = {
    endedAt: 0,
    ...{ server, known, tokens, answers, mails, sent },
    streams: new Map(),
    receiver: receiver.url,
    prices: NOW,
    totpSecret: '',
    knows(kind, label, id) {
      known.push({ kind, label, id: String(id) });
      return String(id);
    },
    idOf: (kind, label) =>
      known.find((one) => one.kind === kind && one.label === label)?.id ?? `no ${kind} ${label}`,
    async attempt(who, name, fields = {}, headers = {}) {
      const { method, path, auth } = operations[name];
      const token = tokens.get(who);
      const inBody = auth === 'body' ? { ...fields, api_token: token } : fields;
      const answer = await (method === 'GET'
        ? server.call(method, path, { query: queryOf(fields), token, headers })
        : server.call(method, path, {
            body: inBody,
            headers,
            ...(auth !== 'body' && { token }),
          }));
      answers.set(`${answers.size} ${name} of ${who}`, answer);
      return answer;
    },
    async does(who, name, fields) {
      const { status, text, body } = await play.attempt(who, name, fields);
      if (status !== 200) throw new Error(`${name} of ${who} answered ${status}: ${text}`);
      return body?.response as never;
    },
    async passes(milliseconds, prices) {
      await settled(play);
      server.clock.advance(milliseconds);
      if (prices) await server.quotes(prices);
      await rest(play);
    },
    async close() {
      await server.close();
      await receiver.close();
    },
  };
  tokens.set('idle', await server.user('idle'));
  return play;
}

/** A user of that name, with a token of every scope. */
export async function comes(play: Play, name: string): Promise<string> {
  const token = await play.server.user(name);
  play.tokens.set(name, token);
  const { user_id } = await play.does(name, 'verifyToken');
  return play.knows('user', name, user_id);
}

/** The same, with a password. */
export async function signsUp(play: Play, name: string): Promise<void> {
  const account = { email: `${name}@example.com`, password: PASSWORD };
  await play.does('nobody', 'newUser', account);
  play.tokens.set(`session of ${name}`, (await play.does('nobody', 'newSession', account)).token);
  const all = { name: 'all', scope: ['*', ...ONLY_BY_NAME] };
  play.tokens.set(name, (await play.does(`session of ${name}`, 'newToken', all)).token);
  play.knows('user', name, (await play.does(name, 'verifyToken')).user_id);
}

export const PASSWORD = 'correct horse battery';
