import { type Bot, type BotId, type Quote, type StockId, limitsLosses } from '@slipstream/domain';

/**
 * Whether quotes may show that the bot breaches a limit: no breach stands, it is not off, and its account was read since it was
 * started.
 */
export const isWatched = ({ limits, breach, status, lossWatch }: Bot): boolean =>
  limitsLosses(limits) && breach === null && status !== 'off' && lossWatch?.resumes === false;

/** The bots whose losses are limited, by the stocks that they hold: a quote of any other stock costs nothing. */
export class LossIndex {
  private readonly bots = new Map<BotId, Bot>();
  private readonly holders = new Map<StockId, Set<BotId>>();
  private readonly quoted = new Set<StockId>();

  /** Takes a bot as it was just saved. */
  put(bot: Bot): void {
    this.remove(bot.id);
    if (!isWatched(bot)) return;
    this.bots.set(bot.id, bot);
    for (const stockId of bot.lossWatch?.holdings.keys() ?? []) {
      const holders = this.holders.get(stockId) ?? new Set();
      this.holders.set(stockId, holders.add(bot.id));
    }
  }

  quotesChanged(quotes: readonly Pick<Quote, 'stockId'>[]): void {
    if (this.holders.size === 0) return;
    for (const { stockId } of quotes) if (this.holders.has(stockId)) this.quoted.add(stockId);
  }

  /** The bots that hold a stock which was quoted since the last call. */
  takeQuoted(): readonly Bot[] {
    const found = new Set<BotId>();
    for (const stockId of this.quoted)
      for (const botId of this.holders.get(stockId) ?? []) found.add(botId);
    this.quoted.clear();
    return [...found].flatMap((botId) => this.bots.get(botId) ?? []);
  }

  remove(botId: BotId): void {
    for (const stockId of this.bots.get(botId)?.lossWatch?.holdings.keys() ?? []) {
      const holders = this.holders.get(stockId);
      holders?.delete(botId);
      if (holders?.size === 0) this.holders.delete(stockId);
    }
    this.bots.delete(botId);
  }
}
