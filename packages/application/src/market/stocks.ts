import {
  type Decimal,
  MINUTE,
  type QuotedStock,
  Refusal,
  type Security,
  type Stock,
  type StockAction,
  type StockStatus,
  type Timestamp,
  decimal,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { DEFAULT_LIMIT } from '../page.js';
import { viewStock } from '../trading/order-views.js';
import type { QuoteIntake } from './quotes/quote-intake.js';
import type { StockActions } from './apply-stock-actions.js';
import { heldText } from './split-guard.js';
import { ownNameOf } from './stock-directory.js';
import { requireNoPending } from './stock-actions.js';

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

/** The operator's data of an instrument. An omitted field keeps its value, or gets the default of its kind. */
export interface StockChange {
  readonly stockId?: string | undefined;
  readonly figiComposite?: string | null | undefined;
  readonly symbol?: string | undefined;
  readonly stock?: string | undefined;
  readonly name?: string | undefined;
  readonly sector?: string | undefined;
  readonly security?: Security | undefined;
  readonly exchange?: string | undefined;
  readonly peg?: string | undefined;
  readonly provider?: string | undefined;
  readonly slippage?: Decimal | undefined;
  readonly fee?: Decimal | undefined;
  readonly links?: Readonly<Record<string, string>> | undefined;
  readonly stockStatus?: StockStatus | undefined;
  /** With `delisted`: the final price of a share, at which positions are closed. */
  readonly settlePrice?: Decimal | undefined;
}

/** Contract 2, "Stock". */
const DEFAULTS: Readonly<Record<Security, { readonly fee: Decimal; readonly slippage: Decimal }>> =
  {
    stock: { fee: decimal('0'), slippage: decimal('0.0005') },
    cryptocurrency: { fee: decimal('0.0025'), slippage: decimal('0.001') },
  };

/** The stock that a change names, as it is stored; undefined when it is new. */
function namedBy(
  { live }: Pick<Core, 'live'>,
  { stockId, symbol, exchange }: StockChange,
): Stock | undefined {
  if (stockId !== undefined) return live.stocks.asSaved(live.stocks.resolve(stockId));
  if (symbol === undefined || exchange === undefined) return undefined;
  const named = live.stocks.lookUp(`${symbol}:${exchange}`);
  return named && live.stocks.asSaved(named);
}

type Fields = Partial<Omit<Stock, 'id' | 'status'>>;

/** The fields of the stock that a change gives. */
function fieldsOf({
  stockId: _,
  stockStatus: __,
  settlePrice: ___,
  ...fields
}: StockChange): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function newStock({ ids }: Pick<Core, 'ids'>, fields: Fields, status: StockStatus): Stock {
  const { symbol, exchange, security, name } = fields;
  if (
    symbol === undefined ||
    exchange === undefined ||
    security === undefined ||
    name === undefined
  ) {
    throw new Refusal('invalid_field', 'a new stock needs symbol, exchange, security and name');
  }
  return {
    figiComposite: null,
    stock: symbol,
    sector: '',
    peg: 'USD',
    provider: 'operator',
    ...DEFAULTS[security],
    links: {},
    ...fields,
    symbol,
    exchange,
    security,
    name,
    id: ids.next(),
    status,
  };
}

/** The stock after the change. */
function changed(core: Core, change: StockChange): Stock {
  const before = namedBy(core, change);
  if (before && change.security !== undefined && change.security !== before.security) {
    throw new Refusal(
      'invalid_field',
      `${before.symbol} is a ${before.security}: security cannot change`,
    );
  }
  const status = change.stockStatus ?? before?.status ?? 'active';
  if (change.settlePrice && status !== 'delisted') {
    throw new Refusal('invalid_field', 'settle_price comes with stock_status delisted');
  }
  const fields = fieldsOf(change);
  if (!before) return newStock(core, fields, status);
  if (change.stockId !== undefined) return { ...before, ...fields, status };
  // Symbol and exchange only name the stock here, in any letter case; they change nothing.
  const { symbol, exchange } = before;
  return { ...before, ...fields, symbol, exchange, status };
}

/** Alerts name a stock by symbol and exchange. If two stocks shared a name, alerts could trade neither. */
function requireOwnNames({ live }: Core, stocks: readonly Stock[]): void {
  const changing = new Set(stocks.map(({ id }) => id));
  const taken = new Set(
    live.stocks
      .all()
      .filter(({ id }) => !changing.has(id))
      .map(ownNameOf),
  );
  for (const stock of stocks) {
    const name = ownNameOf(stock);
    if (taken.has(name)) {
      throw new Refusal('conflict', `${name} must name one stock only`);
    }
    taken.add(name);
  }
}

/** Whether a feed must learn of the stock: it is new, or its venue knows it by another name now. */
const isNamedOtherwise = (stock: Stock, before: Stock | undefined): boolean =>
  !before ||
  before.symbol !== stock.symbol ||
  before.stock !== stock.stock ||
  before.exchange !== stock.exchange ||
  before.peg !== stock.peg;

/** A price that looks like a split is right only once there was time for the split to be announced. */
function requireReleasable({ live, clock }: Core, stocks: readonly Stock[]): void {
  for (const { id, symbol } of stocks) {
    const held = live.guard.get(id);
    if (held && clock.now() < held.until)
      throw new Refusal(
        'conflict',
        `${symbol} is held: ${heldText(held)}. Book the split with newStockAction, or set it active in ${Math.ceil((held.until - clock.now()) / MINUTE)} minutes`,
      );
  }
}

/** The operator's word, that it trades or that it is delisted, ends what an announced action held. */
async function closeHeld(
  { announcedActions }: Pick<Stores, 'announcedActions'>,
  stocks: readonly Stock[],
): Promise<void> {
  if (stocks.length === 0) return;
  const named = new Set(stocks.map(({ id }) => id));
  for (const row of await announcedActions.open())
    if (row.status === 'held' && named.has(row.stockId))
      await announcedActions.save({ ...row, status: 'closed' });
}

/** Whether orders may now execute that could not before: a halt ended, or the exchange changed and with it the sessions. */
const tradesOtherwise = (stock: Stock, before: Stock | undefined): boolean =>
  before !== undefined &&
  stock.status === 'active' &&
  (before.status !== 'active' || before.exchange !== stock.exchange);

/** What a change of stocks leaves to do: to tell the feed, and to let orders execute. */
interface ChangedStocks {
  readonly stocks: readonly Stock[];
  readonly named: readonly Stock[];
  readonly trading: readonly Stock[];
}

/** Stores the changed stocks and takes them over; all or none. */
async function storeChanges(core: Core, changes: readonly StockChange[]): Promise<ChangedStocks> {
  const { unitOfWork, clock, ids, live } = core;
  const stocks = changes.map((change) => changed(core, change));
  requireOwnNames(core, stocks);
  const ended = stocks.flatMap((stock, index): StockAction[] => {
    const figure = changes[index]?.settlePrice;
    if (!figure) return [];
    const action = { id: ids.next<'stock_action'>(), stockId: stock.id, createdAt: clock.now() };
    const others = { newShares: null, oldShares: null, status: 'pending' } as const;
    return [{ ...action, kind: 'delisting', figure, ...others }];
  });
  const said = (status: StockStatus) =>
    stocks.filter((_, index) => changes[index]?.stockStatus === status);
  const activated = said('active');
  const decided = [...activated, ...said('delisted')];
  requireReleasable(core, activated);
  const store = async (stores: Stores): Promise<void> => {
    await stores.stocks.save(stocks);
    await closeHeld(stores, decided);
    for (const action of ended) {
      await requireNoPending(stores, action.stockId);
      await stores.stockActions.save(action);
    }
  };
  let [named, trading]: [readonly Stock[], readonly Stock[]] = [[], []];
  // At the commit: what holds a stock after it holds it on.
  const takeOver = (): void => {
    for (const { id: stockId } of activated) {
      const held = live.guard.get(stockId);
      // Another price may hold it only since.
      if (held && clock.now() >= held.until) live.guard.trust(stockId);
    }
    for (const { id: stockId } of decided) live.stocks.setHalt(stockId, 'announced', false);
    named = stocks.filter((stock) => isNamedOtherwise(stock, live.stocks.find(stock.id)));
    trading = stocks.filter((stock) => tradesOtherwise(stock, live.stocks.find(stock.id)));
    live.stocks.put(stocks);
  };
  await unitOfWork.run(store, { onCommit: takeOver });
  return { stocks, named, trading };
}

/**
 * Adds or changes instruments, by stock_id, or by symbol and exchange. All or none. Orders of a delisted stock are
 * cancelled; positions wait for its `settlePrice` and are closed at it.
 */
export const updateStocks =
  (core: Core, intake: QuoteIntake, actions: StockActions) =>
  async (
    _caller: Caller,
    command: { readonly stocks: readonly StockChange[] },
  ): Promise<QuotedStock[]> => {
    const { stocks, named, trading } = await core.live.stocks.inTurn(() =>
      storeChanges(core, command.stocks),
    );
    if (named.length > 0) core.marketFeed.add?.(named);
    if (stocks.some(({ status }) => status === 'delisted')) await actions.resume();
    await intake.reconsider(trading.map(({ id }) => id));
    const market = core.live.market(core.clock.now());
    return stocks.map((stock) => viewStock(core.live.stocks.find(stock.id) ?? stock, market));
  };
