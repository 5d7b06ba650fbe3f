import { decimal } from '@slipstream/domain';
import { CHILD_OPERATOR } from './child-server.js';
import { ask, attempt } from './composed-server.js';

const STOCKS = ['AAPL:NASDAQ', 'MSFT:NASDAQ', 'NVDA:NASDAQ'];

/** Numbers from 0 to 1 that are the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** What a server has answered with 200, and so must never lose. */
export interface Promised {
  /** Of each strategy, the orders it accepted. */
  readonly orders: Map<string, Set<string>>;
  readonly trades: Map<string, Set<string>>;
  readonly cancelled: Set<string>;
}
export const nothingPromised = (): Promised => ({
  orders: new Map(),
  trades: new Map(),
  cancelled: new Set(),
});

const note = (kept: Map<string, Set<string>>, strategyId: string, ids: readonly string[]): void => {
  const known = kept.get(strategyId) ?? new Set();
  for (const id of ids) known.add(id);
  kept.set(strategyId, known);
};

export interface Load {
  readonly url: string;
  readonly token: string;
  readonly strategyIds: readonly string[];
  readonly random: () => number;
  readonly promised: Promised;
  /** Called after every answer. */
  readonly answered: () => void;
}

/** One client that trades until the server is gone; what is refused with 400 is part of the game. */
export async function tradeUntilGone({
  url,
  token,
  strategyIds,
  random,
  promised,
  answered,
}: Load): Promise<void> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const price = () => Math.round(9000 + random() * 2000) / 100;
  const steps: ((strategy_id: string, stock_id: string) => Promise<void>)[] = [
    async (strategy_id) => {
      const allocations = STOCKS.map((stock_id) => ({
        stock_id,
        percent: Math.round(random() * 120 - 60) / 100,
      }));
      await promise(strategy_id, 'newOrderAllocations', { strategy_id, allocations });
    },
    (strategy_id, stock_id) =>
      promise(strategy_id, 'newOrderWebhook', {
        strategy_id,
        stock_id,
        action: pick(['buy', 'sell', 'close']),
        leverage: 0.5,
        pyramiding: 3,
      }),
    (strategy_id, stock_id) =>
      promise(strategy_id, 'newOrder', {
        strategy_id,
        stock_id,
        action: pick(['buy', 'sell']),
        type: 'limit',
        price: price(),
        total: '0.0123456789',
      }),
    (strategy_id, stock_id) =>
      promise(strategy_id, 'newOrder', {
        strategy_id,
        stock_id,
        action: pick(['buy', 'sell']),
        total: '0.01',
      }),
    async () => {
      const quotes = STOCKS.map((stock_id) => {
        const bid = price();
        return { stock_id, bid, ask: Number((bid + 0.01).toFixed(2)), last: bid };
      });
      await attempt(url, 'newQuotes', { quotes }, CHILD_OPERATOR);
    },
    async (strategy_id) => {
      const trades = await ask(url, 'getTrades', { strategy_id }, token);
      note(
        promised.trades,
        strategy_id,
        trades.map(({ trade_id }) => trade_id),
      );
    },
    async (strategy_id) => {
      const [order] = await ask(url, 'getOrders', { strategy_id, limit: 1 }, token);
      if (!order) return;
      const { status } = await attempt(
        url,
        'deleteOrder',
        { strategy_id, order_id: order.order_id },
        token,
      );
      if (status === 200) promised.cancelled.add(order.order_id);
    },
  ];
  async function promise(
    strategyId: string,
    name: 'newOrder' | 'newOrderAllocations' | 'newOrderWebhook',
    fields: Record<string, unknown>,
  ): Promise<void> {
    const { status, body, text } = await attempt(url, name, fields, token);
    if (status === 400) return;
    if (status !== 200) throw new Error(`${name} answered ${status}: ${text}`);
    const orders = [body?.response].flat() as { order_id: string; amount: string | null }[];
    // An alert that trades nothing answers an order that is not kept.
    note(
      promised.orders,
      strategyId,
      orders.filter(({ amount }) => amount !== '0').map(({ order_id }) => order_id),
    );
  }
  for (;;) {
    try {
      await pick(steps)(pick(strategyIds), pick(STOCKS));
    } catch (error) {
      // The connection is lost.
      if ((error as NodeJS.ErrnoException).code !== undefined) return;
      throw error;
    }
    answered();
  }
}

/** All pages of a list. */
async function all<Row>(
  page: (cursor: Record<string, string>) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const more = await page(last === undefined ? {} : { cursor: idOf(last) });
    if (more.length === 0) return rows;
    rows.push(...more);
  }
}

/** What of the promised is missing, and every figure that does not follow from the trades. */
export async function faultsOf(
  url: string,
  token: string,
  strategy_id: string,
  promised: Promised,
): Promise<string[]> {
  const faults: string[] = [];
  const statuses = new Map<string, string>();
  for (const order_status of ['open', 'filled', 'cancelled', 'rejected']) {
    const orders = await all(
      (cursor) => ask(url, 'getOrders', { strategy_id, order_status, ...cursor }, token),
      ({ order_id }) => order_id,
    );
    for (const { order_id } of orders) {
      if (statuses.has(order_id))
        faults.push(`order ${order_id} is ${statuses.get(order_id)} and ${order_status}`);
      statuses.set(order_id, order_status);
    }
  }
  const trades = await all(
    (cursor) => ask(url, 'getTrades', { strategy_id, ...cursor }, token),
    ({ trade_id }) => trade_id,
  );
  const tradeIds = new Set(trades.map(({ trade_id }) => trade_id));
  const filled = trades.map(({ order_id }) => order_id);
  for (const order of promised.orders.get(strategy_id) ?? []) {
    if (!statuses.has(order)) faults.push(`order ${order} is lost`);
    if (promised.cancelled.has(order) && statuses.get(order) !== 'cancelled')
      faults.push(`order ${order} is not cancelled`);
  }
  for (const trade of promised.trades.get(strategy_id) ?? []) {
    if (!tradeIds.has(trade)) faults.push(`trade ${trade} is lost`);
  }
  if (new Set(filled).size !== filled.length) faults.push('an order filled twice');
  for (const order of filled) {
    if (statuses.get(order) !== 'filled')
      faults.push(`order ${order} traded and is ${statuses.get(order)}`);
  }
  if ([...statuses.values()].filter((status) => status === 'filled').length !== filled.length) {
    faults.push('an order is filled without a trade');
  }
  const held = new Map<string, ReturnType<typeof decimal>>();
  let booked = decimal('1');
  for (const { action, stock_id, amount, total, fee_total, rounding } of trades) {
    const sign = action === 'buy' ? '-1' : '1';
    booked = booked.plus(decimal(total).times(sign)).minus(fee_total).minus(rounding);
    held.set(stock_id, (held.get(stock_id) ?? decimal('0')).minus(decimal(amount).times(sign)));
  }
  const { cash, positions } = await ask(url, 'getPositions', { strategy_id }, token);
  if (!booked.eq(cash)) faults.push(`cash is ${cash}, the trades say ${booked.toFixed()}`);
  for (const [stockId, amount] of held) {
    const position = positions.find(({ stock_id }) => stock_id === stockId);
    if (!amount.eq(position?.amount ?? '0'))
      faults.push(`${stockId} is ${position?.amount}, the trades say ${amount.toFixed()}`);
  }
  return faults;
}

/** Every figure of the bot's account that does not follow from its orders: one that was sent twice, or forgotten. */
export async function faultsOfBot(url: string, token: string, bot_id: string): Promise<string[]> {
  const orders = await all(
    (cursor) => ask(url, 'getBotOrders', { bot_id, ...cursor }, token),
    ({ bot_order_id }) => bot_order_id,
  );
  const held = new Map<string, ReturnType<typeof decimal>>();
  for (const { stock_id, action, filled_amount } of orders) {
    const amount = action === 'buy' ? decimal(filled_amount) : decimal(filled_amount).neg();
    held.set(stock_id, (held.get(stock_id) ?? decimal('0')).plus(amount));
  }
  const { positions } = await ask(url, 'getBotAccount', { bot_id }, token);
  const stockIds = new Set([...held.keys(), ...positions.map(({ stock_id }) => stock_id)]);
  return [...stockIds].flatMap((stockId) => {
    const amount = positions.find(({ stock_id }) => stock_id === stockId)?.amount ?? '0';
    const ordered = held.get(stockId) ?? decimal('0');
    return ordered.eq(amount)
      ? []
      : [`the bot holds ${amount} of ${stockId}, its orders say ${ordered.toFixed()}`];
  });
}
