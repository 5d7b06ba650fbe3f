import fc from 'fast-check';
import {
  type Book,
  type BookChange,
  type IdentifiedRequest,
  type Market,
  type NextId,
  type Pricing,
  type StockId,
  Refusal,
  cancelOpenOrders,
  cancelOrder,
  decimal,
  id,
  planAlert,
  planAllocations,
  placeable,
  matchOrders,
  submit,
} from '../src/index.js';
import { aMarket, aStock } from './builders.js';

/** The stocks of a history: one without costs, a cheap one, one with a coin's costs, and one with the highest costs. */
export const NAMES = ['AAA', 'BBB', 'CCC', 'DDD'];
const COSTS = [
  { fee: '0', slippage: '0' },
  { fee: '0', slippage: '0.0005' },
  { fee: '0.0025', slippage: '0.001' },
  { fee: '0.1', slippage: '0.1' },
] as const;

/** The state that a command sees and changes. */
export interface World {
  readonly book: Book;
  /** Bid and ask of each stock, in thousandths. */
  readonly prices: Readonly<Record<string, readonly [bid: number, ask: number]>>;
  readonly halted: readonly string[];
  readonly stale: readonly string[];
  readonly opensAt: number | null;
  readonly now: number;
}

const thousandths = (value: number): string => (value / 1000).toFixed(3);

const marketOf = ({ prices, halted, stale, opensAt, now }: World): Market =>
  aMarket({
    stocks: NAMES.map((name, at) => {
      const { fee, slippage } = COSTS[at] ?? COSTS[0];
      return aStock(name, {
        fee: decimal(fee),
        slippage: decimal(slippage),
        status: halted.includes(name) ? 'halted' : 'active',
      });
    }),
    quotes: Object.fromEntries(
      Object.entries(prices).map(([name, [bid, ask]]) => [
        name,
        [thousandths(bid), thousandths(ask)],
      ]),
    ),
    stale,
    opensAt,
    now,
  });

type Done = { readonly book: Book; readonly changes: readonly BookChange[] };
/** One event; `nothing` when the command was refused or only the world changed. */
export type Command = (
  world: World,
  nextOrder: NextId,
  nextTrade: NextId,
) => { readonly world: World; readonly done: Done | 'nothing' };

/** A command on the book; a refusal changes nothing. */
const onBook =
  (run: (...given: [...Parameters<Command>, Market]) => Done | 'nothing'): Command =>
  (world, nextOrder, nextTrade) => {
    try {
      return { world, done: run(world, nextOrder, nextTrade, marketOf(world)) };
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      return { world, done: 'nothing' };
    }
  };

const aName = fc.constantFrom(...NAMES);
const aSize = fc.integer({ min: 1, max: 3000 }).map((parts) => decimal(thousandths(parts)));
/** In relation to the present price, so that orders are touched sometimes. */
const aFactor = fc.constantFrom(700, 900, 990, 1000, 1010, 1100, 1400);

const newOrder: fc.Arbitrary<Command> = fc
  .record({
    name: aName,
    action: fc.constantFrom('buy', 'sell'),
    type: fc.constantFrom('market', 'limit', 'stop_market', 'stop_limit', 'oco'),
    first: aFactor,
    second: aFactor,
    by: fc.constantFrom('amount', 'total'),
    worth: aSize,
    reduceOnly: fc.boolean(),
    dependsOn: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }),
    isChecked: fc.boolean(),
  })
  .map((drawn) =>
    onBook(({ book, prices }, nextOrder, nextTrade, market) => {
      const [, ask] = prices[drawn.name] ?? [1000, 1000];
      const near = (factor: number) =>
        decimal(thousandths(Math.max(1, Math.round((ask * factor) / 1000))));
      const [price, stopPrice] = [near(drawn.first), near(drawn.second)];
      const pricing: Pricing =
        drawn.type === 'market'
          ? { type: 'market' }
          : drawn.type === 'limit'
            ? { type: 'limit', price }
            : drawn.type === 'stop_market'
              ? { type: 'stop_market', stopPrice }
              : { type: drawn.type, price, stopPrice };
      const request: IdentifiedRequest = {
        id: nextOrder(),
        stockId: id(drawn.name),
        action: drawn.action,
        pricing,
        size:
          drawn.by === 'total'
            ? { by: 'total', total: drawn.worth }
            : { by: 'amount', amount: drawn.worth.div(decimal(thousandths(ask))).round(18, 0) },
        dependsOn: drawn.dependsOn.flatMap((at) => book.openOrders[at]?.id ?? []),
        reduceOnly: drawn.reduceOnly,
        origin: 'order',
      };
      // Unchecked orders meet the exposure limit at the fill instead.
      if (drawn.isChecked) placeable(book, request, { type: 'stock', market });
      return submit(book, [request], market, nextTrade);
    }),
  );

const newOrderAllocations: fc.Arbitrary<Command> = fc
  .record({
    percents: fc.dictionary(aName, fc.integer({ min: -1200, max: 1200 })),
    slippage: fc.constantFrom('0', '0.002', '0.05'),
  })
  .map(({ percents, slippage }) =>
    onBook(({ book }, nextOrder, nextTrade, market) => {
      const allocations = Object.entries(percents).map(([name, percent]) => ({
        stockId: id<'stock'>(name),
        percent: decimal(thousandths(percent)),
      }));
      const plan = planAllocations(
        book,
        { allocations, slippage: decimal(slippage) },
        { type: 'stock', market, nextId: nextOrder },
      );
      return submit(book, plan.requests, market, nextTrade, 'replaced');
    }),
  );

const newOrderWebhook: fc.Arbitrary<Command> = fc
  .record({
    stockId: aName.map((name): StockId => id(name)),
    action: fc.constantFrom('buy', 'long', 'sell', 'short', 'close', 'flat'),
    leverage: fc
      .integer({ min: 0, max: 200 })
      .map((hundredths) => decimal((hundredths / 100).toFixed(2))),
    pyramiding: fc.constantFrom(null, 1, 2, 4, 100),
    slippage: fc.constantFrom('0', '0.002', '0.05').map(decimal),
    marketPosition: fc.constantFrom(null, null, 'long', 'short', 'flat'),
    positionSize: fc
      .constantFrom(null, '0', '1', '-2', '3')
      .map((size) => (size === null ? null : decimal(size))),
    previousPositionSize: fc
      .constantFrom(null, '0', '3')
      .map((size) => (size === null ? null : decimal(size))),
  })
  .map((alert) =>
    onBook(({ book }, nextOrder, nextTrade, market) => {
      const plan = planAlert(book, alert, { type: 'stock', market, nextId: nextOrder });
      return plan.replaces ? submit(book, plan.requests, market, nextTrade, 'replaced') : 'nothing';
    }),
  );

const deleteOrder: fc.Arbitrary<Command> = fc
  .nat({ max: 5 })
  .map((at) =>
    onBook(({ book }, _, nextTrade, market) =>
      cancelOrder(book, book.openOrders[at]?.id ?? id('gone'), market, nextTrade),
    ),
  );
const deleteAll: fc.Arbitrary<Command> = fc.constant(
  onBook(({ book }, _, __, market) => cancelOpenOrders(book, 'closing', market)),
);

/** A quote near the last one, or a gap. */
const quote: fc.Arbitrary<Command> = fc
  .record({
    name: aName,
    factor: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 900, max: 1110 }) },
      { weight: 1, arbitrary: fc.integer({ min: 100, max: 5000 }) },
    ),
    spread: fc.constantFrom(0, 1, 10, 100),
  })
  .map(({ name, factor, spread }) => (world, _, nextTrade) => {
    const [, before] = world.prices[name] ?? [1000, 1000];
    const bid = Math.min(10 ** 9, Math.max(1, Math.round((before * factor) / 1000)));
    const ask = bid + Math.floor((bid * spread) / 1000);
    const next = {
      ...world,
      prices: { ...world.prices, [name]: [bid, ask] as const },
      stale: world.stale.filter((other) => other !== name),
    };
    const due = world.book.openOrders.filter((order) => order.stockId === name);
    const done = matchOrders(
      world.book,
      marketOf(next),
      nextTrade,
      new Set(due.map((order) => order.id)),
    );
    return { world: next, done };
  });

const toggled = (list: readonly string[], name: string): string[] =>
  list.includes(name) ? list.filter((other) => other !== name) : [...list, name];
const circumstances: fc.Arbitrary<Command> = fc.oneof(
  aName.map((name): Command => (world) => ({
    world: { ...world, halted: toggled(world.halted, name) },
    done: 'nothing',
  })),
  aName.map((name): Command => (world) => ({
    world: { ...world, stale: toggled(world.stale, name) },
    done: 'nothing',
  })),
  fc.constant<Command>((world, _, nextTrade) => {
    const next = { ...world, opensAt: world.opensAt === null ? world.now : null };
    return { world: next, done: matchOrders(world.book, marketOf(next), nextTrade) };
  }),
);

/** Any event that can happen to a book. */
export const command = fc.oneof(
  { weight: 5, arbitrary: newOrder },
  { weight: 2, arbitrary: newOrderAllocations },
  { weight: 3, arbitrary: newOrderWebhook },
  { weight: 1, arbitrary: deleteOrder },
  { weight: 5, arbitrary: quote },
  { weight: 1, arbitrary: circumstances },
  {
    weight: 1,
    arbitrary: fc.oneof({ weight: 1, arbitrary: deleteAll }, { weight: 4, arbitrary: quote }),
  },
);
