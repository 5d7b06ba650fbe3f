import { type Client, RequestFailed, Unreachable } from '@slipstream/client';
import { type OperationName, type ResponseOf, operations } from '@slipstream/wire';

type Fields = Readonly<Record<string, unknown>>;

/** A word that needs no quotation marks: it can hide nothing. */
const PLAIN = /^[\w.:+-]+$/;

const NO_NAMES: ReadonlyMap<string, string> = new Map();

function valueWords(value: unknown, names: ReadonlyMap<string, string>): string {
  if (Array.isArray(value)) return `[${value.map((one) => valueWords(one, names)).join('; ')}]`;
  if (typeof value === 'object' && value !== null) return `{${fieldWords(value, names)}}`;
  const text = String(value);
  const word = typeof value !== 'string' || PLAIN.test(text) ? text : JSON.stringify(text);
  const name = names.get(text);
  return name === undefined ? word : `${word} (${name})`;
}

const fieldWords = (fields: object, names: ReadonlyMap<string, string>): string =>
  Object.entries(fields)
    .map(([field, value]) => `${valueWords(field, NO_NAMES)} ${valueWords(value, names)}`)
    .join(', ');

/** An order of the book, of a preview or of a bot: what it does, with each figure that it has. */
function orderWords(order: Fields): string {
  const { type, action, stock, exchange, stock_id: stockId } = order;
  const what = [type, action, stock === undefined ? stockId : [stock, exchange].join(':')];
  const figures = ['amount', 'total', 'price', 'stop_price', 'limit']
    .filter((field) => (order[field] ?? null) !== null)
    .map((field) => ` ${field} ${valueWords(order[field], NO_NAMES)}`);
  return `${what.filter(Boolean).join(' ')}${figures.join('')}`;
}

interface Preview {
  readonly orders: readonly Fields[];
  readonly account?: { readonly label: string; readonly live: boolean };
}

function previewWords({ orders, account }: Preview): string {
  const where = account
    ? ` in ${account.live ? 'the REAL MONEY account' : 'the account without real money'} ${JSON.stringify(account.label)}`
    : '';
  const what = orders.length > 0 ? orders.map(orderWords).join('; ') : 'no orders';
  return ` At the prices of now${where}: ${what}.`;
}

/** Every text that stands in a field of this name, however deep. */
function textsIn(field: string, body: Fields): string[] {
  const found = new Set<string>();
  JSON.stringify(body, (name, value: unknown) => {
    if (name === field && typeof value === 'string') found.add(value);
    return value;
  });
  return [...found];
}

const quoted = ({ name }: { readonly name: string | null }): string =>
  name === null ? 'without a name' : JSON.stringify(name);

/** A bot, with whether it trades real money, and what its stop does where the request leaves that to its settings. */
function botWords(
  bot: ResponseOf<'getBots'>[number],
  { operation, body }: Pick<Planned, 'operation' | 'body'>,
): string {
  const money = bot.live ? 'trades REAL MONEY' : 'trades no real money';
  const isAsSet = operation === 'stopBot' && (body['close_on_stop'] ?? null) === null;
  const stop = bot.close_on_stop ? 'set to close its positions' : 'set to keep its positions';
  return [quoted(bot), money, ...(isAsSet ? [stop] : [])].join(', ');
}

/** The bots that a request names: a halt names the one that it hits by another field. */
const botIdsIn = ({ operation, body }: Pick<Planned, 'operation' | 'body'>): string[] => [
  ...textsIn('bot_id', body),
  ...(operation === 'haltTrading' && body['scope'] === 'bot' ? textsIn('id', body) : []),
];

/** The most orders of an answer. */
const PAGE = 100;

/** An open order of a strategy, which may be on a later page; undefined if it is not there. */
async function openOrder(
  client: Client,
  strategy_id: string,
  orderId: unknown,
  options: { readonly signal: AbortSignal },
): Promise<ResponseOf<'getOrders'>[number] | undefined> {
  for (let cursor: string | undefined; ;) {
    const page = await client.getOrders({ strategy_id, limit: PAGE, cursor }, options);
    const found = page.find(({ order_id }) => order_id === orderId);
    cursor = page.at(-1)?.order_id;
    if (found !== undefined || page.length < PAGE) return found;
  }
}

/** What the ids in a request stand for. A token that may not read it leaves them as they are. */
async function namesIn(
  client: Client,
  planned: Pick<Planned, 'operation' | 'body'>,
  signal: AbortSignal,
) {
  const options = { signal };
  const { body } = planned;
  const [strategyIds, botIds] = [textsIn('strategy_id', body), botIdsIn(planned)];
  const { order_id: orderId } = body;
  const [strategyId] = strategyIds;
  const found = await Promise.all([
    strategyIds.length > 0 &&
      readable(async () =>
        (await client.getStrategies({ strategy_id: strategyIds }, options)).map(
          (one) => [one.strategy_id, quoted(one)] as const,
        ),
      ),
    botIds.length > 0 &&
      readable(async () =>
        (await client.getBots({ bot_id: botIds }, options)).map(
          (one) => [one.bot_id, botWords(one, planned)] as const,
        ),
      ),
    strategyId !== undefined &&
      orderId !== undefined &&
      readable(async () => {
        const order = await openOrder(client, strategyId, orderId, options);
        return order ? [[order.order_id, orderWords(order)] as const] : [];
      }),
  ]);
  return new Map(found.flatMap((names) => names || []));
}

async function readable<Read>(read: () => Promise<Read>): Promise<Read | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RequestFailed || error instanceof Unreachable) return undefined;
    throw error;
  }
}

/** What is planned. */
export interface Planned {
  readonly operation: OperationName;
  readonly body: Fields;
  readonly preview: unknown;
}

/** A plan in words for the person who approves its commit: the operation, every field that was given, what the ids stand for, and the orders of the preview. */
export async function planWords(
  client: Client,
  { operation, body, preview }: Planned,
  signal: AbortSignal,
): Promise<string> {
  const names = await namesIn(client, { operation, body }, signal);
  const orders = preview === null ? '' : previewWords(preview as Preview);
  return `${operation}: ${operations[operation].summary} ${fieldWords(body, names)}.${orders}`;
}
