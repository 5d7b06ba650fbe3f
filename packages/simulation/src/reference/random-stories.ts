import fc from 'fast-check';
import {
  FEEDS,
  QUOTE_KINDS,
  type QuoteMove,
  type ReferenceStep,
  type ReferenceStory,
  type Size,
} from './story.js';

const place = fc.nat(5);
const strategy = fc.nat(1);
const hundredths = (most: number) => fc.integer({ min: -most, max: most });

const quoteMove: fc.Arbitrary<QuoteMove> = fc.record({
  stock: place,
  move: fc.oneof(
    { weight: 3, arbitrary: hundredths(300) },
    { weight: 1, arbitrary: hundredths(1500) },
  ),
  spread: fc.constantFrom(0, 1, 7, 50, 300),
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant('now' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...QUOTE_KINDS) },
  ),
});

const of = (stock: number, move: number): QuoteMove => ({ stock, move, spread: 1, kind: 'now' });

/** In most batches prices go up and down. */
const batch = fc.oneof(
  fc.array(quoteMove, { minLength: 1, maxLength: 5 }),
  fc
    .tuple(place, fc.array(quoteMove, { minLength: 2, maxLength: 5 }))
    .map(([stock, moves]) => moves.map((move) => ({ ...move, stock }))),
);

const size: fc.Arbitrary<Size> = fc.record({
  by: fc.constantFrom('amount', 'total'),
  of: fc.constantFrom('value', 'value', 'value', 'holding', 'most'),
  percent: fc.constantFrom(1, 7, 20, 33, 50, 50, 100, 100, 180, 250),
  places: fc.constantFrom(4, 8, 18),
});

const newOrder = fc.record({
  do: fc.constant('newOrder' as const),
  strategy,
  stock: place,
  action: fc.constantFrom('buy', 'sell'),
  type: fc.constantFrom('market', 'limit', 'limit', 'stop_market', 'stop_limit', 'oco'),
  price: hundredths(500),
  stopPrice: hundredths(500),
  size,
  dependsOn: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.nat(4), { minLength: 1, maxLength: 3 }) },
  ),
  reduceOnly: fc.constantFrom(undefined, undefined, undefined, true, false),
});

/** An entry and a chain of orders, each waiting for the one before. */
const chain = fc
  .tuple(strategy, fc.nat(2), fc.array(newOrder, { minLength: 2, maxLength: 4 }))
  .map(([of, stock, orders]) =>
    orders.map((order, index) => ({
      ...order,
      strategy: of,
      stock: index % 2 === 0 ? stock : order.stock,
      type: order.type === 'market' ? ('limit' as const) : order.type,
      price: order.action === 'buy' ? -Math.abs(order.price) : Math.abs(order.price),
      dependsOn: index === 0 ? [] : [0],
    })),
  );

const slippage = fc.constantFrom(0, 1, 2, 2, 50);

const allocate = fc.record({
  do: fc.constant('allocate' as const),
  strategy,
  targets: fc.uniqueArray(
    fc.record({
      stock: fc.nat(2),
      percent: fc.constantFrom(-150, -60, -33, 0, 10, 50, 67, 120, 200),
    }),
    { maxLength: 3, selector: ({ stock }) => stock },
  ),
  slippage,
});

const alert = fc.record({
  do: fc.constant('alert' as const),
  strategy,
  stock: place,
  action: fc.constantFrom('buy', 'long', 'sell', 'short', 'buy', 'sell', 'close', 'flat'),
  leverage: fc.constantFrom(100, 200, 37, 150, 0),
  pyramiding: fc.constantFrom(undefined, undefined, 1, 3, 4),
  slippage,
  marketPosition: fc.constantFrom(undefined, undefined, undefined, 'long', 'short', 'flat'),
  sizes: fc.constantFrom<readonly [string, string] | undefined>(
    undefined,
    ['5', '10'],
    ['1', '3'],
    ['-2', '-7'],
    ['0', '4'],
    ['7', '7'],
  ),
});

const split = fc
  .tuple(place, fc.constantFrom([2, 1], [3, 1], [1, 3], [1, 2], [3, 2], [7, 10], [10, 1]))
  .map(([stock, [newShares = 1, oldShares = 1]]) => ({
    do: 'split' as const,
    stock,
    newShares,
    oldShares,
  }));

/** A stock is halted while it has orders; its price moves, or it is split, before the halt ends. */
const interrupted = fc
  .tuple(
    fc.tuple(strategy, fc.nat(2)),
    fc.array(newOrder, { minLength: 1, maxLength: 3 }),
    hundredths(600),
    fc.option(split, { freq: 2 }),
  )
  .map(([[owner, own], orders, move, action]): ReferenceStep[] => {
    const stock = owner * 3 + own;
    return [
      { do: 'halt', stock },
      ...orders.map((order) => ({ ...order, strategy: owner, stock: own })),
      action ? { ...action, stock } : { do: 'quotes', batches: [[of(stock, move)]] },
      { do: 'resume', stock },
    ];
  });

const step: fc.Arbitrary<ReferenceStep> = fc.oneof(
  { weight: 14, arbitrary: newOrder },
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('quotes' as const),
      batches: fc.oneof(
        { weight: 3, arbitrary: batch.map((one) => [one]) },
        { weight: 1, arbitrary: fc.array(batch, { minLength: 2, maxLength: 3 }) },
      ),
    }),
  },
  { weight: 3, arbitrary: allocate },
  { weight: 3, arbitrary: alert },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('deleteOrder' as const), strategy, order: place }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('halt', 'resume', 'resume'), stock: place }),
  },
  { weight: 1, arbitrary: split },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('dividend', 'dividend', 'delist'),
      stock: place,
      percent: fc.constantFrom(1, 3, 50, 100),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      seconds: fc.constantFrom(1, 20, 59, 61, 600),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('advanceTo' as const),
      edge: fc.constantFrom('opening', 'closing'),
      seconds: fc.constantFrom(-30, -1, 0, 1, 30),
    }),
  },
);

const steps = fc.oneof(
  { weight: 14, arbitrary: step.map((one) => [one]) },
  { weight: 1, arbitrary: chain },
  { weight: 1, arbitrary: interrupted },
);

const sameAgain: ReferenceStep = {
  do: 'quotes',
  batches: [[0, 1, 2, 3, 4, 5].map((stock) => of(stock, 0))],
};

/** Time that passes at unchanged prices. */
const linger = (rounds: number): ReferenceStep[] =>
  Array.from({ length: rounds }, (): ReferenceStep[] => [
    sameAgain,
    { do: 'advance', seconds: 50 },
  ]).flat();

/** The session of stocks closes while their quotes are fresh. */
const evening = (seconds: number): ReferenceStep[] => [
  { do: 'advanceTo', edge: 'closing', seconds },
  ...linger(1),
];

/** Twice the strategy's value in one stock, whose price then moves against it. */
const ruin = fc
  .record({
    strategy,
    stock: fc.nat(2),
    isShort: fc.boolean(),
    gap: fc.constantFrom(5100, 6000, 7500),
    stop: fc.option(newOrder, { nil: undefined }),
  })
  .map(({ strategy: sunk, stock, isShort, gap, stop }): ReferenceStep[] => [
    {
      do: 'allocate',
      strategy: sunk,
      targets: [{ stock, percent: isShort ? -200 : 200 }],
      slippage: 0,
    },
    ...(stop ? [{ ...stop, strategy: sunk }] : []),
    { do: 'quotes', batches: [[of(sunk * 3 + stock, isShort ? gap : -gap)]] },
  ]);

/** Strategies that fall to zero or below. */
const sinking: fc.Arbitrary<readonly ReferenceStep[]> = fc.oneof(
  { weight: 4, arbitrary: step.map((one) => [one]) },
  { weight: 5, arbitrary: fc.constantFrom(1, 1, 2, 3, 17).map(linger) },
  { weight: 1, arbitrary: chain },
  { weight: 1, arbitrary: ruin },
  {
    weight: 1,
    arbitrary: fc
      .tuple(place, fc.constantFrom(-6000, 9000, 20_000))
      .map(([stock, move]): ReferenceStep[] => [{ do: 'quotes', batches: [[of(stock, move)]] }]),
  },
  { weight: 1, arbitrary: fc.constantFrom(-45, -20, -5).map(evening) },
  {
    weight: 3,
    arbitrary: strategy.map((sunk): ReferenceStep[] => [{ do: 'undoEnd', strategy: sunk }]),
  },
);

/** Every stock has a price before the first step. One story in eight is about strategies at or below zero. */
export const referenceStories = (most: number): fc.Arbitrary<ReferenceStory> => {
  const usual = fc
    .array(steps, { minLength: 1, maxLength: most, size: 'max' })
    .map((all) => all.flat());
  const below = fc
    .tuple(ruin, fc.array(sinking, { minLength: 1, maxLength: most / 2, size: 'max' }))
    .map(([first, all]) => [...first, ...all.flat()]);
  return fc.record({
    feed: fc.constantFrom(...FEEDS),
    steps: fc.oneof({ weight: 7, arbitrary: usual }, { weight: 1, arbitrary: below }),
  });
};
