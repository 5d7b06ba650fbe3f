import { describe, it, expect } from '@jest/globals';
import { type OperationName, operations } from './index.js';

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

/** The fields of a request, which has them all, that the operation's command is made of. */
function readBy(name: OperationName): { all: string[]; read: Set<string> } {
  const read = new Set<string>();
  const given = operations[name].request.parse(operations[name].example.request) as object;
  const request = new Proxy(given, {
    get: (fields, field) => {
      if (typeof field === 'string') read.add(field);
      return Reflect.get(fields, field) as unknown;
    },
    ownKeys: (fields) => {
      for (const field of fieldsOf(name)) read.add(field);
      return Reflect.ownKeys(fields);
    },
  });
  const toCommand = operations[name].command as (fields: object) => unknown;
  toCommand(request);
  return { all: [...fieldsOf(name), ...Object.keys(given)], read };
}

/** Not read as such: of another kind of request than the example is, or made into something else by the schema. */
const READ_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  updatePassword: ['reset_code'],
  newStockAction: ['amount'],
  // `pricing` and `size` are made of them.
  newOrder: ['type', 'amount', 'total', 'price', 'stop_price'],
};

const names = Object.keys(operations) as OperationName[];
const taking = names.filter((name) => fieldsOf(name).length > 0);

describe('a field that an operation takes', () => {
  it.each(taking)('is not dropped on the way to the application: %s', (name) => {
    const { all, read } = readBy(name);
    expect(
      all.filter((field) => !read.has(field) && !READ_OTHERWISE[name]?.includes(field)),
    ).toEqual([]);
  });
});

describe('the command of a request', () => {
  const commandOf = (name: OperationName): object => {
    const { request, command, example } = operations[name];
    const toCommand = command as (fields: unknown) => object;
    return toCommand(request.parse(example.request));
  };

  it.each(names)('of %s names nothing as the wire does', (name) => {
    expect(Object.keys(commandOf(name)).filter((field) => field.includes('_'))).toEqual([]);
  });

  it('has the words of the application', () => {
    expect(commandOf('newStrategySubscription')).toMatchObject({
      strategyId: expect.any(String),
      inputDate: expect.any(Number),
    });
    expect(commandOf('newOrderWebhook')).toMatchObject({
      stock: 'AAPL:NASDAQ',
      pyramiding: 4,
      positionSize: undefined,
      alertId: undefined,
    });
    expect(commandOf('newOrderAllocations')).toMatchObject({
      allocations: [{ stock: 'AAPL:NASDAQ', percent: expect.anything() }],
    });
  });
});
