import {
  type Decimal,
  type QuotedStock,
  Refusal,
  type Security,
  type Timestamp,
} from '@slipstream/domain';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { DEFAULT_LIMIT } from '../page.js';
import { viewStock } from '../trading/order-views.js';
import type { QuoteIntake } from './quotes/quote-intake.js';

/** The existing ones of the named instruments, in the requested order, each once. Stocks are public. */
export const getStocks =
  ({ live, clock }: Core) =>
  async (
    _caller: Caller,
    { stocks }: { readonly stocks: readonly string[] },
  ): Promise<QuotedStock[]> => {
    const found = stocks.flatMap((name) => live.stocks.lookUp(name) ?? []);
    const market = live.market(clock.now());
    return [...new Set(found)].map((stock) => viewStock(stock, market));
  };

/** Instruments whose ticker, symbol or name contains the query, best match first. */
export const findStocks =
  ({ live, clock }: Core) =>
  async (
    _caller: Caller,
    command: {
      readonly query?: string | undefined;
      readonly security?: Security | undefined;
      readonly limit?: number | undefined;
    },
  ): Promise<QuotedStock[]> => {
    const { query = '', security, limit = DEFAULT_LIMIT } = command;
    const market = live.market(clock.now());
    return live.stocks.search(query, security, limit).map((stock) => viewStock(stock, market));
  };

/** The number of accepted quotes, and the reasons for the others by index. */
export interface QuoteReport {
  readonly accepted: number;
  readonly rejected: readonly { readonly index: number; readonly reason: string }[];
}

/** Takes quotes from the operator, for a server without its own market feed. */
export const newQuotes =
  ({ live, clock, marketFeed }: Core, intake: QuoteIntake) =>
  async (
    _caller: Caller,
    command: {
      readonly quotes: readonly {
        readonly stock: string;
        readonly bid: Decimal;
        readonly ask: Decimal;
        readonly last: Decimal;
        readonly at?: Timestamp | undefined;
      }[];
    },
  ): Promise<QuoteReport> => {
    if (!marketFeed.acceptsQuotes) {
      throw new Refusal(
        'conflict',
        'quotes come from the market of this server; newQuotes needs MARKET=push',
      );
    }
    const now = clock.now();
    const rejected: { index: number; reason: string }[] = [];
    const known = command.quotes.flatMap(({ stock, bid, ask, last, at = now }, index) => {
      try {
        const { id: stockId } = live.stocks.resolve(stock);
        return [{ index, quote: { stockId, bid, ask, last, at } }];
      } catch (error) {
        // An unknown name must not reject the other quotes.
        if (!(error instanceof Refusal)) throw error;
        rejected.push({ index, reason: error.message });
        return [];
      }
    });
    const dropped = await intake.receive(known.map(({ quote }) => quote));
    for (const [position, reason] of dropped) {
      rejected.push({ index: known[position]?.index ?? position, reason });
    }
    rejected.sort((first, second) => first.index - second.index);
    return { accepted: command.quotes.length - rejected.length, rejected };
  };
