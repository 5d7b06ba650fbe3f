import { describe, it, expect } from '@jest/globals';
import { z } from 'zod';
import { operations } from './index.js';
import type { Operation } from './operation.js';
import { openApi, exampleRequest } from '../documents/openapi.js';
import { asyncApi } from '../documents/asyncapi.js';
import { CHANNELS, parseChannel, eventFrame, clientFrame } from '../streams.js';

const rows = Object.entries(operations).map(([name, row]): [string, Operation] => [name, row]);

describe('the table of operations', () => {
  it.each(rows)('%s is named by its path, and a token can have its scope', (name, row) => {
    expect(row.name).toBe(name);
    expect(row.path).toBe(`/${name}`);
    if (row.scope === null) return;
    expect(operations).toHaveProperty(row.scope);
    const { scope } = operations.newToken.request.shape;
    expect(scope.safeParse([row.scope]).success).toBe(true);
  });

  it.each(rows)(
    '%s has an example that its schemas accept',
    (_, { request, response, example }) => {
      expect(request.safeParse(example.request).error).toBeUndefined();
      expect(response.safeParse(example.response).error).toBeUndefined();
    },
  );
});

describe('the fields of requests', () => {
  /** What their names say. */
  const PLAIN = /_id$|^(email|city|country|line_one|line_two|district|postal)$/;
  const isSaid = (field: unknown): boolean => {
    const { description } = z.toJSONSchema(field as z.ZodType, {
      io: 'input',
      unrepresentable: 'any',
    });
    return description !== undefined;
  };

  it('say what they are, unless their names do', () => {
    const silent = rows.flatMap(([name, { request }]) =>
      Object.entries(request instanceof z.ZodObject ? request.shape : {})
        .filter(([field, schema]) => !PLAIN.test(field) && !isSaid(schema))
        .map(([field]) => `${field} of ${name}`),
    );
    expect(silent).toEqual([]);
  });
});

describe('the cost of a request', () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => `item-${index}`);
  const listsOf = ({ request }: Operation): string[] =>
    Object.entries(request instanceof z.ZodObject ? request.shape : {}).flatMap(([name, field]) =>
      (
        z.toJSONSchema(field as z.ZodType, { io: 'input', unrepresentable: 'any' }) as {
          type?: string;
        }
      ).type === 'array'
        ? [name]
        : [],
    );

  it.each(rows)('of %s is a whole number of calls, and grows with every list in it', (_, row) => {
    const plain = row.cost(row.example.request);
    expect(Number.isInteger(plain) && plain >= 1).toBe(true);
    for (const list of listsOf(row))
      expect(row.cost({ [list]: items(100) })).toBeGreaterThanOrEqual(10);
  });

  it('counts a request without ids as one', () => {
    expect(operations.getTokens.cost({})).toBe(1);
    expect(
      operations.previewOrderAllocations.cost({ strategy_id: 's', allocations: items(100) }),
    ).toBe(11);
    expect(operations.getUserExport.cost({})).toBe(100);
  });

  it('counts every target of newOrderAllocations as the order that newOrder would place', () => {
    const cost = (count: number) =>
      operations.newOrderAllocations.cost({ strategy_id: 's', allocations: items(count) });
    expect([0, 1, 2, 100].map(cost)).toEqual([1, 1, 2, 100]);
  });
});

describe('the OpenAPI document', () => {
  const document = JSON.parse(
    JSON.stringify(openApi({ version: '1.0', baseUrl: 'https://x.test' })),
  ) as {
    openapi: string;
    paths: Record<
      string,
      Record<
        string,
        {
          parameters?: { name?: string; $ref?: string }[];
          operationId: string;
          responses: Record<string, { headers?: Record<string, unknown>; $ref?: string }>;
        }
      >
    >;
    components: Record<string, Record<string, { headers?: Record<string, unknown> }>>;
  };

  it('has every operation', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(rows.map(([, { path }]) => path));
    for (const [name, { path, method }] of rows) {
      expect(document.paths[path]?.[method.toLowerCase()]?.operationId).toBe(name);
    }
  });

  it('names arrays in queries as they are sent', () => {
    const names = document.paths['/getStrategies']?.['get']?.parameters?.map(({ name }) => name);
    expect(names).toEqual(['strategy_id[]', 'timeframe']);
  });

  it('refers only to its own components', () => {
    const references = JSON.stringify(document).match(/#\/components\/\w+\/[\w-]+/g) ?? [];
    const known = Object.entries(document.components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    for (const reference of references) expect(known).toContain(reference);
    expect(JSON.stringify(document)).not.toContain('$defs');
  });

  it('says which operations take an Idempotency-Key: every POST but newSession and newAnchor', () => {
    const key = { $ref: '#/components/parameters/IdempotencyKey' };
    for (const [name, { path, method }] of rows) {
      const { parameters = [] } = document.paths[path]?.[method.toLowerCase()] ?? {};
      const takesKey = parameters.some(({ $ref }) => $ref === key.$ref);
      expect({ name, takesKey }).toEqual({
        name,
        takesKey: method === 'POST' && name !== 'newSession' && name !== 'newAnchor',
      });
    }
  });

  it('has the request id on every answer, and the code of a failure', () => {
    for (const [, { path, method }] of rows) {
      const { responses = {} } = document.paths[path]?.[method.toLowerCase()] ?? {};
      expect(Object.keys(responses['200']?.headers ?? {})).toEqual(['X-Request-Id']);
    }
    for (const { headers = {} } of Object.values(document.components['responses'] ?? {})) {
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['X-Request-Id', 'X-Error-Code']),
      );
    }
  });

  it('requires the token of an alert', () => {
    expect(JSON.stringify(document.paths['/newOrderWebhook'])).toContain('"api_token"');
    expect(exampleRequest(operations.newOrderWebhook)).toHaveProperty('api_token');
  });
});

describe('the live streams', () => {
  it('has every channel in the AsyncAPI document', () => {
    const document = asyncApi({ version: '1.0' });
    expect(document['asyncapi']).toBe('3.0.0');
    for (const kind of Object.keys(CHANNELS)) {
      expect(JSON.stringify(document['channels'])).toContain(kind);
    }
  });

  it.each([
    ['wsOrders:abc', { kind: 'wsOrders', id: 'abc' }],
    ['wsBot:a:b', { kind: 'wsBot', id: 'a:b' }],
    ['wsOrders:', undefined],
    ['wsOrders', undefined],
    ['wsNotifications:u', { kind: 'wsNotifications', id: 'u' }],
    ['wsNothing:u', undefined],
    ['toString:u', undefined],
  ])('%s', (name, channel) => {
    expect(parseChannel(name)).toEqual(channel && { name, ...channel });
  });

  it('describes the frames', () => {
    const value = {
      strategy_id: 's',
      strategy_value: '1',
      closing_only: false,
      ended_at: null,
    };
    const event = {
      channel: 'wsStrategyValue:s',
      event: 'snapshot',
      version: 0,
      at: '',
      data: value,
    };
    expect(eventFrame('wsStrategyValue').safeParse(event).success).toBe(true);
    expect(clientFrame.safeParse({ action: 'ping' }).success).toBe(true);
    expect(clientFrame.safeParse({ action: 'shout' }).success).toBe(false);
  });
});
