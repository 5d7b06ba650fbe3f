import { type Quote, isUsable, decimal, id } from '@slipstream/domain';
import type { Doing } from './doing.js';
import type { QuoteMove } from './story.js';
import { STOCKS, type World } from './world.js';

const MINUTE = 60_000;
/** Prices keep as many places as a market would show. */
const PLACES = 8;

function quoteOf(world: World, { stock, move, kind }: QuoteMove): Quote {
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

/** Quotes happen and are told to the core; the broker sees them by itself. */
export async function moveQuotes(
  { world, application }: Doing,
  moves: readonly QuoteMove[],
): Promise<void> {
  const quotes: Quote[] = [];
  for (const move of moves) {
    const quote = quoteOf(world, move);
    quotes.push(quote);
    world.market.put(quote);
    world.reach(`quote: ${move.kind}`);
  }
  const report = application.newQuotes(
    { kind: 'operator' },
    { quotes: quotes.map(({ stockId, ...figures }) => ({ stock: stockId, ...figures })) },
  );
  // They stand in the core as soon as it was asked, before any order has met them.
  const known = world.memory.knownQuotes;
  for (const quote of quotes) {
    const before = known.get(quote.stockId);
    const later = !before || before.at <= quote.at;
    if (isUsable(quote) && quote.at <= world.clock.now() && later) known.set(quote.stockId, quote);
  }
  const { rejected } = await report;
  const bad = moves.filter(
    ({ kind }) => kind === 'crossed' || kind === 'zero' || kind === 'future',
  );
  if (rejected.length < bad.length) {
    world.violate('quotes', `${bad.length} unusable quotes came, ${rejected.length} were rejected`);
  }
}
