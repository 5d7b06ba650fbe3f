import { type Pricing, type Size, ACTIONS, ORDER_TYPES } from '@slipstream/domain';
import { z } from 'zod';
import { flag, idOf, oneOf, positive, positiveSize, stockRef } from './scalars.js';

const fields = z.strictObject({
  strategy_id: idOf<'strategy'>(),
  stock_id: stockRef,
  action: oneOf(ACTIONS),
  type: oneOf(ORDER_TYPES).optional().meta({ description: 'Default market.' }),
  amount: positiveSize.optional().meta({ description: 'Normalized quantity, greater than 0.' }),
  total: positiveSize.optional().meta({ description: 'Normalized cash, greater than 0.' }),
  price: positive.optional().meta({ description: 'Limit price, a market price.' }),
  stop_price: positive.optional().meta({ description: 'Stop price, a market price.' }),
  order_dependencies: z
    .array(idOf<'order'>(), { error: 'must be an array' })
    .max(100, { error: 'must have at most 100 items' })
    .optional()
    .meta({
      description:
        'Orders of the same strategy that must fill first; one that has filled is met. Chains are at most 100 deep.',
    }),
  reduce_only: flag.optional().meta({
    description:
      'Cut to the holding when it fills, cancelled when there is none. Default false; true for an order with dependencies that only reduces what they leave.',
  }),
});
type Fields = z.output<typeof fields>;

/** newOrder's body; what an order type needs and refuses is checked here (spec 2.6, contract 3). */
export const newOrderRequest = fields.transform((order, context) => {
  const pricing = readPricing(order);
  const size = readSize(order);
  const fault = [size, pricing].find((part) => typeof part === 'string');
  if (typeof pricing === 'string' || typeof size === 'string') {
    context.addIssue({ code: 'custom', message: String(fault) });
    return z.NEVER;
  }
  const { strategy_id, stock_id, action, order_dependencies, reduce_only } = order;
  return { strategy_id, stock_id, action, pricing, size, order_dependencies, reduce_only };
});

/** The size, or what is wrong with it. */
function readSize({ amount, total }: Fields): Size | string {
  if (amount && !total) return { by: 'amount', amount };
  if (total && !amount) return { by: 'total', total };
  return 'send exactly one of amount and total';
}

/** The pricing, or what is wrong with it. */
function readPricing({
  type = 'market',
  action,
  price,
  stop_price: stopPrice,
}: Fields): Pricing | string {
  const name = `a ${type} order`.replace('a oco', 'an oco');
  switch (type) {
    case 'market':
      if (price) return `${name} takes no price`;
      return stopPrice ? `${name} takes no stop_price` : { type };
    case 'limit':
      if (stopPrice) return `${name} takes no stop_price`;
      return price ? { type, price } : `${name} requires price`;
    case 'stop_market':
      if (price) return `${name} takes no price`;
      return stopPrice ? { type, stopPrice } : `${name} requires stop_price`;
    case 'stop_limit':
    case 'oco':
      if (!price || !stopPrice) return `${name} requires ${price ? 'stop_price' : 'price'}`;
      if (type === 'oco' && action === 'buy' && price.gte(stopPrice)) {
        return 'an oco order to buy requires price below stop_price';
      }
      if (type === 'oco' && action === 'sell' && price.lte(stopPrice)) {
        return 'an oco order to sell requires price above stop_price';
      }
      return { type, price, stopPrice };
  }
}
