import {
  MINUTE,
  type QuotedStock,
  Refusal,
  type Stock,
  type StockAction,
  type StockStatus,
} from '@slipstream/domain';
import type { Stores } from '@slipstream/ports';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { viewStock } from '../trading/order-views.js';
import type { QuoteIntake } from './quotes/quote-intake.js';
import type { StockActions } from './apply-stock-actions.js';
import { type StockChange, changedStock } from './changed-stock.js';
import { heldText } from './split-guard.js';
import { ownNameOf } from './stock-directory.js';
import { requireNoPending } from './stock-actions.js';

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

/** Whether a feed must learn of the stock: it is new, listed again, or its venue knows it by another name now. */
const isNamedOtherwise = (stock: Stock, before: Stock | undefined): boolean =>
  !before ||
  (before.status === 'delisted' && stock.status !== 'delisted') ||
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
  const stocks = changes.map((change) => changedStock(core, change));
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
    // Before a hold ends: the orders that it kept waiting execute with its end.
    trading = stocks.filter((stock) => tradesOtherwise(stock, live.stocks.find(stock.id)));
    for (const { id: stockId } of activated) {
      const held = live.guard.get(stockId);
      // Another price may hold it only since.
      if (held && clock.now() >= held.until) live.guard.trust(stockId);
    }
    for (const { id: stockId } of decided) live.stocks.setHalt(stockId, 'announced', false);
    named = stocks.filter((stock) => isNamedOtherwise(stock, live.stocks.find(stock.id)));
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
