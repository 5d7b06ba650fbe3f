import { type Decimal, type Quote, ZERO, decimal, divide, round18 } from '@slipstream/domain';
import { inNewShares } from '../world/true-market.js';
import type { Run } from '../run/run.js';
import type { World } from '../world/world.js';
import type { AdjustmentRow, OrderRow, PositionRow, TradeRow } from '../world/rows.js';

interface ActionRow {
  readonly id: string;
  readonly stock_id: string;
  readonly kind: 'split' | 'cash_dividend' | 'delisting';
  readonly figure: string;
  readonly status: 'pending' | 'done';
  readonly created_at: number;
}

const SMALLEST = decimal('0.000000000000000001');
/** The most that a split may change a position's value: a few units in the last place of amount and price. */
const HAIR = decimal('0.00000000000000001');

/** The stocks whose split is in progress, which have no quotes. */
export const beingSplit = (world: World): ReadonlySet<string> =>
  new Set(
    world.database
      .rows<ActionRow>("SELECT * FROM stock_actions WHERE status = 'pending' AND kind = 'split'")
      .map((action) => action.stock_id),
  );

/** S1: the effect of an action on a book follows from its figures, and a split keeps the value. */
function checkFigures({ world, memory }: Run, row: AdjustmentRow): void {
  const [before, after, figure, cash] = [
    decimal(row.amount_before),
    decimal(row.amount_after),
    decimal(row.figure),
    decimal(row.cash),
  ];
  const say = (text: string): void =>
    world.violate('S1', `${row.kind} of ${row.stock_id} at ${row.strategy_id}: ${text}`);
  if (row.kind === 'delisting') return after.eq(ZERO) ? undefined : say('something is left');
  if (row.kind === 'cash_dividend') {
    if (!after.eq(before)) say('the holding changed');
    if (!cash.eq(round18(before.times(figure)))) say(`${row.cash} was paid`);
    return;
  }
  if (!after.eq(round18(before.times(figure), 'down'))) say(`${row.amount_after} is held`);
  const quote = memory.knownQuotes.get(row.stock_id);
  if (!quote) return;
  const price = before.gt(ZERO) ? quote.bid : quote.ask;
  const priceAfter = divide(price, figure);
  const moved = after.times(priceAfter).plus(cash).minus(before.times(price));
  // A crash loses a quote that was not yet stored, so fractions below 1e-18 of a share may be paid at another price.
  const most = HAIR.plus(after.abs().plus(price).plus(priceAfter).times(SMALLEST));
  if (moved.abs().gt(most)) say(`the value moved by ${moved.toFixed()}`);
}

/** S2: when an action is complete, every affected book has it. */
function checkDone(world: World, action: ActionRow, rows: readonly AdjustmentRow[]): void {
  const has = new Set(
    rows.filter((row) => row.action_id === action.id).map((row) => row.strategy_id),
  );
  const { database } = world;
  const held = database.rows<PositionRow>(
    'SELECT * FROM positions WHERE stock_id = ?',
    action.stock_id,
  );
  const open =
    action.kind === 'cash_dividend'
      ? []
      : database.rows<OrderRow>(
          "SELECT * FROM orders WHERE stock_id = ? AND status = 'open'",
          action.stock_id,
        );
  const left = [...held, ...open].find(({ strategy_id }) => !has.has(strategy_id));
  if (left)
    world.violate('S2', `${action.kind} ${action.id} is done and not at ${left.strategy_id}`);
}

/** The last quote once a dividend is paid: less an announced one that is still in its price, so that the value stays as it was. */
function lessDividend(world: World, quote: Quote, action: ActionRow): Quote {
  const [announced] = world.database.rows<{ readonly due_at: number }>(
    'SELECT due_at FROM announced_actions WHERE id = ?',
    action.id,
  );
  const paid = decimal(action.figure);
  const isLess = announced && quote.at < announced.due_at;
  if (!isLess || quote.bid.lte(paid) || quote.last.lte(paid)) return quote;
  const [bid, ask, last] = [quote.bid.minus(paid), quote.ask.minus(paid), quote.last.minus(paid)];
  return { ...quote, bid, ask, last };
}

/** Checks corporate actions and their effects on books; prices are in new shares from the commit that begins a split. */
export function checkStockActions(run: Run): void {
  const { world, memory } = run;
  const { database } = world;
  const rows = database.rows<AdjustmentRow>('SELECT * FROM adjustments');
  for (const row of rows) {
    if (memory.adjustments.has(row.id)) continue;
    memory.adjustments.add(row.id);
    world.reach(`adjusted: ${row.kind}`);
    checkFigures(run, row);
    if (row.kind !== 'split') continue;
    const key = `${row.strategy_id} ${row.stock_id}`;
    memory.freshSplits.set(key, [...(memory.freshSplits.get(key) ?? []), decimal(row.figure)]);
  }
  for (const action of database.rows<ActionRow>('SELECT * FROM stock_actions')) {
    const before = memory.actions.get(action.id);
    if (before === action.status) continue;
    memory.actions.set(action.id, action.status);
    const ratio = decimal(action.figure);
    if (before === undefined) {
      if (action.kind === 'split') world.market.split(action.stock_id, ratio, action.created_at);
      const { kind, stock_id: stockId } = action;
      if (world.broker.name === 'alpaca_paper')
        world.broker.takesEffect({ kind, figure: ratio, stockId });
    }
    if (action.status !== 'done') continue;
    if (action.kind === 'cash_dividend') memory.dividendsPaid += 1;
    if (!world.interleaves) checkDone(world, action, rows);
    const known = memory.knownQuotes.get(action.stock_id);
    if (known && action.kind === 'split')
      memory.knownQuotes.set(action.stock_id, inNewShares(known, ratio));
    if (known && action.kind === 'cash_dividend')
      memory.knownQuotes.set(action.stock_id, lessDividend(world, known, action));
  }
}

/** S5: while a dividend of a stock is being paid, nobody trades the stock. */
export function checkUnpaid(world: World, trade: TradeRow): void {
  const [unpaid] = world.database.rows<ActionRow>(
    "SELECT * FROM stock_actions WHERE status = 'pending' AND kind = 'cash_dividend' AND stock_id = ? AND created_at < ?",
    trade.stock_id,
    trade.created_at,
  );
  if (!unpaid) return;
  world.violate('S5', `trade ${trade.id} was made before the dividend ${unpaid.id} was paid`);
}

const FIGURES = ['price', 'stop_price', 'amount', 'total'] as const;
const figuresOf = (order: OrderRow): string => JSON.stringify(FIGURES.map((name) => order[name]));

/** S3: only splits change the figures of an open order, each once. */
export function checkAdjustedOrder({ world, memory }: Run, order: OrderRow): void {
  const { figures, freshSplits } = memory;
  const before = figures.get(order.id);
  figures.set(order.id, order);
  if (!before || figuresOf(before) === figuresOf(order)) return;
  world.reach('order: adjusted');
  const [ratio, another] = freshSplits.get(`${order.strategy_id} ${order.stock_id}`) ?? [];
  if (another) return;
  const say = (text: string): void => world.violate('S3', `open order ${order.id} ${text}`);
  if (!ratio) return say('changed without a split');
  const fits = (was: string | null, is: string | null, next: (figure: Decimal) => Decimal) =>
    was === null ? is === null : is !== null && decimal(is).eq(next(decimal(was)));
  const priced = (figure: Decimal): Decimal => atLeast(divide(figure, ratio));
  const sized = (figure: Decimal): Decimal => atLeast(round18(figure.times(ratio), 'down'));
  const isRight =
    fits(before.price, order.price, priced) &&
    fits(before.stop_price, order.stop_price, priced) &&
    fits(before.amount, order.amount, sized) &&
    before.total === order.total;
  if (!isRight) say(`was not split by ${ratio.toFixed()}`);
}

const atLeast = (figure: Decimal): Decimal => (figure.lt(SMALLEST) ? SMALLEST : figure);
