import {
  type Book,
  type Bot,
  type Decimal,
  type Following,
  type Market,
  type NarrowedTarget,
  type StockId,
  type StrategyId,
  type TradedStock,
  type Weights,
  attainableTarget,
  besideKept,
  driftOf,
  joinBounds,
  lessWeights,
  limitedTarget,
  listBounds,
  plusWeights,
  positionOf,
  priceDoubt,
  targetWeights,
  unjoinedIn,
  unjoinedStocks,
  withinBounds,
  type Stock,
} from '@slipstream/domain';
import type { BotDeps } from './bot-deps.js';
import type { BotReading, BotStep } from './bot-step.js';
import { readTrades } from './history/followed-trades.js';
import { mirroredBooks } from './joining/follow.js';
import type { ManagedAccount } from './managed-account.js';

/** An account compared with its target, or the reason why it cannot be compared now. */
export type Comparison =
  | {
      readonly kind: 'compared';
      readonly weights: Weights;
      /** What the target was before, and what of it caps and limits took. */
      readonly narrowed: Pick<NarrowedTarget, 'whole' | 'cut'>;
      readonly stocks: ReadonlyMap<StockId, TradedStock>;
      readonly drift: Decimal | null;
      /** How the target was adapted to the broker's limits, as text for users. */
      readonly notes: readonly string[];
      /** The trades of the mirrored strategies up to those values. */
      readonly following: Following;
      /** What people call a stock. */
      readonly nameOf: (stockId: StockId) => string;
    }
  | { readonly kind: 'unavailable'; readonly reason: string };

interface Mirrored {
  readonly books: ReadonlyMap<StrategyId, Book>;
  readonly following: Following;
}

/** The strategies' books, with the trades that led to them since they were last read. */
async function readMirrored(
  { unitOfWork }: Pick<BotDeps, 'unitOfWork'>,
  bot: Bot,
): Promise<Mirrored> {
  return unitOfWork.read(async (stores) => {
    const books = await mirroredBooks(stores, bot);
    const following = await readTrades(stores, bot);
    return {
      books,
      following: { ...following, unjoined: unjoinedIn(following.unjoined, books) },
    };
  });
}

/**
 * How the broker trades these stocks now. Omits stocks that it does not trade, that the market does not know, that have no
 * price at all or that were delisted. Those whose prices are in doubt wait: they are named with the reason.
 */
export async function tradedStocks(
  { deps, bot, broker, access, heldUp }: BotReading & Partial<Pick<BotStep, 'heldUp'>>,
  market: Market<Stock>,
  { whole, late }: Pick<ManagedAccount, 'whole' | 'late'>,
  stockIds: Iterable<StockId>,
): Promise<ReadonlyMap<StockId, TradedStock>> {
  const priced = [...stockIds].flatMap((stockId) => {
    const stock = market.stock(stockId);
    // Also of what is kept: an order beside it would be in other shares.
    const held = positionOf(whole, stockId)?.price;
    const quote = market.quote(stockId);
    const { bid = held, ask = held } = quote ?? {};
    if (!stock || stock.status === 'delisted' || !bid || !ask) return [];
    const prices = {
      quote,
      isFresh: market.freshQuote(stockId) !== undefined,
      brokerPrice: held,
      maxSpread: bot.maxSpread ?? deps.settings.maxSpread[stock.security],
    };
    const doubt =
      (heldUp?.has(stockId) && 'its cancelled order does not end') ||
      (late.has(stockId) && 'its split has not reached the broker') ||
      priceDoubt(prices);
    return [{ stock, bid, ask, doubt }];
  });
  if (priced.length === 0) return new Map();
  const rules = await broker.rules(
    access,
    priced.map(({ stock }) => stock),
  );
  return new Map(
    priced.flatMap(
      ({ stock: { id, symbol, fee, status }, ...prices }): [StockId, TradedStock][] => {
        const found = rules.get(id);
        if (!found) return [];
        const collar = bot.priceCollar;
        // A stock that is halted here is not traded, whatever its broker would do.
        const session = status === 'halted' ? status : found.session;
        return [[id, { symbol, fee, ...prices, collar, rules: { ...found, session } }]];
      },
    ),
  );
}

const notJoinedText = (symbols: readonly string[]): readonly string[] =>
  symbols.length === 0
    ? []
    : [`Not joined, as the strategy held it before the start: ${symbols.toSorted().join(', ')}.`];

/** Compares the broker's account with the strategies' present values. */
export async function compareAccount(
  step: BotReading & Partial<Pick<BotStep, 'heldUp'>>,
  managed: Pick<ManagedAccount, 'account' | 'whole' | 'parts' | 'late'>,
): Promise<Comparison> {
  const { deps, bot } = step;
  const { account, parts } = managed;
  const { books, following } = await readMirrored(deps, bot);
  const market = deps.market();
  const symbolOf = (stockId: StockId): string => market.stock(stockId)?.symbol ?? stockId;
  const nameOf = (stockId: StockId): string =>
    market.stock(stockId)?.status === 'delisted'
      ? `${symbolOf(stockId)} (delisted)`
      : symbolOf(stockId);
  const target = targetWeights(bot, books, market, following.unjoined);
  if (target.kind === 'unavailable') return target;
  const held = account.positions.map(({ stockId }) => stockId);
  const stockIds = new Set([...target.weights.keys(), ...held]);
  const stocks = await tradedStocks(step, market, managed, stockIds);
  const unjoined = unjoinedStocks(following.unjoined, books);
  const joined = joinBounds(target.weights, account, unjoined.alone);
  const beside = besideKept(withinBounds(target.weights, joined), parts);
  const leftOut = beside.leftOut.map(
    (stockId) =>
      `The account holds the other side of ${symbolOf(stockId)}, which is kept; it is left out.`,
  );
  const listed = listBounds(beside.weights, account, bot);
  const unlisted = listed.leftOut.map(
    (stockId) => `Increases of ${symbolOf(stockId)} are left out, by the lists of the bot.`,
  );
  const waiting = notJoinedText(unjoined.stockIds.map(symbolOf));
  const taken = withinBounds(beside.weights, listed.bounds);
  const wanted = new Map([...target.weights].filter(([stockId]) => taken.has(stockId)));
  const given = new Map([...joined, ...listed.bounds]);
  const attainable = attainableTarget(wanted, stocks, account, nameOf, given);
  const { unbound, bounds } = attainable;
  const limited = limitedTarget(unbound, account.equity, bot.limits, symbolOf, bounds);
  const { weights } = limited;
  const drift = driftOf(account, weights);
  return {
    kind: 'compared',
    weights,
    narrowed: {
      whole: target.whole,
      cut: plusWeights(target.cut, lessWeights(attainable.unscaled, weights)),
    },
    stocks,
    notes: [
      ...target.notes,
      ...waiting,
      ...leftOut,
      ...unlisted,
      ...attainable.notes,
      ...limited.notes,
    ],
    drift,
    following,
    nameOf,
  };
}
