import { type Decimal, ONE, type Quote, type Stock, ZERO, decimal } from '@slipstream/domain';
import type { BookRow, BotRow, HaltRow, OrderRow, PositionRow } from './rows.js';
import { type Place, USERS, type UserName } from '../story/story.js';
import { STOCKS } from './stocks.js';
import type { World } from './world.js';

export interface StrategyPlace {
  readonly id: string;
  readonly user_id: string;
  readonly type: 'stock' | 'cryptocurrency';
  readonly price: number;
  readonly deleted_at: number | null;
}

const pick = <Item>(items: readonly Item[], place: Place): Item | undefined =>
  items[place % Math.max(1, items.length)];

/** The strategy at that place, oldest first, including deleted ones. */
export const strategyAt = (world: World, place: Place): StrategyPlace | undefined =>
  pick(world.database.rows<StrategyPlace>('SELECT * FROM strategies ORDER BY id'), place);

/** The instrument at that place among those that the strategy can trade, with its latest quote. */
export function stockAt(
  world: World,
  place: Place,
  type?: StrategyPlace['type'],
): { readonly id: string; readonly stock: Stock; readonly quote: Quote } {
  const fitting = STOCKS.filter(([stock]) => type === undefined || stock.security === type);
  const [stock] = pick(fitting, place) as (typeof STOCKS)[number];
  const quote = world.market.latest(stock.id);
  if (!quote) throw new Error(`${stock.id} has no quote`);
  return { id: stock.id, stock, quote };
}

/** The status that the core has stored. */
export const stockStatus = (world: World, stockId: string): string =>
  world.database.rows<{ status: string }>('SELECT status FROM stocks WHERE id = ?', stockId)[0]
    ?.status ?? 'unknown';

export const openOrders = (world: World, strategyId: string): OrderRow[] =>
  world.database.rows<OrderRow>(
    "SELECT * FROM orders WHERE strategy_id = ? AND status = 'open' ORDER BY place",
    strategyId,
  );

/** The open order at that place, or any order if none is open. */
export const orderAt = (world: World, strategyId: string, place: Place): string | undefined =>
  (
    pick(openOrders(world, strategyId), place) ??
    pick(
      world.database.rows<OrderRow>(
        'SELECT * FROM orders WHERE strategy_id = ? ORDER BY place',
        strategyId,
      ),
      place,
    )
  )?.id;

export const botAt = (world: World, place: Place): BotRow | undefined =>
  pick(world.database.rows<BotRow>('SELECT * FROM bots ORDER BY id'), place);

/** The standing halts, oldest first. */
export const standingHalts = (world: World): HaltRow[] =>
  world.database.rows<HaltRow>('SELECT * FROM halts ORDER BY created_at, id');

export const haltAt = (world: World, place: Place): HaltRow | undefined =>
  pick(standingHalts(world), place);

export function userIdOf(world: World, name: UserName): string {
  const email = `${name}@example.com`;
  const [row] = world.database.rows<{ id: string }>('SELECT id FROM users WHERE email = ?', email);
  return row?.id ?? '';
}

export const nameOf = (world: World, userId: string): UserName =>
  USERS.find((name) => userIdOf(world, name) === userId) ?? 'ada';

const bookOf = (world: World, strategyId: string): BookRow | undefined =>
  world.database.rows<BookRow>('SELECT * FROM books WHERE strategy_id = ?', strategyId)[0];

/** The version of the strategy's book. */
export const versionOf = (world: World, strategyId: string): number =>
  bookOf(world, strategyId)?.version ?? 0;

/** Signed; 0 without a position. */
export function amountHeld(world: World, strategyId: string, stockId: string): Decimal {
  const sql = 'SELECT * FROM positions WHERE strategy_id = ? AND stock_id = ?';
  const [position] = world.database.rows<PositionRow>(sql, strategyId, stockId);
  return decimal(position?.amount ?? '0');
}

/** The value of a strategy at these quotes, computed from its rows; undefined if a quote is missing. */
export function worth(
  world: World,
  strategyId: string,
  quoteOf: (stockId: string) => { readonly bid: Decimal; readonly ask: Decimal } | undefined,
): Decimal | undefined {
  let value = decimal(bookOf(world, strategyId)?.cash ?? '1');
  const held = world.database.rows<PositionRow>(
    'SELECT * FROM positions WHERE strategy_id = ?',
    strategyId,
  );
  for (const { stock_id, amount } of held) {
    const quote = quoteOf(stock_id);
    if (!quote) return undefined;
    const size = decimal(amount);
    value = value.plus(size.times(size.gt(ZERO) ? quote.bid : quote.ask));
  }
  return value;
}

/** As `worth` at the true prices; 1 if it is unknown. */
export const worthNow = (world: World, strategyId: string): Decimal =>
  worth(world, strategyId, (stockId) => world.market.latest(stockId)) ?? ONE;
