import {
  type PlatformMove,
  RESEND_WINDOW,
  type StockId,
  type StrategyId,
} from '@slipstream/domain';

/** More alerts of one stock than leave a platform at one moment. */
const MOST_MOVES = 8;
/** Stocks of strategies. Where more send alerts, those that were told of longest ago are forgotten. */
const MOST_STOCKS = 10_000;

/**
 * What the last alerts told of their platform's position in each stock of a strategy, in the order of their coming. In memory: after
 * a restart nothing is known, and an alert that was overtaken is then taken as it comes.
 */
export interface PlatformMoves {
  /** The moves before this one. */
  before(strategyId: StrategyId, move: PlatformMove): readonly PlatformMove[];
  /** Called before the alert's transaction commits, because the next alert may be decided before that. */
  told(strategyId: StrategyId, move: PlatformMove): void;
  /** Called for an alert that came to nothing: it may come again. */
  forget(strategyId: StrategyId, stockId: StockId, id: string): void;
  /** Called for an alert that tells no move: from then on the platform's position is unknown. */
  lose(strategyId: StrategyId, stockId: StockId): void;
}

/** The moves without this one: decided once more, or sent again. No move leads to where it began, so that the same one twice is one. */
function without(moves: readonly PlatformMove[], again: PlatformMove): readonly PlatformMove[] {
  const last = moves.at(-1);
  const isAgain = last?.fingerprint === again.fingerprint && again.at - last.at <= RESEND_WINDOW;
  return moves.filter((one) => one.id !== again.id && !(isAgain && one === last));
}

export function platformMoves(): PlatformMoves {
  const moves = new Map<string, readonly PlatformMove[]>();
  const keyOf = (strategyId: StrategyId, stockId: StockId): string => `${strategyId} ${stockId}`;
  const others = (strategyId: StrategyId, move: PlatformMove): readonly PlatformMove[] =>
    without(moves.get(keyOf(strategyId, move.stockId)) ?? [], move);
  return {
    before: others,
    told(strategyId, move) {
      const key = keyOf(strategyId, move.stockId);
      const kept = [...others(strategyId, move), move].slice(-MOST_MOVES);
      // The one that was told of longest ago comes first.
      moves.delete(key);
      moves.set(key, kept);
      const [oldest] = moves.keys();
      if (moves.size > MOST_STOCKS && oldest !== undefined) moves.delete(oldest);
    },
    forget(strategyId, stockId, id) {
      const key = keyOf(strategyId, stockId);
      const kept = moves.get(key)?.filter((one) => one.id !== id);
      if (kept) moves.set(key, kept);
    },
    lose: (strategyId, stockId) => void moves.delete(keyOf(strategyId, stockId)),
  };
}
