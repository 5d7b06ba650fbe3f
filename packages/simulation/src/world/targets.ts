import { type Decimal, TWO, ZERO, decimal, divide, max } from '@slipstream/domain';
import { worth } from './places.js';
import type { BotRow, PositionRow } from './rows.js';
import type { World } from './world.js';

/** The value of a holding at the true prices: signed, at the bid if long, at the ask if short. */
export function valueOfHolding(world: World, stockId: string, amount: string): Decimal {
  const quote = world.market.latest(stockId);
  const size = decimal(amount);
  return size.times((size.gt(ZERO) ? quote?.bid : quote?.ask) ?? ZERO);
}

/** The target weight of each stock of the bot, before positions that the broker cannot hold are left out. */
export function targetOf(world: World, bot: BotRow): ReadonlyMap<string, Decimal> {
  const target = new Map<string, Decimal>();
  const allocations = JSON.parse(bot.allocations) as [string, string][];
  for (const [strategyId, percent] of allocations) {
    const value = worth(world, strategyId, (stockId) => world.market.latest(stockId));
    if (!value || value.lte(ZERO)) continue;
    const held = world.database.rows<PositionRow>(
      'SELECT * FROM positions WHERE strategy_id = ?',
      strategyId,
    );
    const shares = held.map(({ stock_id, amount }) => ({
      stock_id,
      share: divide(valueOfHolding(world, stock_id, amount), value),
    }));
    const gross = shares.reduce((sum, { share }) => sum.plus(share.abs()), ZERO);
    // Contract 4: the weights of one strategy are scaled down to a gross exposure of at most 2.
    const scale = divide(TWO, max(TWO, gross)).times(decimal(percent)).times(decimal(bot.leverage));
    for (const { stock_id, share } of shares) {
      target.set(stock_id, (target.get(stock_id) ?? ZERO).plus(share.times(scale)));
    }
  }
  return target;
}
