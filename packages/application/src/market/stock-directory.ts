import { Refusal, type Security, type Stock, type StockId, id } from '@slipstream/domain';

/** The name by which alerts and quotes know a stock. No two stocks may have the same: neither could be traded by it. */
export const ownNameOf = ({ symbol, exchange }: Pick<Stock, 'symbol' | 'exchange'>): string =>
  `${symbol}:${exchange}`.toUpperCase();

const namesOf = (stock: Stock): string[] => [
  ...new Set(
    [stock.id, `${stock.stock}:${stock.exchange}`, `${stock.symbol}:${stock.exchange}`].map(
      (name) => name.toUpperCase(),
    ),
  ),
];

const isNamedAs = (one: Stock, other: Stock): boolean =>
  one.stock === other.stock && one.symbol === other.symbol && one.exchange === other.exchange;

/** The stocks of the list that have neither the id nor the name of one that is known, or is before them in the list. */
export function withNewNames(stocks: readonly Stock[], known: readonly Stock[]): Stock[] {
  const taken = new Set(known.flatMap(namesOf));
  return stocks.filter((stock) => {
    const isNew = ![stock.id.toUpperCase(), ownNameOf(stock)].some((name) => taken.has(name));
    if (isNew) for (const name of namesOf(stock)) taken.add(name);
    return isNew;
  });
}

/**
 * What halts a stock beside the operator: its venue, a price that looks like a split, an announced action that is not booked, or
 * a dividend that is being paid.
 */
export type HaltCause = 'venue' | 'split_guard' | 'announced' | 'dividend';

/** The least of a company's name that tells which one was meant. */
const LEAST_OF_NAME = 4;

/** Every instrument, by each of its names: `stock_id`, `STOCK:EXCHANGE`, `SYMBOL:EXCHANGE`, in any case (contract 1). */
export class StockDirectory {
  /** As they are stored: `halted` there is the operator's word. */
  private readonly saved = new Map<StockId, Stock>();
  /** As they trade: a stock that something else has halted is halted here too. */
  private readonly stocks = new Map<StockId, Stock>();
  private list: readonly Stock[] | undefined;
  private readonly halts = new Map<StockId, ReadonlySet<HaltCause>>();
  private sourceOf: (stock: Stock) => string | undefined = () => undefined;
  private lastChange: Promise<unknown> = Promise.resolve();
  private readonly names = new Map<string, Set<StockId>>();

  /** `publicUrl` is the address of this service; without it stocks have no link to the service. */
  constructor(private readonly publicUrl: () => string | undefined = () => undefined) {}

  /** Spec 2.5: the links of a stock include the service's. They are built when read, because the address may change. */
  private linked(stock: Stock): Stock {
    const publicUrl = this.publicUrl();
    if (publicUrl === undefined || stock.security !== 'stock') return stock;
    const slipstream = `${publicUrl}/getStocks?stock_id[]=${encodeURIComponent(stock.id)}`;
    return { ...stock, links: { ...stock.links, slipstream } };
  }

  /**
   * Does changes of stored stocks one after another, each from what is here to what it puts here: of two at once the second would
   * take back the first, such as a halt.
   */
  inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const next = this.lastChange.then(change);
    this.lastChange = next.catch(() => undefined);
    return next;
  }

  put(given: readonly Stock[]): void {
    this.list = undefined;
    for (const one of given) {
      this.saved.set(one.id, one);
      const stock = this.linked(this.trading(one));
      const before = this.stocks.get(stock.id);
      this.stocks.set(stock.id, stock);
      if (before && isNamedAs(before, stock)) continue;
      for (const name of before ? namesOf(before) : []) this.names.get(name)?.delete(stock.id);
      for (const name of namesOf(stock)) {
        this.names.set(name, (this.names.get(name) ?? new Set<StockId>()).add(stock.id));
      }
    }
  }

  private trading(stock: Stock): Stock {
    const isHalted = stock.status === 'active' && this.halts.has(stock.id);
    const { provider } = stock;
    const source = this.sourceOf(stock) ?? provider;
    if (!isHalted && source === provider) return stock;
    return { ...stock, provider: source, ...(isHalted && { status: 'halted' }) };
  }

  /** From now on the provider of a stock is the source of its quotes, if the feed names one. */
  providedBy(sourceOf: (stock: Stock) => string | undefined): void {
    this.sourceOf = sourceOf;
    this.put([...this.saved.values()]);
  }

  /**
   * Takes a halt of the stock or its end, by one cause. It stands beside the operator's status and the other causes: the stock
   * trades when none halts it. Answers whether the stock trades otherwise than before.
   */
  setHalt(stockId: StockId, cause: HaltCause, isHalted: boolean): boolean {
    const stock = this.saved.get(stockId);
    if (!stock) return false;
    const causes = new Set(this.halts.get(stockId));
    if (isHalted) causes.add(cause);
    else causes.delete(cause);
    if (causes.size > 0) this.halts.set(stockId, causes);
    else this.halts.delete(stockId);
    const before = this.stocks.get(stockId)?.status;
    this.put([stock]);
    return this.stocks.get(stockId)?.status !== before;
  }

  isHaltedBy(stockId: StockId, cause: HaltCause): boolean {
    return this.halts.get(stockId)?.has(cause) ?? false;
  }

  /** The stock as it is stored, without halts beside the operator's. */
  asSaved(stock: Stock): Stock {
    return this.saved.get(stock.id) ?? stock;
  }

  /** Rebuilds the links after the address of the service has changed. */
  addressChanged(): void {
    this.put([...this.saved.values()]);
  }

  find(stockId: StockId): Stock | undefined {
    return this.stocks.get(stockId);
  }

  /** The same list until a stock changes. */
  all(): readonly Stock[] {
    return (this.list ??= [...this.stocks.values()]);
  }

  /** Undefined if no instrument has that name. Refuses a name that several instruments have. */
  lookUp(name: string): Stock | undefined {
    const exact = this.stocks.get(id<'stock'>(name));
    if (exact) return exact;
    const [first, second] = this.names.get(name.toUpperCase()) ?? [];
    if (first && second) {
      throw new Refusal(
        'invalid_field',
        `${name} is ambiguous: name it by stock_id (${first}, ${second})`,
      );
    }
    return first && this.stocks.get(first);
  }

  /** The instrument with that name; refuses if there is none. */
  resolve(name: string): Stock {
    const stock = this.lookUp(name);
    if (!stock) throw new Refusal('not_found', `stock ${name} does not exist${this.hint(name)}`);
    return stock;
  }

  /** How to name what was probably meant: platforms write `NASDAQ:AAPL`, the ticker alone, or another exchange, and people `Apple`. */
  private hint(name: string): string {
    const words = name.toUpperCase().split(':');
    const byTicker = this.all().filter((one) =>
      [one.symbol, one.stock].some((own) => words.includes(own)),
    );
    const begin = name.trim().toUpperCase();
    const meant =
      byTicker.length > 0 || begin.length < LEAST_OF_NAME
        ? byTicker
        : this.all().filter((one) => one.name.toUpperCase().startsWith(begin));
    const names = meant.slice(0, 3).map(ownNameOf);
    return names.length === 0 ? '' : `: write ${names.join(' or ')}`;
  }

  /** Instruments whose symbol, ticker or name contains `query`; exact tickers first, then by symbol. */
  search(query: string, security: Security | undefined, limit: number): Stock[] {
    const sought = query.trim().toUpperCase();
    const rank = (stock: Stock): number => {
      if (stock.stock === sought || stock.symbol === sought) return 0;
      if (stock.symbol.startsWith(sought)) return 1;
      if (stock.name.toUpperCase().startsWith(sought)) return 2;
      return `${stock.symbol} ${stock.name}`.toUpperCase().includes(sought) ? 3 : 4;
    };
    return this.all()
      .filter((stock) => security === undefined || stock.security === security)
      .map((stock) => ({ stock, rank: rank(stock) }))
      .filter((found) => found.rank < 4)
      .sort((a, b) => a.rank - b.rank || (a.stock.symbol < b.stock.symbol ? -1 : 1))
      .slice(0, limit)
      .map(({ stock }) => stock);
  }
}
