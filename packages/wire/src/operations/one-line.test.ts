import { z } from 'zod';
import { describe, it, expect } from '@jest/globals';
import { type OperationName, operations } from './index.js';

/** Fields that may have line breaks: they are shown as paragraphs. */
const PARAGRAPHS: readonly string[] = [
  'newPost text',
  'newStrategy description',
  'updateStrategy description',
  'updateUserInfo bio',
];
/** Texts that are compared, never shown. */
const UNSHOWN: readonly string[] = [
  'deleteTotp password',
  'deleteUser password',
  'newOrderWebhook alert_id',
  'previewOrderWebhook alert_id',
  'newPaymentSource password',
  'newSession password',
  'newTotp password',
  'newUser password',
  'newWithdrawal password',
  'updateEmail password',
  'updatePassword new_password',
  'updatePassword password',
];
/** Encrypted unchanged for a broker's adapter, which checks it. */
const OF_ADAPTERS: readonly string[] = [
  'newBot credentials.x',
  'updateBot credentials.x',
  'previewBot credentials.x',
];
/** Read by the row of the planned operation, which refuses what it does not know. */
const OF_PLANS: readonly string[] = ['preparePlan body.x'];

type Path = readonly (string | number)[];
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly propertyNames?: Schema;
}

/** Every place where a request may have a text. */
function places(schema: Schema, path: Path = []): Path[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  return [
    ...([schema.type].flat().includes('string') || (schema.type === undefined && anyOf.length === 0)
      ? [path]
      : []),
    ...Object.entries(properties).flatMap(([name, one]) => places(one, [...path, name])),
    ...(items ? places(items, [...path, 0]) : []),
    ...anyOf.flatMap((one) => places(one, path)),
    ...(typeof additionalProperties === 'object'
      ? places(additionalProperties, [...path, 'x'])
      : []),
  ];
}

/** The example with another value at that place. */
function withAt(value: unknown, [head, ...rest]: Path, put: unknown): unknown {
  if (head === undefined) return put;
  if (typeof head === 'number') return [withAt((value as unknown[] | undefined)?.[0], rest, put)];
  const before = (value ?? {}) as Readonly<Record<string, unknown>>;
  return { ...before, [head]: withAt(before[head], rest, put) };
}

const fields = (Object.keys(operations) as OperationName[]).flatMap((name) => {
  const schema = z.toJSONSchema(operations[name].request, { io: 'input', unrepresentable: 'any' });
  const found = new Map(
    places(schema as Schema)
      .filter((path) => path.length > 0)
      .map((path) => [path.join('.'), path] as const),
  );
  return [...found].map(([label, path]) => ({ name, field: `${name} ${label}`, path }));
});

/** Where the issues are, also those of each alternative. */
const pathsOf = (issues: readonly z.core.$ZodIssue[]): (readonly PropertyKey[])[] =>
  issues.flatMap((issue) =>
    issue.code === 'invalid_union'
      ? [
          issue.path,
          ...issue.errors.flatMap((each) => pathsOf(each).map((one) => [...issue.path, ...one])),
        ]
      : [issue.path],
  );

/** Whether the schema refuses that text at that place. */
function refuses({ name, path }: (typeof fields)[number], put: string): boolean {
  const { request, example } = operations[name];
  const { success, error } = z.safeParse(request, withAt(example.request, path, put));
  if (success) return false;
  return pathsOf(error.issues).some((found) => path.every((step, at) => found[at] === step));
}

const LINE_BREAKS = ['a\nb', 'a\rb', 'a\tb', 'a\u2028b', 'a\u2029b', 'a\u0085b', 'a\vb'];
const MISLEADING = ['a\u202eb', 'a\u2066b', 'a\u0007b', 'a\u001bb', 'a\u0000b', 'a\ud800b'];
const BLANKS = [' ', '   ', '\u00a0', '\u200b', '\u3164', '\u2800', '\ufeff\u200d'];

const isOneLine = ({ field }: { readonly field: string }): boolean =>
  ![...PARAGRAPHS, ...UNSHOWN, ...OF_ADAPTERS, ...OF_PLANS].some((one) => field === one);

describe('a text in a request', () => {
  it('is known to this test', () => {
    const known = new Set(fields.map(({ field }) => field));
    for (const field of [...PARAGRAPHS, ...UNSHOWN]) expect(known).toContain(field);
    expect(fields.length).toBeGreaterThan(150);
  });

  it.each(fields.filter(isOneLine).map((one) => [one.field, one] as const))(
    'is on one line: %s',
    (_, one) => {
      // newOrderWebhook ignores unknown fields, and sizes that are no numbers.
      const isIgnored = /OrderWebhook .*market_position_size/.test(one.field);
      if (isIgnored) return;
      for (const put of [...LINE_BREAKS, ...MISLEADING])
        expect([put, refuses(one, put)]).toEqual([put, true]);
    },
  );

  it.each(
    fields
      .filter(({ field }) => PARAGRAPHS.includes(field))
      .map((one) => [one.field, one] as const),
  )('may have lines, and nothing that misleads: %s', (_, one) => {
    expect(refuses(one, 'a\nb\r\n\tc')).toBe(false);
    for (const put of MISLEADING) expect([put, refuses(one, put)]).toEqual([put, true]);
  });

  it.each([
    'newStrategy name',
    'updateStrategy name',
    'newToken name',
    'newPost text',
    'newPaymentSource name',
    'newPaymentSource city',
    'newStrategy categories.0',
  ])('is not blank: %s', (field) => {
    const one = fields.find((other) => other.field === field);
    if (!one) throw new Error('no such field');
    for (const put of BLANKS) expect([put, refuses(one, put)]).toEqual([put, true]);
  });
});
