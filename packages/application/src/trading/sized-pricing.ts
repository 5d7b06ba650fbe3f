import {
  type Action,
  type Decimal,
  type OrderType,
  type PriceName,
  type Pricing,
  PRICE_NAMES,
  Refusal,
  pricesOf,
  pricingFault,
  pricingWith,
} from '@slipstream/domain';

type Asked = Readonly<Partial<Record<PriceName, Decimal | undefined>>>;

/** As callers write them. */
const FIELDS: Readonly<Record<PriceName, string>> = { price: 'price', stopPrice: 'stop_price' };

/** The type of an order with these prices. With both, an order on an OCO's sides is one (contract 3). */
function typeWith(action: Action, { price, stopPrice }: Asked): OrderType {
  if (price && stopPrice) {
    const oco: Pricing = { type: 'oco', price, stopPrice };
    return pricingFault(oco, action) === undefined ? 'oco' : 'stop_limit';
  }
  if (price) return 'limit';
  return stopPrice ? 'stop_market' : 'market';
}

/** The order whose size is asked for. A type that does not go with the prices is refused, as by newOrder. */
export function sizedPricing(
  action: Action,
  { type: named, ...prices }: Asked & { readonly type?: OrderType | undefined },
): Pricing {
  const type = named ?? typeWith(action, prices);
  const taken = pricesOf(type);
  const pricing = pricingWith(type, (name) => {
    const price = prices[name];
    if (!price) throw new Refusal('invalid_field', `type ${type} requires ${FIELDS[name]}`);
    return price;
  });
  const extra = PRICE_NAMES.find((name) => prices[name] && !taken.includes(name));
  if (extra) throw new Refusal('invalid_field', `type ${type} takes no ${FIELDS[extra]}`);
  const fault = pricingFault(pricing, action);
  if (fault !== undefined) throw new Refusal('invalid_field', fault);
  return pricing;
}
