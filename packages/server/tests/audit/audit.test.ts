import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock, testSecrets } from '@slipstream/adapter-memory/testing';
import { type AuditEntry, DAY, MINUTE } from '@slipstream/domain';
import { type Operation, type OperationName, operations } from '@slipstream/wire';
import { AT } from '../../../wire/src/example-ids.js';
import { type Answer } from '../helpers/call.js';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { vault } from '../helpers/vault-broker.js';
import { foreignRequest, strangersGet } from '../operations/table/foreign.js';
import { rowOf } from '../operations/table/rows.js';
import {
  type Fields,
  STOCK,
  type Scene,
  keptMails,
  newScene,
  withRealIds,
} from '../operations/table/scene.js';
import { recordedStorage } from '../helpers/recorded-storage.js';

const names = Object.keys(operations) as OperationName[];
const tableRow = (name: OperationName): Operation => operations[name];
const byMethod = (method: string) => names.filter((name) => tableRow(name).method === method);

/** POSTs that change nothing that is anybody's: they look ahead, or tell the market's quotes. */
const CHANGES_NOTHING: readonly OperationName[] = [
  'previewBot',
  'previewOrderAllocations',
  'previewOrderWebhook',
  'newQuotes',
  'deleteLike',
  // The event is told already; it is only sent once more.
  'retryDelivery',
];

/** What is no change to be told of: the market's, counts of guesses, what comes with one that is told, and the log itself. */
const UNTOLD =
  /^(quotes|dailyCloses|valueHistory|valueDays|botHistory|track|keptAnswers|brokerAccounts|tallies|audit|endpointEvents|deliveries)\./;

let server: ComposedServer;
const storage = recordedStorage();
let seen = 0;
const entriesSince = async (): Promise<AuditEntry[]> => {
  const entries = await storage.auditAfter(seen);
  seen += entries.length;
  return entries;
};

beforeAll(async () => {
  server = await composedServer({
    clock: fixedClock(Date.parse(AT)),
    // Each test takes a minute, so that all of them are longer than a session.
    environment: { TRADING_HOURS: 'always' },
    through: storage.through,
    adapters: {
      mailer: keptMails,
      oneTimePasswords: testSecrets().oneTimePasswords,
      addBrokers: [vault([])],
    },
  });
  await server.quotes({ [STOCK]: [199.98, 200.02] });
});
afterAll(() => server.close());
/** Denied access is told only so often a minute. */
beforeEach(() => server.clock.advance(MINUTE));

interface Done {
  readonly answer: Answer;
  readonly requestId: string | null;
  readonly actor: string;
  readonly tokenId: string | null;
  readonly entries: readonly AuditEntry[];
}

/** Does what the operation's example shows, and takes what the log tells of it. */
async function done(name: OperationName, key?: string): Promise<Done> {
  const scene = await newScene(server);
  const { prepare, fields } = rowOf(name);
  // One anchor a day: the next day has none yet.
  if (name === 'newAnchor') server.clock.advance(DAY);
  const example = await withRealIds(scene, tableRow(name).example.request);
  await prepare?.(scene);
  const request = { ...example, ...(await fields?.(scene)) };
  const { auth, method, path } = tableRow(name);
  const token =
    auth === 'operator' ? OPERATOR_TOKEN : ((await rowOf(name).token?.(scene)) ?? scene.owner);
  const who = auth === 'operator' ? undefined : await server.ask('verifyToken', {}, token);
  await entriesSince();
  storage.taken();
  const answer =
    key === undefined
      ? await server.attempt(name, request, auth === 'none' ? undefined : token)
      : await server.call(method, path, {
          body: auth === 'body' ? { ...request, api_token: token } : request,
          token: auth === 'none' || auth === 'body' ? undefined : token,
          headers: { 'Idempotency-Key': key },
        });
  return {
    answer,
    requestId: answer.headers.get('x-request-id'),
    actor: auth === 'none' ? 'anonymous' : (who?.user_id ?? 'operator'),
    tokenId: auth === 'none' ? null : (who?.token_id ?? null),
    entries: await entriesSince(),
  };
}

/** One entry for each work that changed something, none for the others. */
function expectOneForEachChange(): void {
  for (const work of storage.taken()) {
    const isChange = work.some((write) => !UNTOLD.test(write));
    expect([work, work.filter((write) => write === 'audit.save').length]).toEqual([
      work,
      isChange ? 1 : 0,
    ]);
  }
}

describe.each(byMethod('POST'))('%s', (name) => {
  it('adds one entry for each of its changes, with the actor', async () => {
    const { answer, requestId, actor, tokenId, entries } = await done(name);
    expect(answer.status).toBe(200);
    expectOneForEachChange();
    const own = entries.filter((entry) => entry.requestId === requestId);
    expect(own.length > 0).toBe(!CHANGES_NOTHING.includes(name));
    for (const entry of own) {
      expect(entry).toMatchObject({ actor, tokenId, action: name, ip: '127.0.0.1' });
      expect(entry).toMatchObject({ outcome: 'ok', code: null });
      expect(entry.objects.length).toBeGreaterThan(0);
    }
    const others = entries.filter((entry) => entry.requestId !== requestId);
    expect(others.filter((entry) => entry.actor !== 'system')).toEqual([]);
  });

  if (name !== 'newSession') {
    it('adds the same under an Idempotency-Key, beside the stored answer', async () => {
      const { answer, requestId, entries } = await done(name, `key of ${name}`);
      expect(answer.status).toBe(200);
      expectOneForEachChange();
      expect(entries.some((entry) => entry.requestId === requestId)).toBe(
        !CHANGES_NOTHING.includes(name),
      );
    });
  }
});

describe.each(byMethod('GET'))('%s', (name) => {
  it('leaves nothing', async () => {
    const { answer, entries } = await done(name);
    expect(answer.status).toBe(200);
    expect(entries).toEqual([]);
  });
});

describe('a denied request', () => {
  const guarded = names.filter((name) => tableRow(name).auth !== 'none');

  it.each(guarded)('as %s with an unknown token adds an entry', async (name) => {
    await entriesSince();
    const answer = await server.attempt(name, {}, 'wrong');
    expect(answer.status).toBe(401);
    expect(await entriesSince()).toMatchObject([
      {
        actor: 'anonymous',
        tokenId: null,
        ip: '127.0.0.1',
        action: name,
        outcome: 'denied',
        code: 'unauthenticated',
        requestId: answer.headers.get('x-request-id'),
      },
    ]);
  });

  it('for its scope adds an entry with the token', async () => {
    const token = await server.user('narrow', 'getBots');
    const { user_id, token_id } = await server.ask('verifyToken', {}, token);
    await entriesSince();
    await server.attempt('newPost', { text: 'x' }, token);
    expect(await entriesSince()).toMatchObject([
      { actor: user_id, tokenId: token_id, action: 'newPost', outcome: 'denied' },
    ]);
  });

  it('with a wrong password adds an entry without it', async () => {
    const scene = await newScene(server);
    const { email } = await scene.signedUp();
    await entriesSince();
    await server.attempt('newSession', { email, password: 'not that one' });
    const entries = await entriesSince();
    expect(entries).toMatchObject([{ action: 'newSession', outcome: 'denied', objects: [] }]);
    expect(JSON.stringify(entries)).not.toContain('not that one');
  });

  /** Notifications are looked up among the caller's own: whose the others are is not known there. */
  const foreign = names.filter(
    (name) =>
      foreignRequest(name) !== undefined &&
      strangersGet(name) === 'refused' &&
      name !== 'readNotifications',
  );

  it.each(foreign)("as %s of somebody else's leaves an entry", async (name) => {
    const scene: Scene = await newScene(server, true);
    const stranger = await server.user(`stranger-to-${name}`);
    const request: Fields = await withRealIds(scene, foreignRequest(name));
    const { user_id: actor } = await server.ask('verifyToken', {}, stranger);
    await entriesSince();
    const answer = await server.attempt(name, request, stranger);
    expect(answer.status).toBe(400);
    const code = answer.headers.get('x-error-code');
    const requestId = answer.headers.get('x-request-id');
    expect((await entriesSince()).filter(({ outcome }) => outcome === 'denied')).toMatchObject([
      { actor, action: name, code, requestId },
    ]);
  });

  it('adds none when the request is wrong, or the object does not exist', async () => {
    const token = await server.user('clumsy');
    await entriesSince();
    const strategy_id = '01920000-0000-7000-8000-000000000001';
    await server.attempt('getPositions', { strategy_id }, token);
    await server.attempt('newPost', {}, token);
    await server.call('GET', '/nowhere');
    expect(await entriesSince()).toEqual([]);
  });
});

it('actions of the service itself have the actor system', async () => {
  const scene = await newScene(server);
  const strategy_id = await scene.real('strategy');
  const order = { strategy_id, stock_id: STOCK, action: 'buy', type: 'limit' };
  await server.ask('newOrder', { ...order, amount: '0.001', price: '150' }, scene.owner);
  await server.ask('startBot', { bot_id: await scene.real('bot') }, scene.owner);
  await entriesSince();
  await server.quotes({ [STOCK]: [149, 149] });
  await server.application.background.runBots();
  await server.application.background.sendMails();
  await server.application.background.tick();
  const entries = await entriesSince();
  expect(new Set(entries.map(({ actor, ip }) => `${actor} ${ip}`))).toEqual(
    new Set(['system null']),
  );
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['settle', 'runBots', 'sendMails']),
  );
});
