import { type Operation, type OperationName, openApi, operations } from '@slipstream/wire';
import { stockIdOf } from '../many-strategies.js';
import { PASSWORD, type Whale } from './whale.js';

type Fields = Readonly<Record<string, unknown>>;

interface Schema {
  readonly type?: string;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Documented {
  readonly parameters?: readonly {
    readonly in?: string;
    readonly name: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
}

const { paths } = openApi({ version: 'bench' }) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
};

/** The schema of the operation's request, from the OpenAPI document. */
function schemasOf({ path, method }: Operation): Readonly<Record<string, Schema>> {
  const row = paths[path]?.[method.toLowerCase()];
  const inQuery = (row?.parameters ?? [])
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => [name, schema] as const);
  return {
    ...Object.fromEntries(inQuery),
    ...row?.requestBody?.content['application/json']?.schema.properties,
  };
}

/** The ids that requests name. */
export interface Things extends Whale {
  readonly botIds: readonly string[];
  readonly stocks: number;
}

const few = (ids: readonly string[], count = 100): string[] => ids.slice(0, count);
const stocksOf = ({ stocks }: Things, count: number): string[] =>
  Array.from({ length: Math.min(count, stocks) }, (_, index) => stockIdOf(index));

/** The largest value of a field in every operation. A field in no table has the value of the operation's example. */
const MOST: Readonly<Record<string, (things: Things) => unknown>> = {
  limit: () => '100',
  password: () => PASSWORD,
  new_password: () => PASSWORD,
  totp: () => undefined,
  source_id: ({ sourceId }) => sourceId,
  strategy_id: ({ crowded }) => crowded[0],
  'strategy_id[]': ({ strategyIds }) => few(strategyIds),
  strategy_ids: ({ strategyIds }) => few(strategyIds),
  stock_id: () => stockIdOf(0),
  'stock_id[]': (things) => stocksOf(things, 100),
  'user_id[]': ({ userIds }) => few(userIds),
  invited_user_ids: ({ userIds }) => few(userIds),
  token_id: ({ tokenIds }) => tokenIds[0],
  order_id: ({ orderIds }) => orderIds[0],
  order_dependencies: ({ orderIds }) => few(orderIds),
  'order_dependencies[]': ({ orderIds }) => few(orderIds),
  post_id: ({ postIds }) => postIds[0],
  bot_id: ({ botIds }) => botIds[0],
  'bot_id[]': ({ botIds }) => few(botIds),
  'invoice_id[]': ({ invoiceIds }) => few(invoiceIds),
  invoice_id: ({ invoiceIds }) => invoiceIds[0],
  input_date: () => new Date(Date.now() - 20 * 3_600_000).toISOString(),
};

const targets = (things: Things): Fields => ({
  allocations: stocksOf(things, 100).map((stock_id) => ({ stock_id, percent: '0.01' })),
});
const mirrored = ({ strategyIds }: Things): Fields => ({
  allocations: few(strategyIds, 20).map((strategy_id) => ({ strategy_id, percent: '0.05' })),
});
const paid = ({ followed }: Things): Fields => ({ strategy_id: followed });

/** Further or different values for one operation. */
const ALSO: { readonly [Name in OperationName]?: (things: Things) => Fields } = {
  newUser: ({ email }) => ({ email: `new-${email}` }),
  newSession: ({ email }) => ({ email }),
  newPasswordReset: ({ email }) => ({ email }),
  updateEmail: ({ email }) => ({ email: `moved-${email}` }),
  deleteStrategy: paid,
  newStrategySubscription: ({ notFollowedYet }) => ({
    strategy_id: notFollowedYet,
    price: 0,
  }),
  deleteStrategySubscription: ({ followedByWhale }) => ({ strategy_id: followedByWhale }),
  newStockAction: () => ({ stock_id: stockIdOf(1), kind: 'cash_dividend', amount: '0.01' }),
  newPaymentSource: () => ({ password: undefined, primary: undefined }),
  newOrderWebhook: ({ crowded }) => ({ strategy_id: crowded[1], leverage: '0.5' }),
  deleteBot: ({ botIds }) => ({ bot_id: botIds[1] }),
  resetBot: ({ botIds }) => ({ bot_id: botIds[2] }),
  newOrderAllocations: (things) => ({ strategy_id: things.crowded[2], ...targets(things) }),
  previewOrderAllocations: targets,
  newBot: mirrored,
  updateBot: mirrored,
  newPost: () => ({ strategy_id: undefined }),
  readNotifications: () => ({ notification_id: undefined }),
  getOrders: () => ({ order_status: 'open' }),
  getRecommendedStrategies: () => ({ timeframe: undefined }),
  getStrategies: () => ({ timeframe: undefined }),
  getStrategyHistory: () => ({ timeframe: 'five_year' }),
  findStocks: () => ({ query: 's' }),
  getInvoices: () => ({ status: undefined, 'invoice_id[]': undefined }),
  getStrategySubscriptions: () => ({ 'strategy_id[]': undefined }),
  newQuotes: (things) => ({
    quotes: stocksOf(things, 1_000).map((stock_id) => ({
      stock_id,
      bid: 101,
      ask: 101,
      last: 101,
    })),
  }),
  updateStocks: (things) => ({
    stocks: stocksOf(things, 1_000).map((stock_id) => ({ stock_id, fee: '0.001' })),
  }),
};

/** Free text has its maximum length; a value of an enumeration stays that of the example. */
const FREE_TEXT = new Set(['name', 'description', 'bio', 'text', 'city', 'line_one', 'line_two']);

export interface Sent {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly auth: Operation['auth'];
  readonly body: Fields | undefined;
}

/** The largest request of the operation that a whale can make. */
export function largestRequest(name: OperationName, things: Things): Sent {
  const operation: Operation = operations[name];
  const { method, path, auth } = operation;
  const example = operation.example.request as Fields;
  const fields: Record<string, unknown> = {};
  for (const [field, { maxLength }] of Object.entries(schemasOf(operation))) {
    const given = example[field.replace('[]', '')];
    const isFree = FREE_TEXT.has(field) && maxLength !== undefined;
    const value =
      MOST[field]?.(things) ??
      (isFree ? 'w '.repeat(maxLength).slice(0, maxLength - 1) + '.' : given);
    if (value !== undefined) fields[field] = value;
  }
  Object.assign(fields, ALSO[name]?.(things));
  if (method === 'POST') return { name, method, path, auth, body: fields };
  const query = Object.entries(fields).flatMap(([field, value]) =>
    [value]
      .flat()
      .filter((item): item is string | number | boolean => item !== undefined)
      .map((item) => `${encodeURIComponent(field)}=${encodeURIComponent(item)}`),
  );
  return { name, method, path: `${path}?${query.join('&')}`, auth, body: undefined };
}

/** These end things that other requests need, so they run last, in this order. */
const LAST: readonly OperationName[] = [
  'deletePost',
  'deleteOrder',
  'deleteBot',
  'deletePaymentSource',
  'deleteStrategy',
  'deleteUser',
];

/** Every operation of the interface. */
export const INQUIRED: readonly OperationName[] = [
  ...(Object.keys(operations) as OperationName[]).filter((name) => !LAST.includes(name)),
  ...LAST,
];
