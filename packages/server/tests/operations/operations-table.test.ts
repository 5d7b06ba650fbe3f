import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@slipstream/client';
import { type Operation, type OperationName, operations } from '@slipstream/wire';
import { fixedClock, testSecrets } from '@slipstream/adapter-memory/testing';
import { AT } from '../../../wire/src/example-ids.js';
import { type Answer } from '../helpers/call.js';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { vault } from '../helpers/vault-broker.js';
import { boundsOf, placed } from './table/bounds.js';
import { foreignRequest, strangersGet } from './table/foreign.js';
import { prepared, tokenFor } from './table/prepared.js';
import { ROWS, rowOf } from './table/rows.js';
import { type Fields, STOCK, keptMails, newScene, withRealIds } from './table/scene.js';

const names = Object.keys(operations) as OperationName[];
const tableRow = (name: OperationName): Operation => operations[name];

/** All that a refresh token may (contract 5, "Tokens"). */
const REFRESH: readonly string[] = [
  'newToken',
  'getTokens',
  'deleteToken',
  'verifyToken',
  'updatePassword',
];

interface Documented {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: object; readonly example: object }>;
  };
  readonly parameters?: readonly {
    readonly name: string;
    readonly schema: object;
    readonly example?: unknown;
  }[];
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { readonly example?: object }> }
  >;
}

describe('the table of operations, against the running server', () => {
  let server: ComposedServer;
  let stranger: string;
  let documented: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  beforeAll(async () => {
    server = await composedServer({
      clock: fixedClock(Date.parse(AT)),
      adapters: {
        mailer: keptMails,
        oneTimePasswords: testSecrets().oneTimePasswords,
        addBrokers: [vault([])],
      },
    });
    await server.quotes({ [STOCK]: [199.98, 200.02] });
    stranger = await server.user('stranger');
    documented = ((await server.call('GET', '/openapi.json')).body as { paths: typeof documented })
      .paths;
  });
  afterAll(() => server.close());

  const documentOf = ({ path, method }: Operation): Documented | undefined =>
    documented[path]?.[method.toLowerCase()];

  it('has no row for a missing operation', () => {
    expect(Object.keys(ROWS).filter((name) => !names.includes(name as OperationName))).toEqual([]);
  });

  it.each([
    ['getOrders', 'cursor: 50 characters'],
    ['getOrders', 'limit: to 100'],
    ['getStrategies', 'strategy_id: 100 items'],
    ['getStrategies', 'strategy_id: items of 50 characters'],
    ['newOrderAllocations', 'allocations.0.percent: from -2'],
    ['newOrder', 'total: greater than 0'],
    ['newUser', 'password: 8 characters'],
    ['updateStrategy', 'price: to 1000000'],
  ] as const)('finds in the document of %s the bound %s', (name, bound) => {
    const operation = tableRow(name);
    const bounds = boundsOf(schemaOf(operation, documentOf(operation)), operation.example.request);
    expect(bounds.map(({ path, rule }) => `${path.join('.')}: ${rule}`)).toContain(bound);
  });

  describe.each(names)('%s', (name) => {
    const operation = tableRow(name);
    const { method, path } = operation;

    it('is served and documented, with an example of its answer', async () => {
      expect(
        (await server.call(method, path, method === 'POST' ? { body: {} } : {})).status,
      ).not.toBe(404);
      const document = documentOf(operation);
      expect(document?.operationId).toBe(name);
      const { content } = document?.responses['200'] ?? {};
      if (operation.file !== undefined)
        expect(content?.['text/html']?.example).toBe(operation.example.response);
      else expect(content?.['application/json']?.example).toHaveProperty('response');
    });

    it('answers its example', async () => {
      const scene = await newScene(server);
      const request = await prepared(name, scene);
      const client = createClient({ url: server.url, token: await tokenFor(name, scene) });
      const send = client[name] as (request: Fields) => Promise<unknown>;
      expect(operation.response.safeParse(await send(request)).error).toBeUndefined();
    });

    it.each(tokensOf(operation))('answers %s with %s', async (_, expected, token) => {
      const answer = await server.attempt(name, operation.example.request as Fields, await token());
      if (expected === 'anything but 401') expect(answer.status).not.toBe(401);
      else
        expect([answer.status, answer.text]).toEqual([
          401,
          '{"success":false,"response":"Authentication failed."}',
        ]);
    });

    const foreign = foreignRequest(name);
    if (foreign !== undefined) {
      it("hides its owner's data from others", async () => {
        const scene = await newScene(server, true);
        const answer = await server.attempt(name, await withRealIds(scene, foreign), stranger);
        if (strangersGet(name) === 'left out')
          expect(answer.text).toBe('{"success":true,"response":[]}');
        else
          expect([answer.status, answer.headers.get('x-error-code')]).toEqual([
            400,
            expect.stringMatching(/^(not_found|not_owner)$/),
          ]);
      });
    }

    it('accepts the limit of each bound, and refuses values beyond', async () => {
      const scene = await newScene(server);
      const request = await prepared(name, scene);
      const token = await tokenFor(name, scene);
      for (const { path: field, rule, within, beyond } of boundsOf(
        schemaOf(operation, documentOf(operation)),
        request,
      )) {
        const about = `${field.join('.')}: ${rule}`;
        const send = (value: unknown): Promise<Answer> =>
          server.attempt(name, placed(request, field, value) as Fields, token);
        expect([about, boundReason(await send(within))]).toEqual([about, null]);
        const { status, text, headers } = await send(beyond);
        expect([about, status, headers.get('x-error-code')]).toEqual([about, 400, 'invalid_field']);
        expect(text).toContain(String(field[0]));
      }
    });
  });

  /** The senders whom an operation must tell apart. */
  function tokensOf({
    auth,
    scope,
    name,
  }: Operation): [string, '401' | 'anything but 401', () => Promise<string | undefined>][] {
    const other = scope === 'getTokens' ? 'getBots' : 'getTokens';
    const nobody = async (): Promise<undefined> => undefined;
    const unknown = async (): Promise<string> => 'unknown';
    const ofRefresh = async (): Promise<string> => {
      const { token } = await (await newScene(server)).signedUp();
      return token;
    };
    const ofOtherScope = (): Promise<string> => server.user(`other-${name}`, other);
    const row = rowOf(name as OperationName);
    const isOpen = auth === 'none' || (auth === 'optional' && !row.exampleNeedsToken);
    const mayRefresh = auth === 'none' || REFRESH.includes(name);
    return [
      ['no token', isOpen ? 'anything but 401' : '401', nobody],
      ['an unknown token', auth === 'none' ? 'anything but 401' : '401', unknown],
      ['a refresh token', mayRefresh ? 'anything but 401' : '401', ofRefresh],
      ...(scope === null && auth !== 'operator'
        ? []
        : [
            ['a token of another scope', '401', ofOtherScope] as [
              string,
              '401',
              () => Promise<string>,
            ],
          ]),
    ];
  }
});

/** The JSON Schema of an operation's request, as it is documented. */
function schemaOf({ method }: Operation, document: Documented | undefined): object {
  if (method === 'POST') return document?.requestBody?.content['application/json']?.schema ?? {};
  const parameters = document?.parameters ?? [];
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, schema }) => [name.replace('[]', ''), schema]),
    ),
  };
}

/** Why a value was refused for its size, if it was. */
const boundReason = ({ text }: Answer): string | null =>
  /must (have|be (between|at most|greater than|an integer|a multiple))[^"]*/.exec(text)?.[0] ??
  null;
