import { DAY } from '@slipstream/domain';
import type { Question } from './asks.js';
import type { Differ } from './ways.js';
import type { Fields, Person, World } from './world.js';
import { fold } from './world.js';

type Rows = readonly Fields[];
/** What REST told somebody, by the name of the operation and what was asked. */
export type Told = ReadonlyMap<string, unknown>;

export const keyOf = ({ name, fields }: Pick<Question, 'name' | 'fields'>): string =>
  `${name} ${JSON.stringify(fields)}`;

/** What quotes change, also where nothing else happens: an event has what they were then. */
const OF_QUOTES = ['bid', 'ask', 'last', 'stock_status', 'waiting_reason', 'slippage', 'fee'];
const MOVING = [...OF_QUOTES, 'value', 'percent', 'unrealized'];
const without = (record: Fields | undefined, names: readonly string[]): Fields | undefined =>
  record && Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** The alerts that are stored for sure: older ones are forgotten without an event. */
const young = ({ server }: World, alerts: Rows): Rows =>
  alerts.filter(({ received_at: at }) => Date.parse(String(at)) > server.clock.now() - 90 * DAY);

const STATUSES = ['open', 'filled', 'cancelled', 'rejected'];
const ordersOf = (told: Told, strategy_id: string): Rows =>
  STATUSES.flatMap(
    (order_status) =>
      (told.get(keyOf({ name: 'getOrders', fields: { strategy_id, order_status } })) ?? []) as Rows,
  );

/** The streams that were open all the time. */
export async function checkStreams(
  world: World,
  person: Person,
  told: Told,
  differ: Differ,
): Promise<void> {
  const { strategies, bots } = world;
  await fold(person);
  const rest = (name: Question['name'], fields: Fields) =>
    told.get(keyOf({ name, fields })) as Rows;
  const live = <Data>(channel: string): Data | undefined =>
    person.live.get(channel)?.data as Data | undefined;
  const heard = live<Rows>(`wsNotifications:${person.userId}`) ?? [];
  differ('wsNotifications', heard, rest('getNotifications', {}).slice(0, heard.length));
  for (const [channel, of] of [
    ['wsUserAlerts', person.userId] as const,
    ...strategies.map((id) => ['wsAlerts', id] as const),
  ]) {
    const alerts = live<Rows>(`${channel}:${of}`);
    const fields = channel === 'wsAlerts' ? { strategy_id: of } : {};
    if (!alerts) continue;
    const stored = young(world, rest('getAlerts', fields));
    differ(channel, young(world, alerts), stored.slice(0, alerts.length));
  }
  for (const strategy_id of strategies) {
    const open = live<Rows>(`wsOrders:${strategy_id}`);
    if (open)
      differ(
        'wsOrders',
        open.map((one) => without(one, OF_QUOTES)),
        rest('getOrders', { strategy_id, order_status: 'open' }).map((one) =>
          without(one, OF_QUOTES),
        ),
      );
    const book = live<{ readonly positions: Rows }>(`wsPositions:${strategy_id}`);
    const now = rest('getPositions', { strategy_id }) as unknown as typeof book;
    // The version is that of the book, which orders change, too.
    const shown = (one: typeof book) => ({
      ...without(one, ['strategy_value', 'version']),
      positions: one?.positions
        .map((position) => JSON.stringify(without(position, MOVING)))
        .toSorted(),
    });
    if (book) differ('wsPositions', shown(book), shown(now));
  }
  for (const bot_id of bots) {
    const bot = live<{ readonly bot: Fields; readonly orders: Rows }>(`wsBot:${bot_id}`);
    if (!bot) continue;
    differ('wsBot', bot.bot, rest('getBots', { bot_id: [bot_id] })[0]);
    const orders = rest('getBotOrders', { bot_id });
    const ids = bot.orders.map((one) => one['bot_order_id']);
    const known = orders.map((one) => one['bot_order_id']).filter((id) => ids.includes(id));
    differ('the order of wsBot', ids, known);
    for (const one of bot.orders)
      differ(
        'an order of wsBot',
        one,
        orders.find(({ bot_order_id }) => bot_order_id === one['bot_order_id']),
      );
  }
}

/** A stream that opens now: its snapshots are what the reads answer. */
export async function checkSnapshots(
  { server, strategies, bots }: World,
  person: Person,
  told: Told,
  differ: Differ,
): Promise<void> {
  const late = await server.stream(person.token);
  const snapshot = async (channel: string) => (await late.subscribe(channel))[0]?.data;
  const rest = (name: Question['name'], fields: Fields) =>
    told.get(keyOf({ name, fields })) as Rows;
  const some = (await snapshot(`wsNotifications:${person.userId}`)) as Rows;
  differ('snapshot of notifications', some, rest('getNotifications', {}).slice(0, some.length));
  const values = rest('getStrategyValues', { strategy_id: strategies });
  for (const strategy_id of strategies) {
    if (![...person.live.keys()].some((name) => name === `wsOrders:${strategy_id}`)) continue;
    differ(
      'snapshot of a value',
      await snapshot(`wsStrategyValue:${strategy_id}`),
      values.find((one) => one['strategy_id'] === strategy_id),
    );
    differ(
      'snapshot of orders',
      await snapshot(`wsOrders:${strategy_id}`),
      rest('getOrders', { strategy_id, order_status: 'open' }),
    );
    differ(
      'snapshot of positions',
      await snapshot(`wsPositions:${strategy_id}`),
      rest('getPositions', { strategy_id }),
    );
  }
  for (const bot_id of bots)
    if (person.live.has(`wsBot:${bot_id}`))
      differ(
        'snapshot of a bot',
        await snapshot(`wsBot:${bot_id}`),
        rest('getBots', { bot_id: [bot_id] })[0],
      );
  late.stop();
}

const SENT: Readonly<Record<string, string>> = {
  order: 'order_id',
  alert: 'inbox_id',
  subscription: 'subscription_id',
  invoice: 'invoice_id',
};

/** What endpoints were sent: the last of each thing, as its read shows it. */
export function checkSent(world: World, person: Person, told: Told, differ: Differ): void {
  const orders = world.strategies.flatMap((id) => ordersOf(told, id));
  const lists: Readonly<Record<string, Rows>> = {
    order: orders,
    alert: told.get(keyOf({ name: 'getAlerts', fields: {} })) as Rows,
    subscription: told.get(keyOf({ name: 'getStrategySubscriptions', fields: {} })) as Rows,
    invoice: told.get(keyOf({ name: 'getInvoices', fields: {} })) as Rows,
  };
  const latest = new Map<unknown, { readonly kind: string; readonly data: Fields }>();
  for (const { type, data } of person.sent) {
    const kind = type.split('.')[0] ?? '';
    const id = SENT[kind];
    if (id !== undefined) latest.set(data[id], { kind, data });
  }
  for (const [id, { kind, data }] of latest) {
    if (kind === 'alert' && young(world, [data]).length === 0) continue;
    const now = lists[kind]?.find((one) => one[SENT[kind] ?? ''] === id);
    // That an invoice is not tried any more is no event.
    const aside = [
      ...OF_QUOTES,
      'version',
      ...(kind === 'invoice' ? ['retryable', 'updated_at'] : []),
    ];
    differ(`endpoint, ${kind}`, without(data, aside), without(now, aside));
  }
  const filled = new Set(
    orders
      .filter((one) => one['order_status'] === 'filled' && one['filled_price'] !== null)
      .map((one) =>
        ['action', 'symbol', 'filled_amount', 'filled_price'].map((name) => one[name]).join(' '),
      ),
  );
  for (const text of person.texts) {
    const [, what = '', amount, price] = /^Filled: (.*), (\S+) at (\S+), in /.exec(text) ?? [];
    differ(`text "${text}"`, filled.has(`${what} ${amount} ${price}`), true);
  }
}

/** A fill, and the order that it filled. */
export function checkFills({ strategies }: World, told: Told, differ: Differ): void {
  for (const strategy_id of strategies) {
    const trades = told.get(keyOf({ name: 'getTrades', fields: { strategy_id } })) as
      | Rows
      | undefined;
    if (!trades) continue;
    const filled = ordersOf(told, strategy_id).filter((one) => one['order_status'] === 'filled');
    const shown = (one: Fields, ...names: string[]) => names.map((name) => one[name]).join(' ');
    differ(
      'fills and orders',
      trades
        .map((one) =>
          shown(
            one,
            'order_id',
            'symbol',
            'action',
            'price',
            'amount',
            'total',
            'fee_total',
            'created_at',
          ),
        )
        .toSorted(),
      filled
        .filter((one) => one['filled_amount'] !== '0')
        .map((one) =>
          shown(
            one,
            'order_id',
            'symbol',
            'action',
            'filled_price',
            'filled_amount',
            'filled_total',
            'fee_total',
            'closed_at',
          ),
        )
        .toSorted(),
    );
  }
}

const EXPORTED: Readonly<Record<string, Pick<Question, 'name' | 'fields'>>> = {
  strategies: { name: 'findStrategies', fields: { mine: true } },
  subscriptions: { name: 'getStrategySubscriptions', fields: {} },
  bots: { name: 'getBots', fields: {} },
  tokens: { name: 'getTokens', fields: {} },
  notifications: { name: 'getNotifications', fields: {} },
  payment_sources: { name: 'getPaymentSources', fields: {} },
  invoices: { name: 'getInvoices', fields: {} },
  endpoints: { name: 'getEndpoints', fields: {} },
  alerts: { name: 'getAlerts', fields: {} },
};

/** The export of a user: the same lists, in any pieces. */
export async function checkExport(
  { server, roll }: World,
  { token }: Person,
  told: Told,
  differ: Differ,
): Promise<void> {
  const lists = new Map<string, unknown[]>();
  let cursor: string | null | undefined;
  const limit = 20 + roll(81);
  do {
    const piece = await server.ask('getUserExport', { limit, ...(cursor && { cursor }) }, token);
    for (const [name, part] of Object.entries(piece))
      if (Array.isArray(part)) lists.set(name, [...(lists.get(name) ?? []), ...part]);
    differ('user of the export', piece.user, told.get(keyOf({ name: 'getUserInfo', fields: {} })));
    cursor = piece.next_cursor;
  } while (cursor !== null);
  // A search has an order of its own.
  const inOrder = (name: string, list: unknown): unknown =>
    name === 'strategies' ? (list as Rows).map((one) => JSON.stringify(one)).toSorted() : list;
  for (const [name, of] of Object.entries(EXPORTED))
    differ(`export of ${name}`, inOrder(name, lists.get(name)), inOrder(name, told.get(keyOf(of))));
}
