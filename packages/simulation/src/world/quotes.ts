import { type Quote, decimal, id, MINUTE } from '@slipstream/domain';
import type { QuoteMove } from '../story/story.js';
import { STOCKS } from './stocks.js';
import type { World } from './world.js';

/** The places of prices, as many as a market would show. */
const PLACES = 8;

/** A quote after a move from the last price. */
export function quoteOf(world: World, { stock, move, kind }: QuoteMove): Quote {
  const [{ id: stockId }, first] = STOCKS[stock % STOCKS.length] as (typeof STOCKS)[number];
  const before = world.market.latest(stockId);
  const last = (before?.last ?? decimal(first))
    .times(decimal(String(100 + move)))
    .times(decimal('0.01'))
    .round(PLACES);
  const price = last.gt(decimal('0.0001')) ? last : decimal('0.0001');
  const half = price.times(decimal(kind === 'wide' ? '0.02' : '0.0002')).round(PLACES);
  const [bid, ask] = [price.minus(half), price.plus(half)];
  const at = world.clock.now() + (kind === 'old' ? -2 * MINUTE : kind === 'future' ? MINUTE : 0);
  const quote = { stockId: id<'stock'>(stockId), bid, ask, last: price, at };
  if (kind === 'crossed') return { ...quote, bid: ask.plus(price), ask };
  return kind === 'zero' ? { ...quote, bid: decimal('0') } : quote;
}
