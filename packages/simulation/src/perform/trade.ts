import { type Decimal, type Pricing, divide, round18 } from '@slipstream/domain';
import { hundredths } from './hundredths.js';
import { type CommandContext, acknowledge, requireExisting } from './context.js';
import {
  type StrategyPlace,
  nameOf,
  openOrders,
  orderAt,
  stockAt,
  strategyAt,
  userIdOf,
  worthNow,
} from '../world/places.js';
import type { TradeCommand } from '../story/story.js';

type NewOrder = Extract<TradeCommand, { do: 'newOrder' }>;

/** Prices `away` percent from the market, on the side where the order type usually waits. */
function pricingOf({ type, action, away }: NewOrder, last: Decimal): Pricing {
  const off = (percent: number): Decimal => last.times(hundredths(100 + percent)).round(8);
  const below = action === 'buy' ? -away : away;
  switch (type) {
    case 'market':
      return { type };
    case 'limit':
      return { type, price: off(below) };
    case 'stop_market':
      return { type, stopPrice: off(-below) };
    case 'stop_limit':
      return { type, stopPrice: off(-below), price: off(-below) };
    case 'oco':
      return { type, price: off(below), stopPrice: off(-below) };
  }
}

const PLACED = 'SELECT id FROM orders WHERE id = ?';

/** Places and cancels orders. The caller is the owner, or another user who must be refused (A1). */
export async function performTrade(context: CommandContext, command: TradeCommand): Promise<void> {
  const { world } = context;
  const strategy = requireExisting(strategyAt(world, command.strategy));
  await trade(context, strategy, command);
  const { by } = command;
  if (by !== undefined && userIdOf(world, by) !== strategy.user_id) {
    world.violate('A1', `${by} did ${command.do} to ${strategy.id}`);
  }
}

async function trade(
  context: CommandContext,
  strategy: StrategyPlace,
  command: TradeCommand,
): Promise<void> {
  const { world, memory, application } = context;
  const caller = await context.callerOf(command.by ?? nameOf(world, strategy.user_id));
  const strategyId = strategy.id;
  const value = worthNow(world, strategyId);
  const placed = (orderId: string): void =>
    acknowledge(context, `order ${orderId} was accepted`, PLACED, orderId);
  switch (command.do) {
    case 'newOrder': {
      const { id: stock, quote } = stockAt(world, command.stock, strategy.type);
      const total = round18(value.abs().times(hundredths(command.percent)));
      const open = openOrders(world, strategyId);
      const { order } = await application.operations.newOrder(caller, {
        strategyId,
        stock,
        action: command.action,
        pricing: pricingOf(command, quote.last),
        size:
          command.size === 'total'
            ? { by: 'total', total }
            : { by: 'amount', amount: divide(total, quote.last) },
        dependsOn: command.after.flatMap(
          (place) => open[place % Math.max(1, open.length)]?.id ?? [],
        ),
        reduceOnly: command.reduceOnly,
      });
      return placed(order.id);
    }
    case 'newOrderAllocations': {
      const targets = new Map(
        command.targets.map(({ stock, percent }) => [
          stockAt(world, stock, strategy.type).id,
          hundredths(percent),
        ]),
      );
      const sent = memory.keys.sent.length;
      const orders = await application.operations.newOrderAllocations(caller, {
        strategyId,
        allocations: [...targets].map(([stock, percent]) => ({ stock, percent })),
      });
      for (const { order } of orders) placed(order.id);
      const accepted = new Set<string>(orders.map(({ order }) => order.id));
      const stays = openOrders(world, strategyId).find((order) => !accepted.has(order.id));
      // The answer of a repeat is that of the first request: orders of later batches stay open beside it.
      const isRepeat = memory.keys.sent[sent]?.found !== undefined;
      if (stays && !isRepeat && !world.interleaves) {
        world.violate('O7', `order ${stays.id} stays open beside a new batch`);
      }
      return;
    }
    case 'deleteOrder': {
      const orderId = requireExisting(orderAt(world, strategyId, command.order));
      await application.operations.deleteOrder(caller, { strategyId, orderId });
      const sql = "SELECT id FROM orders WHERE id = ? AND status = 'cancelled'";
      return acknowledge(context, `order ${orderId} was cancelled`, sql, orderId);
    }
  }
}
