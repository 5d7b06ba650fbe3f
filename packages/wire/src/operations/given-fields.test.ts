import { describe, it, expect } from '@jest/globals';
import { type OperationName, operations } from './index.js';

interface Schema {
  readonly shape?: Readonly<Record<string, unknown>>;
  /** The input of a schema that transforms it. */
  readonly in?: Schema;
  /** The alternatives of a request. */
  readonly options?: readonly Schema[];
}

const fieldsIn = ({ shape, in: before, options }: Schema): string[] => {
  if (shape) return Object.keys(shape);
  if (options) return [...new Set(options.flatMap(fieldsIn))];
  if (before) return fieldsIn(before);
  throw new Error('this test cannot read the schema');
};

/** Every field of the operation's schema. */
const fieldsOf = (name: OperationName): string[] => fieldsIn(operations[name].request);

/** The fields of a complete request that its command reads. */
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

/** Fields that the test cannot see being read: the example is of another kind, or the schema transforms them. */
const READ_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  updatePassword: ['reset_code'],
  newStockAction: ['amount'],
  // The form of the answer, which the edge writes.
  getStrategyHistory: ['format'],
  getTrades: ['format'],
  getOrders: ['format'],
  getBotOrders: ['format'],
  // The schema makes `pricing` and `size` of them.
  // Read by the row of the planned operation.
  preparePlan: ['body'],
  newOrder: ['type', 'amount', 'total', 'price', 'stop_price'],
};

const names = Object.keys(operations) as OperationName[];
const taking = names.filter((name) => fieldsOf(name).length > 0);

describe('a field of an operation', () => {
  it.each(taking)('reaches the application: %s', (name) => {
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

  it.each(names)('of %s has no names of the wire', (name) => {
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
