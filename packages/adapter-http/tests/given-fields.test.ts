import { describe, expect, it } from '@jest/globals';
import { type OperationName, operations } from '@slipstream/wire';
import { handlers } from '../src/handlers/index.js';

const NOT_DONE = new Error('the stand-in does nothing');

interface Schema {
  readonly shape?: Readonly<Record<string, unknown>>;
  /** What a schema that makes something else of its input reads. */
  readonly in?: Schema;
  /** What a request may be one of. */
  readonly options?: readonly Schema[];
}

const fieldsIn = ({ shape, in: before, options }: Schema): string[] => {
  if (shape) return Object.keys(shape);
  if (options) return [...new Set(options.flatMap(fieldsIn))];
  if (before) return fieldsIn(before);
  throw new Error('this test cannot read the schema');
};

/** Every field that the schema takes. */
const fieldsOf = (name: OperationName): string[] => fieldsIn(operations[name].request);

/** The fields that the handler of the operation reads of a request, which has them all. */
async function readBy(name: OperationName): Promise<{ all: string[]; read: Set<string> }> {
  const read = new Set<string>();
  const command = operations[name].request.parse(operations[name].example.request) as object;
  const request = new Proxy(command, {
    get: (fields, field) => {
      if (typeof field === 'string') read.add(field);
      return Reflect.get(fields, field) as unknown;
    },
    ownKeys: (fields) => {
      for (const field of fieldsOf(name)) read.add(field);
      return Reflect.ownKeys(fields);
    },
  });
  // Whatever is asked of it is refused; a request that is handed on as it is has all its fields.
  const application = new Proxy(
    {},
    {
      get:
        () =>
        (...given: unknown[]) => {
          if (given.includes(request)) for (const field of fieldsOf(name)) read.add(field);
          return Promise.reject(NOT_DONE);
        },
    },
  );
  const handler = handlers[name] as (...given: unknown[]) => Promise<unknown>;
  await handler(application, request, { kind: 'anonymous' }, undefined).catch((error: unknown) => {
    if (error !== NOT_DONE) throw error;
  });
  return { all: [...fieldsOf(name), ...Object.keys(command)], read };
}

/** Not read as such: of another kind of request than the example is, or made into something else by the schema. */
const READ_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  updatePassword: ['reset_code'],
  newStockAction: ['amount'],
  // `pricing` and `size` are made of them.
  newOrder: ['type', 'amount', 'total', 'price', 'stop_price'],
};

const taking = (Object.keys(operations) as OperationName[]).filter(
  (name) => fieldsOf(name).length > 0,
);

describe('a field that an operation takes', () => {
  it.each(taking)('is not dropped by the handler: %s', async (name) => {
    const { all, read } = await readBy(name);
    expect(
      all.filter((field) => !read.has(field) && !READ_OTHERWISE[name]?.includes(field)),
    ).toEqual([]);
  });
});
