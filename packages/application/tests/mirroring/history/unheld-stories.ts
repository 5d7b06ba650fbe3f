import fc from 'fast-check';
import { type Decimal, type StockActionKind, decimal } from '@slipstream/domain';
import type { UpdateBot } from '../../../src/mirroring/index.js';
import { ACME, BOLT } from '../bot-world.js';

export const STOCKS = [ACME, BOLT] as const;

/** What happens at a market, a strategy, a bot or its broker; stocks and strategies by their places. */
export type Step =
  | {
      readonly do: 'price';
      readonly stock: 0 | 1;
      readonly percent: number;
      readonly spread: number;
    }
  | {
      readonly do: 'hold';
      readonly strategy: 0 | 1;
      readonly weights: readonly number[];
      readonly trades: boolean;
    }
  | { readonly do: 'update'; readonly change: Omit<UpdateBot, 'botId'> }
  | { readonly do: 'halted' | 'closed'; readonly stock: 0 | 1 }
  | { readonly do: 'flow'; readonly usd: string }
  | {
      readonly do: 'action';
      readonly kind: StockActionKind;
      readonly stock: 0 | 1;
      readonly figure: string;
    }
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'restart' };

/** How the bot and its broker are. */
export interface Setting {
  readonly wholeShares: boolean;
  readonly acceptsFirst: boolean;
  readonly joinsNew: boolean;
  readonly keeps: boolean;
  readonly isOfTwo: boolean;
  readonly dryRun: boolean;
  readonly hasBand: boolean;
}

export const aSetting: fc.Arbitrary<Setting> = fc.record({
  wholeShares: fc.boolean(),
  acceptsFirst: fc.boolean(),
  joinsNew: fc.boolean(),
  keeps: fc.boolean(),
  isOfTwo: fc.boolean(),
  dryRun: fc.constantFrom(false, false, true),
  hasBand: fc.boolean(),
});

const stock = fc.constantFrom(0 as const, 1 as const);
const strategy = fc.constantFrom(0 as const, 0 as const, 1 as const);
const aWeight = fc.constantFrom(-1.2, -0.5, 0, 0, 0.3, 0.5, 1, 1.5, 2.2);
const aLimit = fc.constantFrom(null, '0.1', '0.25', '0.7', '1.5');
const limit = (part: string | null): Decimal | null => (part === null ? null : decimal(part));

const aPrice = fc.record({
  do: fc.constant('price' as const),
  stock,
  percent: fc.integer({ min: -20, max: 25 }),
  spread: fc.constantFrom(0, 0, 0.002, 0.01),
});
const aHolding = fc.record({
  do: fc.constant('hold' as const),
  strategy,
  weights: fc.tuple(aWeight, aWeight),
  trades: fc.boolean(),
});
const anUpdate = fc
  .oneof(
    fc.record({ gross: aLimit, stock: aLimit }).map(({ gross, stock: most }) => ({
      limits: { maxGross: limit(gross), maxPerStock: limit(most) },
    })),
    aLimit.map((part) => ({
      limits: { maxCapital: limit(part)?.times(decimal('10000')) ?? null },
    })),
    fc.subarray([...STOCKS]).map((denyStocks) => ({ denyStocks })),
    fc.constantFrom('normal' as const, 'reduce_only' as const, 'paused' as const).map((mode) => ({
      mode,
    })),
    fc.constantFrom('0.01', '0.5', '1', '2').map((leverage) => ({ leverage: decimal(leverage) })),
  )
  .map((change) => ({ do: 'update' as const, change }));

const anActionOf = <Kind extends StockActionKind>(kind: Kind, ...figures: readonly string[]) =>
  fc.record({
    do: fc.constant('action' as const),
    kind: fc.constant(kind),
    stock,
    figure: fc.constantFrom(...figures),
  });

export const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: aPrice },
  { weight: 3, arbitrary: aHolding },
  { weight: 3, arbitrary: anUpdate },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('halted' as const, 'closed' as const), stock }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('flow' as const),
      usd: fc.constantFrom('-3000', '-1000', '500', '4000'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      anActionOf('split', '2', '3', '0.5', '0.1'),
      anActionOf('cash_dividend', '1', '4'),
      anActionOf('delisting', '0', '80', '130'),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      seconds: fc.integer({ min: 1, max: 130 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
);
