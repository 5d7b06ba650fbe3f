import { type Bot, type BotOrder, priceDoubt } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { BotDeps } from '../bot-deps.js';

/**
 * Why an order in the stock may not be sent at this moment, as a sentence for users; null when it may. A plan is seconds old when its last
 * order is sent, and up to a minute when an order is sent again.
 */
export async function stockForbids(
  { market, settings }: Pick<BotDeps, 'market' | 'settings'>,
  { stockActions }: Pick<ReadStores, 'stockActions'>,
  bot: Pick<Bot, 'maxSpread'>,
  { stockId, createdAt }: Pick<BotOrder, 'stockId' | 'createdAt'>,
): Promise<string | null> {
  const now = market();
  const stock = now.stock(stockId);
  if (!stock) return null;
  const { symbol, status, security } = stock;
  if (status !== 'active') return `${symbol} is ${status}.`;
  const since = await stockActions.ofStock(stockId, createdAt);
  if (since.some((action) => action.kind === 'split' && action.createdAt > createdAt))
    return `${symbol} was split meanwhile.`;
  const doubt = priceDoubt({
    quote: now.quote(stockId),
    isFresh: now.freshQuote(stockId) !== undefined,
    brokerPrice: undefined,
    maxSpread: bot.maxSpread ?? settings.maxSpread[security],
  });
  return doubt === null ? null : `${symbol}: ${doubt}.`;
}
