import {
  type Action,
  type Following,
  type StockId,
  type StrategyId,
  type TradeId,
  decimal,
} from '@slipstream/domain';
import type { Codec } from '../storage/codec.js';

type StoredUnjoined = readonly (readonly [
  StrategyId,
  readonly (readonly [StockId, increasedBy: Action, part: string])[],
])[];

interface StoredFollowing {
  readonly seen: readonly (readonly [StrategyId, TradeId | null])[];
  readonly open: readonly (readonly [
    StockId,
    tradeIds: readonly TradeId[],
    amount: string,
    gross: string,
    at: number,
    /** Absent in what was kept before rebalances were paced. */
    actions?: readonly Action[],
  ])[];
  /** Absent in what was kept before bots could leave positions out. */
  readonly unjoined?: StoredUnjoined;
}

/** How far a bot has followed the trades of its strategies, as one text. */
export const following: Codec<Following, string> = {
  store: ({ seen, open, unjoined }) =>
    JSON.stringify({
      seen: [...seen],
      open: [...open].map(
        ([stockId, { tradeIds, amount, gross, at, actions }]) =>
          [stockId, tradeIds, amount.toFixed(), gross.toFixed(), at, actions] as const,
      ),
      unjoined: [...unjoined].map(
        ([strategyId, positions]) =>
          [
            strategyId,
            [...positions].map(
              ([stockId, { increasedBy, part }]) => [stockId, increasedBy, part.toFixed()] as const,
            ),
          ] as const,
      ),
    } satisfies StoredFollowing),
  load: (kept) => {
    const { seen, open, unjoined = [] } = JSON.parse(kept) as StoredFollowing;
    return {
      seen: new Map(seen),
      open: new Map(
        open.map(([stockId, tradeIds, amount, gross, at, actions = ['buy', 'sell']]) => [
          stockId,
          { tradeIds, amount: decimal(amount), gross: decimal(gross), at, actions },
        ]),
      ),
      unjoined: new Map(
        unjoined.map(([strategyId, positions]) => [
          strategyId,
          new Map(
            positions.map(([stockId, increasedBy, part]) => [
              stockId,
              { increasedBy, part: decimal(part) },
            ]),
          ),
        ]),
      ),
    };
  },
};
