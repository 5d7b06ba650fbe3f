import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fixedClock, testSecrets } from '@slipstream/adapter-memory/testing';
import { type Operation, type OperationName, openApi, operations } from '@slipstream/wire';
import fc from 'fast-check';
import { AT } from '../../../wire/src/example-ids.js';
import { type ComposedServer, OPERATOR_TOKEN, composedServer } from '../helpers/composed-server.js';
import { vault } from '../helpers/vault-broker.js';
import {
  type Target,
  hostileRequests,
  nearlyValidRequests,
  validRequests,
} from './fuzzed-requests.js';
import { rowOf } from '../operations/table/rows.js';
import { type Scene, keptMails, newScene, withRealIds } from '../operations/table/scene.js';
import { recordedStorage } from '../helpers/recorded-storage.js';
import { type Received, type Sent, sendAsIs } from '../helpers/sent-request.js';

const SEED = Number(process.env['TEST_SEED'] ?? 20260304);
/** How many times as many cases as usual. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);
/** How long an answer may take, in ms. */
const PATIENCE = 10_000;
const names = Object.keys(operations) as OperationName[];

/** What a refused request may leave behind: the inbox keeps refused alerts (contract 3, "Inbox"). */
const KEPT_OF_REFUSED: Partial<Record<OperationName, readonly string[]>> = {
  newOrderWebhook: ['alerts.add'],
};

/** That it was tried is told and counted. */
const COUNTED = ['audit.save', 'tallies.save', 'tallies.remove'];

describe(`every operation, sent anything (TEST_SEED=${SEED})`, () => {
  let storage: ReturnType<typeof recordedStorage>;
  let server: ComposedServer;
  let tests = SEED;
  // One operation's requests may spend or end what another takes for granted. Every other one meets SQLite.
  beforeEach(async () => {
    storage = recordedStorage();
    const clock = fixedClock(Date.parse(AT));
    server = await composedServer({
      clock,
      storage: (tests += 1) % 2 === 0 ? 'memory' : 'sqlite',
      through: storage.through,
      adapters: {
        mailer: keptMails,
        oneTimePasswords: testSecrets().oneTimePasswords,
        addBrokers: [vault([])],
      },
    });
  });
  afterEach(() => server.close());

  async function targetOf(name: OperationName, scene: Scene): Promise<Target> {
    const operation: Operation = operations[name];
    const { prepare, fields, token } = rowOf(name);
    const request = await withRealIds(scene, operation.example.request);
    await prepare?.(scene);
    return {
      operation,
      request: { ...request, ...(await fields?.(scene)) },
      token:
        operation.auth === 'operator' ? OPERATOR_TOKEN : ((await token?.(scene)) ?? scene.owner),
    };
  }

  it.each(names)(
    '%s answers properly, and what it refuses changes nothing',
    async (name) => {
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
        const written = storage.taken().flat();
        const kept = [...(KEPT_OF_REFUSED[name] ?? []), ...COUNTED];
        expect(written.filter((write) => !kept.includes(write))).toEqual([]);
        expect(await ledger()).toBe(before);
      };
      const check = (requests: fc.Arbitrary<Sent>, numRuns: number): Promise<void> =>
        fc.assert(fc.asyncProperty(requests, holds), {
          seed: SEED + names.indexOf(name),
          numRuns: numRuns * MORE,
        });
      await check(hostileRequests(target), 1);
      await check(nearlyValidRequests(target), 3);
      await check(validRequests(target), 1);
    },
    60_000 * MORE,
  );

  it('answers unknown paths with 404', async () => {
    const paths = fc.oneof(
      fc.webPath().map((path) => `/x${path}`),
      // oxfmt-ignore
      fc.constantFrom('//', '/%', '/%00', '/__proto__', '/toString', '/getStocks/', '//getStocks', '/GETSTOCKS', '/getStocks%20', '/docs/../getBots', '/metrics/..', '/newOrder;a=1'),
    );
    const methods = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS');
    await fc.assert(
      fc.asyncProperty(paths, methods, async (path, method) => {
        const received = await sendAsIs(server.url, { method, path, headers: {} }, PATIENCE);
        expectEnvelope(received);
        expect(received.status).toBe(404);
      }),
      { seed: SEED, numRuns: 50 * MORE },
    );
  });
});

/** What the answer to anything may be, and that it tells nothing which is nobody's business. */
function expectProper(received: Received, sent: Sent, { operation, token }: Target): void {
  const { status, text } = received;
  for (const secret of [OPERATOR_TOKEN, token, 'correct horse battery'])
    if (secret !== undefined) expect(text).not.toContain(secret);
  if (sent.method === 'OPTIONS' && status === 204) return;
  expect([200, 400, 401, 404, 405, 413, 429]).toContain(status);
  if (sent.method === 'HEAD') return;
  expectDocumented(received, sent, operation);
  const type = received.headers['content-type'];
  if (status === 200 && type !== 'application/json') return expectFile(type, operation);
  const response = expectEnvelope(received);
  if (status === 200) expect(operation.response.safeParse(response).error).toBeUndefined();
}

/** A table or a page, which has no envelope. */
function expectFile(type: string | undefined, { csv, file }: Operation): void {
  expect([csv && 'text/csv; charset=utf-8', file].filter(Boolean)).toContain(type);
}

interface DocumentedResponse {
  readonly headers?: { readonly 'X-Error-Code'?: { readonly schema: { readonly enum: string[] } } };
}
const document = openApi({ version: '1.0' }) as {
  readonly paths: Record<
    string,
    Record<string, { readonly responses: Record<string, { readonly $ref?: string }> }>
  >;
  readonly components: { readonly responses: Record<string, DocumentedResponse> };
};

/** What was sent to the operation's own path is answered as its document says, with a code that stands there. */
function expectDocumented(received: Received, sent: Sent, { path, method }: Operation): void {
  if (sent.method !== method || sent.path.split('?')[0] !== path) return;
  const { status, headers } = received;
  const documented = document.paths[path]?.[method.toLowerCase()]?.responses[status];
  expect({ status, isDocumented: documented !== undefined }).toEqual({
    status,
    isDocumented: true,
  });
  if (status === 200) return;
  const failure = document.components.responses[documented?.$ref?.split('/').at(-1) ?? ''];
  expect(failure?.headers?.['X-Error-Code']?.schema.enum).toContain(headers['x-error-code']);
}

/** Contract 1, "Envelope" and "Failures": the answer's `response`. */
function expectEnvelope({ status, headers, text }: Received): unknown {
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['content-type']).toBe('application/json');
  expect(text).not.toMatch(/\.[jt]s:\d+|node_modules|\[object |is not a function|Cannot read/);
  const answer = JSON.parse(text) as { success: boolean; response: unknown };
  expect(Object.keys(answer)).toEqual(['success', 'response']);
  expect(answer.success).toBe(status === 200);
  if (status === 200) return answer.response;
  expect(headers['x-error-code']).toMatch(/^[a-z_]+$/);
  expect(answer.response).toMatch(
    status === 401 ? /^Authentication failed\.$/ : /^Request failed\. .*\S[.!?]$/s,
  );
  return answer.response;
}
