import {
  ONE,
  exact,
  isPositive,
  isZero,
  largest,
  rounded,
  asText,
  type Exact,
  ZERO,
} from './engine/exact.js';
import { held, valueOf } from './engine/book.js';
import type { ReferenceEngine } from './engine/engine.js';
import { INSTRUMENTS, nextEdge } from './instruments.js';
import { type ModelOrder, Refused } from './engine/model.js';
import { maxOrderSize } from './engine/sizing.js';
import type { QuoteMove, ReferenceStep } from './story.js';

/** A quote in figures. */
export interface QuoteText {
  readonly stockId: string;
  readonly bid: string;
  readonly ask: string;
  readonly last: string;
  readonly at: number;
}

/** A step in figures, as both sides get it. */
export type ReferenceCommand =
  | {
      readonly do: 'newOrder';
      readonly strategy: number;
      readonly stockId: string;
      readonly action: 'buy' | 'sell';
      readonly type: ModelOrder['type'];
      readonly price: string | null;
      readonly stopPrice: string | null;
      readonly amount: string | null;
      readonly total: string | null;
      readonly dependsOn: readonly string[];
      readonly reduceOnly: boolean | undefined;
    }
  | {
      readonly do: 'allocate';
      readonly strategy: number;
      readonly targets: readonly { readonly stockId: string; readonly percent: string }[];
      readonly slippage: string;
    }
  | {
      readonly do: 'alert';
      readonly strategy: number;
      readonly stockId: string;
      readonly action: 'buy' | 'long' | 'sell' | 'short' | 'close' | 'flat';
      readonly leverage: string;
      readonly pyramiding: number | undefined;
      readonly slippage: string;
      readonly marketPosition: 'long' | 'short' | 'flat' | undefined;
      /** The platform's position after and before the alert. */
      readonly sizes: readonly [string, string] | undefined;
    }
  | { readonly do: 'deleteOrder'; readonly strategy: number; readonly orderId: string }
  | { readonly do: 'quotes'; readonly batches: readonly (readonly QuoteText[])[] }
  | { readonly do: 'halt' | 'resume'; readonly stockId: string }
  | {
      readonly do: 'split';
      readonly stockId: string;
      readonly newShares: number;
      readonly oldShares: number;
    }
  | { readonly do: 'dividend' | 'delist'; readonly stockId: string; readonly figure: string }
  | { readonly do: 'advance'; readonly to: number }
  /** The time stays the same, and due work is done. */
  | { readonly do: 'tick' }
  | { readonly do: 'undoEnd'; readonly strategy: number };

/** The state from which a command is made. */
export interface Resolving {
  readonly engine: ReferenceEngine;
  /** The last price of each stock in the shares that its feed quotes. */
  readonly prices: Map<string, Exact>;
  /** Every order of each strategy, newest first. */
  orders(strategy: number): readonly ModelOrder[];
}

const HUNDREDTH = exact('0.0001');
const moved = (price: Exact, hundredths: number): Exact =>
  price.mul(exact(String(10_000 + hundredths)).mul(HUNDREDTH));
const at = <Item>(items: readonly Item[], place: number): Item | undefined =>
  items[place % Math.max(1, items.length)];
const percent = (whole: number): string => asText(exact(String(whole)).div(100), 2);
const thousandths = (whole: number): string => asText(exact(String(whole)).div(1000), 3);

const stockAt = (place: number): string => at(INSTRUMENTS, place)?.[0].id ?? '';
/** The stock at that place among those that the strategy can trade; sometimes one of the other kind. */
const stockOfStrategy = (strategy: number, place: number): string =>
  stockAt(strategy * 3 + (place % 3));

const PLACES = 8;
const LEAST_PRICE = exact('0.0001');

function quoteText(world: Resolving, { stock, move, spread, kind }: QuoteMove): QuoteText {
  const stockId = stockAt(stock);
  const { market } = world.engine;
  const before = world.prices.get(stockId) ?? ZERO;
  const last = largest(exact(asText(moved(before, move), PLACES)), LEAST_PRICE);
  world.prices.set(stockId, last);
  const half = exact(
    asText(
      last
        .mul(exact(String(spread)))
        .mul(HUNDREDTH)
        .div(2),
      PLACES,
    ),
  );
  const bid = last.sub(half);
  const ask = last.add(half);
  const { splitAt } = market.stocks.get(stockId) ?? {};
  const when = {
    now: market.now,
    earlier: market.now - 20_000,
    stale: market.now - 61_000,
    soon: market.now + 5_000,
    future: market.now + 5_001,
    before_split: (splitAt ?? market.now) - 1,
    crossed: market.now,
    zero: market.now,
  }[kind];
  const text = { stockId, bid: asText(bid), ask: asText(ask), last: asText(last), at: when };
  if (kind === 'crossed') return { ...text, bid: asText(ask.add(last)) };
  return kind === 'zero' ? { ...text, bid: '0' } : text;
}

/** The figure of an order's size; undefined if there is none. */
function sizeText(
  { engine }: Resolving,
  { strategy, action, size }: Extract<ReferenceStep, { do: 'newOrder' }>,
  stockId: string,
  prices: { readonly price: Exact | null; readonly stopPrice: Exact | null },
): string | undefined {
  const book = engine.book(strategy);
  const price = prices.price ?? prices.stopPrice ?? engine.market.stocks.get(stockId)?.quote?.ask;
  if (!price) return undefined;
  const whole = (): Exact => {
    if (size.of === 'holding') return held(book, stockId).abs();
    if (size.of === 'value') {
      const value = valueOf(book, engine.market) ?? ZERO;
      return (isPositive(value) ? value : ONE).div(price);
    }
    try {
      return maxOrderSize(book, { stockId, action, ...prices }, engine.market).amount;
    } catch (error) {
      if (error instanceof Refused) return ZERO;
      throw error;
    }
  };
  const amount = whole()
    .mul(size.of === 'most' ? 1 : size.percent)
    .div(size.of === 'most' ? 1 : 100);
  const figure = rounded(size.by === 'amount' ? amount : amount.mul(price), 'down');
  const text = asText(figure, size.of === 'value' ? size.places : 18);
  return isZero(exact(text)) ? undefined : text;
}

/** The step with the figures of this moment; undefined if it would do nothing. */
export function resolve(world: Resolving, step: ReferenceStep): ReferenceCommand | undefined {
  const { engine } = world;
  switch (step.do) {
    case 'newOrder': {
      const stockId = stockOfStrategy(step.strategy, step.stock);
      const today = engine.market.stocks.get(stockId)?.quote;
      const { type } = step;
      const near = today ?? { bid: exact('100'), ask: exact('100') };
      const base = step.action === 'buy' ? near.ask : near.bid;
      const priced = (move: number): Exact => exact(asText(moved(base, move), PLACES));
      const needsPrice = type === 'limit' || type === 'stop_limit' || type === 'oco';
      const needsStop = type === 'stop_market' || type === 'stop_limit' || type === 'oco';
      const price = needsPrice ? priced(step.price) : null;
      const stopPrice = needsStop ? priced(step.stopPrice) : null;
      if ([price, stopPrice].some((one) => one && isZero(one))) return undefined;
      const figure = sizeText(world, step, stockId, { price, stopPrice });
      if (figure === undefined) return undefined;
      const orders = world.orders(step.strategy);
      return {
        do: 'newOrder',
        strategy: step.strategy,
        stockId,
        action: step.action,
        type,
        price: price && asText(price),
        stopPrice: stopPrice && asText(stopPrice),
        amount: step.size.by === 'amount' ? figure : null,
        total: step.size.by === 'total' ? figure : null,
        dependsOn: [
          ...new Set(
            step.dependsOn.flatMap((one) =>
              one < orders.length ? (at(orders, one)?.id ?? []) : [],
            ),
          ),
        ],
        reduceOnly: step.reduceOnly,
      };
    }
    case 'allocate':
      return {
        do: 'allocate',
        strategy: step.strategy,
        targets: step.targets.map((target) => ({
          stockId: stockOfStrategy(step.strategy, target.stock),
          percent: percent(target.percent),
        })),
        slippage: thousandths(step.slippage),
      };
    case 'alert':
      return {
        ...step,
        sizes: step.sizes,
        stockId: stockOfStrategy(step.strategy, step.stock),
        leverage: percent(step.leverage),
        slippage: thousandths(step.slippage),
      };
    case 'deleteOrder': {
      const order = at(world.orders(step.strategy), step.order);
      return order && { do: 'deleteOrder', strategy: step.strategy, orderId: order.id };
    }
    case 'quotes':
      return {
        do: 'quotes',
        batches: step.batches.map((batch) => batch.map((move) => quoteText(world, move))),
      };
    case 'halt':
    case 'resume':
      return { do: step.do, stockId: stockAt(step.stock) };
    case 'split':
      return { ...step, stockId: stockAt(step.stock) };
    case 'dividend':
    case 'delist': {
      const stockId = stockAt(step.stock);
      const last = engine.market.stocks.get(stockId)?.quote?.ask ?? ZERO;
      const figure = asText(last.mul(step.percent).div(100), 4);
      return isZero(exact(figure)) && step.do === 'dividend'
        ? undefined
        : { do: step.do, stockId, figure };
    }
    case 'undoEnd':
      return step;
    case 'advance':
      return { do: 'advance', to: engine.market.now + step.seconds * 1000 };
    case 'advanceTo': {
      const to = nextEdge(step.edge, engine.market.now) + step.seconds * 1000;
      return { do: 'advance', to: Math.max(to, engine.market.now) };
    }
  }
}
