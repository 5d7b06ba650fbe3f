import { z } from 'zod';
import {
  type Size,
  type Pricing,
  type Decimal,
  ACTIONS,
  ORDER_TYPES,
  pricesOf,
  PRICE_NAMES,
  pricingWith,
  pricingFault,
} from '@slipstream/domain';
import { idOf, stockRef } from '../fields/text.js';
import { oneOf, flag } from '../fields/lists.js';
import { positiveSize, positive } from '../fields/decimals.js';

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
        'Orders of the same strategy that must be filled, cancelled or rejected first: the end of each, whichever it is, releases this order. One that is filled already counts as met. Chains are at most 100 deep.',
    }),
  reduce_only: flag.optional().meta({
    description:
      'Cut to the holding when it fills, cancelled without one. Default false; true for an order with dependencies that only reduces the holding that they leave.',
  }),
});
type Fields = z.output<typeof fields>;

/** newOrder's body, with the checks of each order type (spec 2.6, contract 3). */
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

/** The size, or the error in it. */
function readSize({ amount, total }: Fields): Size | string {
  if (amount && !total) return { by: 'amount', amount };
  if (total && !amount) return { by: 'total', total };
  return 'send exactly one of amount and total';
}

const FIELDS = { price: 'price', stopPrice: 'stop_price' } as const;

/** The pricing, or the error in it. */
function readPricing({ type = 'market', action, ...sent }: Fields): Pricing | string {
  const name = `a ${type} order`.replace('a oco', 'an oco');
  const takes = pricesOf(type);
  const extra = PRICE_NAMES.find((price) => sent[FIELDS[price]] && !takes.includes(price));
  if (extra) return `${name} takes no ${FIELDS[extra]}`;
  const missing = takes.find((price) => !sent[FIELDS[price]]);
  if (missing) return `${name} requires ${FIELDS[missing]}`;
  const pricing = pricingWith(type, (price) => sent[FIELDS[price]] as Decimal);
  return pricingFault(pricing, action) ?? pricing;
}
