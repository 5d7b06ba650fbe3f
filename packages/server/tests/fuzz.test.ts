import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock } from '@slipstream/adapter-memory';
import { type Operation, type OperationName, operations } from '@slipstream/wire';
import fc from 'fast-check';
import { AT } from '../../wire/src/examples/ids.js';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from './composed-server.js';
import {
  type Target,
  hostileRequests,
  nearlyValidRequests,
  validRequests,
} from './fuzzed-requests.js';
import { rowOf } from './operations-table/rows.js';
import { type Fields, type Scene, newScene, withRealIds } from './operations-table/scene.js';
import { recordedStorage } from './recorded-storage.js';
import { type Received, type Sent, sendAsIs } from './sent-request.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20260304);
/** How many times as many cases as usual. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
/** How long an answer may take, in ms. */
const PATIENCE = 2000;
const names = Object.keys(operations) as OperationName[];
const ANSWERS = [200, 400, 401, 404, 405, 413, 429];

/** What a refused request may leave behind: the inbox keeps refused alerts (contract 3, "Inbox"). */
const KEPT_OF_REFUSED: Partial<Record<OperationName, readonly string[]>> = {
  newOrderWebhook: ['alerts.save'],
};

describe(`every operation, sent anything (TEST_SEED=${SEED})`, () => {
  let storage: ReturnType<typeof recordedStorage>;
  let server: ComposedServer;
  // One operation's requests may spend or end what another takes for granted.
  beforeEach(async () => {
    storage = recordedStorage();
    const clock = fixedClock(Date.parse(AT));
    server = await composedServer({ clock, replacing: [storage.replacing] });
  });
  afterEach(() => server.close());

  async function targetOf(name: OperationName, scene: Scene): Promise<Target> {
    const operation: Operation = operations[name];
    const { prepare, fields, token } = rowOf(name);
    const request = await withRealIds(scene, operation.example.request);
    await prepare?.(scene);
    return {
      operation,
      request: { ...request, ...((await fields?.(scene)) as Fields | undefined) },
      token: operation.auth === 'operator' ? OPERATOR_TOKEN : ((await token?.(scene)) ?? scene.owner),
    };
  }

  it.each(names)('%s answers properly, and what it refuses changes nothing', async (name) => {
    const scene = await newScene(server);
    const target = await targetOf(name, scene);
    const ledger = async (): Promise<string> =>
      storage.ledger([await scene.real('strategy')], [await scene.real('user')]);
    await ledger();

    const holds = async (sent: Sent): Promise<void> => {
      storage.taken();
      const before = await ledger();
      const received = await sendAsIs(server.url, sent, PATIENCE);
      expectProper(received, sent, target);
      if (received.status === 200 || received.status === 204) return;
      const written = storage.taken();
      expect(written.filter((write) => !KEPT_OF_REFUSED[name]?.includes(write))).toEqual([]);
      expect(await ledger()).toBe(before);
    };
    const check = (requests: fc.Arbitrary<Sent>, numRuns: number): Promise<void> =>
      fc.assert(fc.asyncProperty(requests, holds), { seed: SEED + names.indexOf(name), numRuns: numRuns * MORE });
    await check(hostileRequests(target), 12);
    await check(nearlyValidRequests(target), 25);
    await check(validRequests(target), 8);
  }, 30_000 * MORE);
});

/** Contract 1: the envelope, the headers, and nothing told that is nobody's business. */
function expectProper({ status, headers, text }: Received, sent: Sent, target: Target): void {
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  if (sent.method === 'OPTIONS' && status === 204) return;
  expect(ANSWERS).toContain(status);
  expect(headers['content-type']).toBe('application/json');
  expect(text).not.toMatch(/\.[jt]s:\d+|node_modules|\[object |is not a function|Cannot read/);
  for (const secret of [OPERATOR_TOKEN, target.token, 'correct horse battery'])
    if (secret !== undefined) expect(text).not.toContain(secret);
  if (sent.method === 'HEAD') return;
  const answer = JSON.parse(text) as { success: boolean; response: unknown };
  expect(Object.keys(answer)).toEqual(['success', 'response']);
  expect(answer.success).toBe(status === 200);
  if (status === 200) {
    expect(target.operation.response.safeParse(answer.response).error).toBeUndefined();
    return;
  }
  expect(headers['x-error-code']).toMatch(/^[a-z_]+$/);
  expect(answer.response).toMatch(
    status === 401 ? /^Authentication failed\.$/ : /^Request failed\. .*\S[.!?]$/s,
  );
}
