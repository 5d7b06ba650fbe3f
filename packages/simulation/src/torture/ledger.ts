import { createHash } from 'node:crypto';
import {
  type Decimal,
  ONE,
  ZERO,
  type TrackEntry,
  decimal,
  id,
  verifyTrack,
} from '@slipstream/domain';
import type { BookRow, BotOrderRow, OrderRow, PositionRow, TradeRow } from '../world/rows.js';
import type { Promised } from './promised.js';

interface TrackRow {
  readonly strategy_id: string;
  readonly seq: number;
  readonly kind: TrackEntry['kind'];
  readonly at: number;
  readonly body: string;
  readonly previous_hash: string;
  readonly hash: string;
}

/** The rows that the checks read, of SQLite or of PostgreSQL, at one moment. */
export interface Ledger {
  readonly orders: readonly Pick<OrderRow, 'id' | 'status' | 'total'>[];
  readonly trades: readonly TradeRow[];
  readonly books: readonly Pick<BookRow, 'strategy_id' | 'cash'>[];
  readonly positions: readonly PositionRow[];
  readonly entries: readonly TrackRow[];
  readonly botOrders: readonly BotOrderRow[];
  readonly accounts: readonly { readonly state: string }[];
}

/** The queries of the ledger's rows. */
export const LEDGER: Readonly<Record<keyof Ledger, string>> = {
  orders: 'SELECT id, status, total FROM orders',
  trades: 'SELECT * FROM trades',
  books: 'SELECT strategy_id, cash FROM books',
  positions: 'SELECT * FROM positions',
  entries: 'SELECT * FROM track_entries ORDER BY strategy_id, seq',
  botOrders: 'SELECT * FROM bot_orders',
  accounts: 'SELECT state FROM broker_accounts',
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const signed = (action: string, amount: string): Decimal =>
  action === 'buy' ? decimal(amount) : ZERO.minus(amount);

const add = (sums: Map<string, Decimal>, key: string, amount: Decimal): void =>
  void sums.set(key, (sums.get(key) ?? ZERO).plus(amount));

/** The faults of a ledger, by checks that hold at any moment: every answered effect is there, once, and all adds up. */
export const faultsOf = (ledger: Ledger, promised: Promised): string[] => [
  ...brokenPromises(ledger.orders, ledger.trades, promised),
  ...balances(ledger),
  ...records(ledger, promised),
  ...brokerOrders(ledger),
];

/** The same checks for orders and trades from any source. */
export function brokenPromises(
  orders: readonly Pick<OrderRow, 'id' | 'status' | 'total'>[],
  trades: readonly Pick<TradeRow, 'id' | 'order_id'>[],
  promised: Promised,
): string[] {
  const faults: string[] = [];
  const statuses = new Map(orders.map((order) => [order.id, order.status]));
  const tradeIds = new Set(trades.map((trade) => trade.id));
  for (const order of promised.orders)
    if (!statuses.has(order)) faults.push(`order ${order} was answered and is lost`);
  for (const order of promised.cancelled)
    if (statuses.get(order) !== 'cancelled')
      faults.push(`order ${order} was cancelled and is ${statuses.get(order)}`);
  for (const trade of promised.trades)
    if (!tradeIds.has(trade)) faults.push(`trade ${trade} was answered and is lost`);
  for (const trade of trades)
    if (statuses.get(trade.order_id) !== 'filled')
      faults.push(`order ${trade.order_id} traded and is ${statuses.get(trade.order_id)}`);
  const filled = orders.filter(({ status }) => status === 'filled').length;
  if (filled !== trades.length)
    faults.push(`${filled} orders are filled by ${trades.length} trades`);
  const totals = new Map<string, string>();
  for (const { id: order, total } of orders) {
    if (total === null || !promised.totals.has(total)) continue;
    const other = totals.get(total);
    if (other !== undefined) faults.push(`orders ${other} and ${order} are of one request`);
    totals.set(total, order);
  }
  return faults;
}

/** Cash is 1 - bought + sold - fees - rounding, and positions are bought - sold, to the last digit. */
function balances({ trades, books, positions }: Ledger): string[] {
  const faults: string[] = [];
  const [cash, held] = [new Map<string, Decimal>(), new Map<string, Decimal>()];
  for (const trade of trades) {
    const { strategy_id, stock_id, action, amount, total, fee_total, rounding } = trade;
    add(cash, strategy_id, ZERO.minus(signed(action, total)).minus(fee_total).minus(rounding));
    add(held, `${strategy_id} ${stock_id}`, signed(action, amount));
  }
  for (const book of books) {
    const booked = ONE.plus(cash.get(book.strategy_id) ?? ZERO);
    if (!booked.eq(book.cash))
      faults.push(
        `cash of ${book.strategy_id} is ${book.cash}, its trades say ${booked.toFixed()}`,
      );
  }
  for (const position of positions) {
    const key = `${position.strategy_id} ${position.stock_id}`;
    add(held, key, ZERO.minus(position.amount));
  }
  for (const [key, rest] of held)
    if (!rest.eq(ZERO)) faults.push(`${key}: its trades say ${rest.toFixed()} more`);
  return faults;
}

/** Every track record verifies, contains the last seen head, and names every trade. */
function records({ entries: rows, trades }: Ledger, promised: Promised): string[] {
  const faults: string[] = [];
  const entries = new Map<string, TrackEntry[]>();
  for (const row of rows) {
    const { strategy_id, seq, kind, at, body, previous_hash: previousHash, hash } = row;
    const strategyId = id<'strategy'>(strategy_id);
    const own = entries.get(strategy_id) ?? [];
    own.push({ strategyId, seq, kind, at, body, previousHash, hash });
    entries.set(strategy_id, own);
  }
  for (const [strategyId, own] of entries) {
    const verdict = verifyTrack(own, sha256, promised.heads.get(strategyId));
    if (verdict.intact) promised.heads.set(strategyId, verdict.head);
    else faults.push(`track record of ${strategyId}, entry ${verdict.seq}: ${verdict.reason}`);
  }
  const recorded = rows.filter(({ kind }) => kind === 'trade').length;
  if (trades.length !== recorded)
    faults.push(`${trades.length} trades have ${recorded} track entries`);
  return faults;
}

interface Account {
  readonly amounts: Readonly<Record<string, string>>;
  readonly orders: readonly { readonly clientOrderId: string; readonly filledAmount: string }[];
}

const accountsOf = ({ accounts }: Ledger): Account[] =>
  accounts.map(({ state }) => JSON.parse(state) as Account);

/** The broker has each order once, and only orders with a stored intent. */
function brokerOrders(ledger: Ledger): string[] {
  const faults: string[] = [];
  const meant = new Map(ledger.botOrders.map((order) => [order.id, order]));
  for (const { orders } of accountsOf(ledger)) {
    const names = new Set(orders.map(({ clientOrderId }) => clientOrderId));
    if (names.size !== orders.length) faults.push('the broker has an order twice');
    for (const { clientOrderId, filledAmount } of orders) {
      const order = meant.get(clientOrderId);
      if (!order) faults.push(`the broker has ${clientOrderId}, which was never meant`);
      else if (decimal(order.filled_amount).gt(filledAmount))
        faults.push(`bot order ${order.id} counts more than the broker filled`);
    }
  }
  return faults;
}

/**
 * What is not settled yet: bot orders that the broker may or may not have, or accounts that do not hold what the bot's orders
 * bought and sold, each once. An order that is open rests there, until the market reaches its limit.
 */
export function unsettled(ledger: Ledger): string[] {
  if (ledger.botOrders.some(({ status }) => status === 'new' || status === 'unknown'))
    return ['bot orders stay unsettled'];
  const held = new Map<string, Decimal>();
  for (const { stock_id, action, filled_amount } of ledger.botOrders)
    add(held, stock_id, signed(action, filled_amount));
  for (const { amounts } of accountsOf(ledger))
    for (const [stockId, amount] of Object.entries(amounts)) add(held, stockId, ZERO.minus(amount));
  return [...held]
    .filter(([, rest]) => !rest.eq(ZERO))
    .map(([stockId, rest]) => `bot orders say ${rest.toFixed()} more of ${stockId}`);
}
