import type { Operation } from '@slipstream/wire';
import fc from 'fast-check';
import { z } from 'zod';
import { queryOf } from '../helpers/composed-server.js';
import { type Bound, boundsOf, placed } from '../operations/table/bounds.js';
import { ODD, QUERIES, RAW, long, nested } from './odd-values.js';
import type { Sent } from '../helpers/sent-request.js';

type Fields = Readonly<Record<string, unknown>>;
interface Schema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** An operation, and a request to it that a server takes. */
export interface Target {
  readonly operation: Operation;
  readonly request: Fields;
  readonly token: string | undefined;
}

const schemaOf = ({ operation }: Target): Schema =>
  z.toJSONSchema(operation.request, { io: 'input' }) as Schema;

const DECIMALS = ['0', '0.01', '0.05', '0.5', '1', '1.99', '2', '1000', '-0.5', '-2'];
const TIMES = ['2020-01-01T00:00:00Z', '2026-03-04T15:00:00.000Z', '2026-03-04T10:00:00-05:00'];

/** What the schema takes: what the example has there, or something else that fits. */
function fitting(schema: Schema, example: unknown): fc.Arbitrary<unknown> {
  const either = schema.oneOf ?? schema.anyOf;
  if (either) return fc.oneof(...either.map((one) => fitting(one, example)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { type, minimum = -1000, maximum = 1000 } = schema;
  if (Array.isArray(type)) {
    const decimals = fc.constantFrom(...DECIMALS, ...DECIMALS.map(Number));
    return example === undefined ? decimals : fc.oneof(fc.constant(example), decimals);
  }
  if (type === 'object') return fittingFields(schema, example);
  if (type === 'array') {
    const [first] = Array.isArray(example) ? (example as unknown[]) : [];
    const items = fc.array(fitting(schema.items ?? {}, first), { maxLength: 3 });
    return example === undefined ? items : fc.oneof(fc.constant(example), items);
  }
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum, max: Math.min(maximum, 1_000_000) });
  if (type === 'null') return fc.constant(null);
  const known = fc.constant(example ?? 'nope');
  if (schema.format === 'date-time') return fc.oneof(known, fc.constantFrom(...TIMES));
  const { minLength = 0, maxLength = 100 } = schema;
  // Short texts name things: what exists is worth more than noise.
  if (maxLength <= 50) return known;
  const text = fc.string({ minLength, maxLength: Math.min(maxLength, 80), unit: 'grapheme' });
  return fc.oneof(known, text);
}

const fittingFields = (
  { properties = {}, required = [] }: Schema,
  example: unknown,
): fc.Arbitrary<Fields> => {
  const given = (example ?? {}) as Fields;
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    fitting(schema, given[name]),
  ]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...required],
  });
};

const MARK = '@@raw@@';

const stepsOf = (value: unknown, before: Bound['path'] = []): Bound['path'][] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => {
        const path = [...before, Array.isArray(value) ? Number(key) : key];
        return [path, ...stepsOf(inner, path)];
      });

/** One field is not as it should be. `raw` stands in the place of the mark once the fields are text. */
interface Mutated {
  readonly fields: Fields;
  readonly raw?: string;
  readonly twice?: string;
}

function mutated(target: Target): fc.Arbitrary<Mutated> {
  const { request } = target;
  const schema = schemaOf(target);
  const steps = new Map<string, Bound['path']>();
  const known = Object.keys(schema.properties ?? {}).map((name) => [name]);
  for (const step of [...stepsOf(request), ...known]) steps.set(step.join('.'), step);
  const path = fc.constantFrom(...(steps.size > 0 ? steps.values() : [['unknown']]));
  const odd = fc.constantFrom(...ODD);
  const at = (step: Bound['path'], value: unknown): Mutated => ({
    fields: placed(request, step, value) as Fields,
  });
  const bounds = boundsOf(schema as Parameters<typeof boundsOf>[0], request);
  return fc.oneof(
    { weight: 8, arbitrary: fc.tuple(path, odd).map(([step, value]) => at(step, value)) },
    { weight: 2, arbitrary: path.map((step) => at(step, undefined)) },
    {
      weight: 4,
      arbitrary: fc
        .tuple(path, fc.constantFrom(...RAW))
        .map(([step, raw]) => ({ ...at(step, MARK), raw })),
    },
    { weight: 3, arbitrary: fc.tuple(path, fc.jsonValue()).map(([step, v]) => at(step, v)) },
    { weight: 2, arbitrary: fc.tuple(path, fc.string()).map(([step, v]) => at(step, v)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.oneof(fc.constantFrom('unknown', '', 'then', long(5000)), fc.string()), odd)
        .map(([name, value]) => ({ fields: { ...request, [name]: value } })),
    },
    { weight: 1, arbitrary: path.map(([name]) => ({ fields: request, twice: String(name) })) },
    ...(bounds.length === 0
      ? []
      : [
          {
            weight: 4,
            arbitrary: fc
              .tuple(fc.constantFrom(...bounds), fc.boolean())
              .map(([bound, inside]) => at(bound.path, inside ? bound.within : bound.beyond)),
          },
        ]),
  );
}

/** A query that can be percent-encoded: lone surrogates are written as `?`, what is no text or list as JSON. */
function queryText(fields: Fields): string {
  const text = JSON.stringify(fields).replaceAll(/\\ud[89a-f][0-9a-f]{2}/gi, '?');
  const flat = (value: unknown): unknown =>
    typeof value === 'string' ? value : JSON.stringify(value);
  const entries = Object.entries(JSON.parse(text) as Fields);
  return queryOf(
    Object.fromEntries(
      entries.map(([name, value]) => [name, Array.isArray(value) ? value.map(flat) : flat(value)]),
    ),
  );
}

/** The request as it goes over the wire. */
function sentTo(target: Target, { fields, raw, twice }: Mutated): Sent {
  const { operation, token } = target;
  const { method, path, auth } = operation;
  const authorization: Sent['headers'] =
    token !== undefined && auth !== 'body' ? { authorization: `Bearer ${token}` } : {};
  if (method === 'GET') {
    const query = queryText(fields).replaceAll(
      encodeURIComponent(MARK),
      encodeURIComponent(raw ?? ''),
    );
    const again = twice === undefined ? '' : `&${encodeURIComponent(twice)}=1`;
    return { method, path, query: query + again, headers: authorization };
  }
  const given = auth === 'body' ? { api_token: token, ...fields } : fields;
  let body = JSON.stringify(given);
  if (raw !== undefined) body = body.replace(JSON.stringify(MARK), () => raw);
  if (twice !== undefined) body = body.replace('{', () => `{${JSON.stringify(twice)}:null,`);
  return { method, path, headers: { 'content-type': 'application/json', ...authorization }, body };
}

/** Requests that the schema takes, or nearly: their rules may still refuse them. */
export const validRequests = (target: Target): fc.Arbitrary<Sent> => {
  const { oneOf } = schemaOf(target);
  const fields = oneOf
    ? fitting({ oneOf }, target.request)
    : fittingFields(schemaOf(target), target.request);
  return fields.map((given) => sentTo(target, { fields: given as Fields }));
};

/** Requests with one thing wrong. */
export const nearlyValidRequests = (target: Target): fc.Arbitrary<Sent> =>
  mutated(target).map((one) => sentTo(target, one));

/** Bodies that are no JSON object, or no text; queries that are none. */
function hostileBodies(target: Target): fc.Arbitrary<Sent> {
  const sent = sentTo(target, { fields: target.request });
  if (target.operation.method === 'GET') {
    const queries = fc.oneof(
      fc.constantFrom(...QUERIES),
      fc.webQueryParameters(),
      fc.string().map(encodeURI),
    );
    return queries.map((query) => ({ ...sent, query }));
  }
  const text = Buffer.from(String(sent.body ?? '{}'));
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.nat(text.length).map((length) => text.subarray(0, length)),
    fc.tuple(fc.nat(text.length - 1), fc.integer({ min: 0, max: 255 })).map(([at, byte]) => {
      const broken = Uint8Array.from(text);
      broken[at] = byte;
      return broken;
    }),
    fc.json(),
    fc.constantFrom(
      '[]',
      '"x"',
      '1',
      'null',
      '',
      ' ',
      '\ufeff{}',
      '{}{}',
      '[{}]',
      nested(17),
      '{'.repeat(9000),
      long(70_000),
      long(1_100_000),
      '{"a":1,"a":2}',
      `{${'"a":1,'.repeat(1100)}"b":1}`,
    ),
    fc
      .constantFrom('"\xe2\x82', '"\xed\xa0\x80"', '"\xff"')
      .map((bytes) => Buffer.from(bytes, 'latin1')),
  );
  return fc.oneof(
    { weight: 6, arbitrary: bodies.map((body) => ({ ...sent, body })) },
    { weight: 1, arbitrary: fc.constantFrom(...QUERIES).map((query) => ({ ...sent, query })) },
  );
}

const junk = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((text) =>
    [...text].map((char) => (/[\t\x20-\x7e\x80-\xff]/.test(char) ? char : 'x')).join(''),
  );

/** Headers that nobody should send, and methods that the path does not take. */
function hostileHeaders(target: Target): fc.Arbitrary<Sent> {
  const sent = sentTo(target, { fields: target.request });
  const token = target.token ?? 'token';
  const header = (name: string, ...values: string[]): fc.Arbitrary<Sent['headers']> =>
    fc.oneof(fc.constantFrom(...values), junk).map((value) => ({ [name]: value }));
  const headers = fc.oneof(
    // oxfmt-ignore
    header('authorization', '', 'Bearer', 'Bearer ', 'Bearer  x', 'bearer\tx', 'Basic eDp5', `${token}x`, `Bearer ${token} ${token}`, token.slice(0, -1), token.toUpperCase(), long(600), long(9000), 'Bearer \xff', '__proto__'),
    // oxfmt-ignore
    header('content-type', '', 'text/plain', 'application/jsonx', 'application/json;', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'multipart/form-data', ';', long(500)),
    // oxfmt-ignore
    header('idempotency-key', '', 'k', ' ', 'k', long(255), long(256), '\xe9', '__proto__'),
    header('content-encoding', 'gzip', 'br', 'identity', 'gzip, identity', ''),
    header('x-forwarded-for', '1.2.3.4', '::1', ',,,', 'unknown'),
    header('accept-encoding', 'gzip;q=9', '*;q=0'),
    header('origin', 'null', 'https://evil.example', 'x'),
    header('expect', '100-continue', '200-ok'),
    header('range', 'bytes=0-1', 'bytes=-'),
  );
  const methods = fc.constantFrom(
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'HEAD',
    'TRACE',
    'POST',
    'GET',
    'PROPFIND',
  );
  return fc.oneof(
    {
      weight: 5,
      arbitrary: headers.map((more) => ({ ...sent, headers: { ...sent.headers, ...more } })),
    },
    { weight: 1, arbitrary: methods.map((method) => ({ ...sent, method })) },
  );
}

export const hostileRequests = (target: Target): fc.Arbitrary<Sent> =>
  fc.oneof(hostileBodies(target), hostileHeaders(target));
