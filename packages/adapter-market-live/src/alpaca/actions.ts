import {
  DAY,
  HOUR,
  ONE,
  type SourcedAction,
  type Stock,
  type StockId,
  type Timestamp,
  ZERO,
  decimal,
  isoDay,
  tradingDay,
} from '@slipstream/domain';
import type { AnnouncedActions, Log } from '@slipstream/ports';
import { z } from 'zod';
import { type AlpacaKey, DATA_HOST, alpacaRequests, isRefusal, refusedWith } from './requests.js';
import { isFigure } from '../tickers.js';
import { type Answered, askWithoutRefused, exchangeRank, isAlpacaStock } from './symbols.js';

/** The most symbols of one request. */
const CHUNK = 200;
const MOST_PAGES = 100;
const ANSWERED = 30_000;
/** Alpaca finds actions by the day on which it processes them: dividends are paid weeks after their ex-date. */
const PROCESSED_AFTER = 120 * DAY;

const text = z.string().min(1);
const date = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const figure = z.string().refine(isFigure);
const answer = z.object({
  corporate_actions: z.record(z.string(), z.array(z.unknown())),
  next_page_token: z.string().nullish(),
});

/** What a kind means for its stock; the field of its symbol and that of its day. */
interface Kind {
  readonly name: string;
  readonly symbol: string;
  readonly day: 'ex_date' | 'effective_date' | 'process_date';
  read(action: unknown): Pick<SourcedAction, 'kind' | 'newShares' | 'oldShares' | 'amount'> | null;
}

const NONE = { newShares: null, oldShares: null, amount: null } as const;
const shares = z.string().refine((given) => isFigure(given) && decimal(given).gt(ZERO));
const rates = z.object({ new_rate: shares, old_rate: shares });
const rate = z.object({ rate: figure });
const renamed = z.object({ old_symbol: text, new_symbol: text });

const split: Kind['read'] = (action) => {
  const { new_rate, old_rate } = rates.parse(action);
  const [newShares, oldShares] = [decimal(new_rate), decimal(old_rate)];
  return newShares.eq(oldShares) ? null : { kind: 'split', newShares, oldShares, amount: null };
};
const OTHER = { kind: 'other', ...NONE } as const;
const other: Kind['read'] = () => OTHER;

const NO_ACTIONS = 'the source does not know these: no actions';
const RENAMED = 'change of the symbol';

const CASH: Kind = {
  name: 'cash dividend',
  symbol: 'symbol',
  day: 'ex_date',
  read: (action) => {
    const amount = decimal(rate.parse(action).rate);
    return amount.eq(ZERO) ? null : { kind: 'cash_dividend', ...NONE, amount };
  },
};

const REVERSE: Kind = { name: 'reverse split', symbol: 'symbol', day: 'ex_date', read: split };

/** Whether the shares of after a reverse split have another symbol: Alpaca tells it with the split, and mostly none. */
function isRenamedBy(kind: Kind, { symbol, new_symbol: next }: Readonly<Record<string, unknown>>) {
  return kind === REVERSE && typeof next === 'string' && next !== '' && next !== symbol;
}

const KINDS: Readonly<Record<string, Kind>> = {
  forward_splits: { name: 'forward split', symbol: 'symbol', day: 'ex_date', read: split },
  reverse_splits: REVERSE,
  stock_dividends: {
    name: 'stock dividend',
    symbol: 'symbol',
    day: 'ex_date',
    read: (action) => {
      const more = decimal(rate.parse(action).rate);
      if (more.eq(ZERO)) return null;
      return { kind: 'split', newShares: ONE.plus(more), oldShares: ONE, amount: null };
    },
  },
  cash_dividends: CASH,
  worthless_removals: {
    name: 'worthless removal',
    symbol: 'symbol',
    day: 'process_date',
    read: () => ({ kind: 'worthless', ...NONE }),
  },
  name_changes: {
    name: RENAMED,
    symbol: 'old_symbol',
    day: 'process_date',
    // A new name or number of the same symbol changes nothing for who holds it.
    read: (action) => {
      const { old_symbol, new_symbol } = renamed.parse(action);
      return old_symbol === new_symbol ? null : OTHER;
    },
  },
  unit_splits: { name: 'unit split', symbol: 'old_symbol', day: 'effective_date', read: other },
  spin_offs: { name: 'spin-off', symbol: 'source_symbol', day: 'ex_date', read: other },
  cash_mergers: {
    name: 'cash merger',
    symbol: 'acquiree_symbol',
    day: 'effective_date',
    read: other,
  },
  stock_mergers: {
    name: 'stock merger',
    symbol: 'acquiree_symbol',
    day: 'effective_date',
    read: other,
  },
  stock_and_cash_mergers: {
    name: 'stock and cash merger',
    symbol: 'acquiree_symbol',
    day: 'effective_date',
    read: other,
  },
  redemptions: { name: 'redemption', symbol: 'symbol', day: 'process_date', read: other },
  rights_distributions: {
    name: 'rights distribution',
    symbol: 'source_symbol',
    day: 'ex_date',
    read: other,
  },
  partial_calls: { name: 'partial call', symbol: 'symbol', day: 'process_date', read: other },
  reorganizations: { name: 'reorganization', symbol: 'symbol', day: 'process_date', read: other },
};

/**
 * The stocks of each symbol, those of the large exchanges first, then by their ids: the first one's actions have the source's ids, also
 * when another one is added.
 */
type StocksOf = ReadonlyMap<string, readonly StockId[]>;

function bySymbol(stocks: readonly Stock[]): StocksOf {
  const found = new Map<string, Stock[]>();
  const sorted = stocks.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  for (const stock of sorted) found.set(stock.symbol, [...(found.get(stock.symbol) ?? []), stock]);
  return new Map(
    [...found].map(([symbol, some]) => {
      const largest = some.toSorted((one, other) => exchangeRank(one) - exchangeRank(other));
      return [symbol, largest.map(({ id }) => id)];
    }),
  );
}

/** 04:00 in New York of that date. */
const dueOn = (day: string): Timestamp => {
  const noon = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(noon)) throw new Error('it names a day that is none');
  return tradingDay('stock', noon) + 4 * HOUR;
};

export interface AlpacaActionsOptions extends AlpacaKey {
  readonly log: Log;
}

/** Corporate actions of stocks as Alpaca announces them. */
export function alpacaActions(options: AlpacaActionsOptions): AnnouncedActions {
  const { log } = options;
  const ask = alpacaRequests(options, DATA_HOST);
  const warned = new Set<string>();

  const warnOnce = (key: string, fields: object, message: string): void => {
    if (warned.has(key)) return;
    warned.add(key);
    log.error({ source: 'alpaca', ...fields }, message);
  };

  /**
   * What the action does to its stock. One that cannot be read is not booked and holds its stock: skipped, it would seem withdrawn.
   */
  function effectOf({ read: meaning, name }: Kind, given: unknown) {
    try {
      const effect = meaning(given);
      return effect && { ...effect, name };
    } catch (error) {
      if (error instanceof z.ZodError) return { ...OTHER, name: `${name} that cannot be read` };
      throw error;
    }
  }

  /** Reads one action. @throws when not even its id, symbol or day can be read. */
  function read(kind: Kind, given: unknown, stocksOf: StocksOf): readonly SourcedAction[] {
    const fields = z.record(z.string(), z.unknown()).parse(given);
    // An action also names other symbols, such as that of an acquirer: it changes nothing for who holds those.
    const stockIds = stocksOf.get(text.parse(fields[kind.symbol])) ?? [];
    if (stockIds.length === 0) return [];
    const sourceId = text.parse(fields['id']);
    const dueAt = dueOn(date.parse(fields[kind.day] ?? fields['process_date']));
    const currency = z.string().catch('').parse(fields['currency']);
    if (kind === CASH && currency !== '' && currency !== 'USD') {
      warnOnce(sourceId, { action: given }, 'a dividend in another currency is not booked');
      return [];
    }
    const effect = effectOf(kind, given);
    // A special dividend may be of the amount and day of a regular one: they are two.
    const isSpecial = kind === CASH && fields['special'] === true;
    return stockIds.flatMap((stockId, index) => {
      const found: SourcedAction[] = [];
      const ownId = index === 0 ? sourceId : `${sourceId} ${stockId}`;
      if (effect) {
        const name = isSpecial ? `special ${effect.name}` : effect.name;
        found.push({ sourceId: ownId, stockId, dueAt, ...effect, name });
      }
      if (isRenamedBy(kind, fields))
        found.push({ sourceId: `${ownId} symbol`, stockId, dueAt, ...OTHER, name: RENAMED });
      return found;
    });
  }

  /** The actions of all symbols, page by page; or why the first page is refused. */
  const pages = async (
    stocksOf: StocksOf,
    symbols: readonly string[],
    [start, end]: readonly [string, string],
  ): Promise<Answered<readonly SourcedAction[]>> => {
    const found: SourcedAction[] = [];
    let page: string | undefined;
    for (let count = 0; count < MOST_PAGES; count += 1) {
      const asked = await ask(
        '/v1/corporate-actions',
        {
          symbols: symbols.join(','),
          start,
          end,
          limit: '1000',
          ...(page !== undefined && { page_token: page }),
        },
        AbortSignal.timeout(ANSWERED),
      );
      if (!asked.ok) {
        if (isRefusal(asked) && count === 0) return { refusal: asked.reason };
        throw new Error(`corporate actions: ${refusedWith(asked)}`);
      }
      const { corporate_actions: kinds, next_page_token: next } = answer.parse(asked.body);
      for (const [name, actions] of Object.entries(kinds)) {
        const kind = KINDS[name];
        if (!kind)
          warnOnce(name, { kind: name }, 'an unknown kind of corporate action is not read');
        if (kind) found.push(...actions.flatMap((action) => read(kind, action, stocksOf)));
      }
      if (!next) return { answer: found };
      page = next;
    }
    throw new Error('corporate actions: more pages than there can be');
  };

  return {
    source: 'alpaca',
    async between(stocks: readonly Stock[], from, to) {
      const listed = stocks.filter(isAlpacaStock);
      const dates = [isoDay(from - DAY), isoDay(to + PROCESSED_AFTER)] as const;
      const found = new Map<string, SourcedAction>();
      const silent: StockId[] = [];
      const stocksOf = new Map(bySymbol(listed));
      // Of one symbol alone nothing tells: it is unanswered, whatever is refused.
      const refused = (symbol: string, reason: string, isSure: boolean): void => {
        if (!isSure && symbols.length > 1) throw new Error(`it answered 400 ${reason}`.trim());
        warnOnce(symbol, { symbols: [symbol], reason }, NO_ACTIONS);
        silent.push(...(stocksOf.get(symbol) ?? []));
      };
      const symbols = [...stocksOf.keys()];
      // All of a few last ones may be refused, which tells nothing: the requests are of about as many.
      const size = Math.ceil(symbols.length / Math.ceil(symbols.length / CHUNK));
      for (let first = 0; first < symbols.length; first += size) {
        const answers = await askWithoutRefused(
          symbols.slice(first, first + size),
          (some) => pages(stocksOf, some, dates),
          refused,
        );
        for (const action of answers.flat()) found.set(action.sourceId, action);
      }
      const actions = [...found.values()].filter(({ dueAt }) => dueAt >= from && dueAt < to);
      return { actions, unanswered: silent };
    },
  };
}
