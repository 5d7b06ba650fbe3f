import { type Decimal, ZERO, decimal, sum } from '@slipstream/domain';
import type { Run } from '../../run/run.js';
import { amountHeld } from '../../world/places.js';
import type { TradeRow } from '../../world/rows.js';
import type { World } from '../../world/world.js';

interface SentOrderRow {
  readonly stock_id: string;
  readonly action: 'buy' | 'sell';
  readonly closes: number;
  readonly condition: string;
  readonly allocations: string;
}

/** The trades that are stored now. */
export const tradesNow = (world: World): ReadonlySet<string> =>
  new Set(world.database.rows<{ id: string }>('SELECT id FROM trades').map(({ id }) => id));

const isToward = (action: 'buy' | 'sell', amount: Decimal): boolean =>
  action === 'buy' ? amount.gt(ZERO) : amount.lt(ZERO);

const signed = ({ action, amount }: TradeRow): Decimal =>
  action === 'buy' ? decimal(amount) : ZERO.minus(decimal(amount));

/**
 * B12: no order leaves that trades of its strategies since its plan made wrong: one of them traded the stock the other way on balance, or
 * none has the position any more that the order would open or add to.
 */
export function checkNotOvertaken(
  { world, memory }: Run,
  { clientOrderId }: { clientOrderId: string },
): void {
  const before = memory.tradesAtPlan.get(clientOrderId);
  const [order] = world.database.rows<SentOrderRow>(
    `SELECT stock_id, action, closes, condition, allocations
     FROM bot_orders JOIN bots ON bots.id = bot_orders.bot_id WHERE bot_orders.id = ?`,
    clientOrderId,
  );
  // A trade beside other commands may be stored between the last check of the order and its departure.
  if (!before || order?.condition !== 'active' || world.interleaves) return;
  const allocations = JSON.parse(order.allocations) as [string, string][];
  const strategies = allocations.flatMap(([name, part]) => (decimal(part).eq(ZERO) ? [] : [name]));
  const since = world.database
    .rows<TradeRow>('SELECT * FROM trades WHERE stock_id = ?', order.stock_id)
    .filter((trade) => !before.has(trade.id) && strategies.includes(trade.strategy_id));
  if (since.length === 0) return;
  world.reach('bot order: sent though a strategy traded since');
  const back = order.action === 'buy' ? 'sell' : 'buy';
  const against = strategies.find((name) =>
    isToward(back, sum(since.filter((one) => one.strategy_id === name).map(signed))),
  );
  if (against !== undefined)
    world.violate('B12', `${clientOrderId} is sent, though ${against} traded the other way since`);
  const isHeld = (name: string): boolean =>
    isToward(order.action, amountHeld(world, name, order.stock_id));
  if (order.closes === 0 && !strategies.some(isHeld))
    world.violate(
      'B12',
      `the increase ${clientOrderId} is sent, and no strategy holds it any more`,
    );
}
