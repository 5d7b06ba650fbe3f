import { type PlatformMove, RESEND_WINDOW, type StrategyId } from '@slipstream/domain';

/** Moves of one strategy: more alerts than leave a platform at one moment. */
const MOST_MOVES = 8;
const MOST_STRATEGIES = 5_000;

/**
 * What the last alerts of each strategy told of their platform's position, in the order of their coming. In memory: after a restart
 * nothing is known, and an alert that was overtaken is then taken as it comes.
 */
export interface PlatformMoves {
  /** The moves of the same stock before this one. */
  before(strategyId: StrategyId, move: PlatformMove): PlatformMove[];
  /**
   * Called before the alert's transaction commits, because the next alert may be decided before that. Undefined for an alert that
   * tells no move: from then on the platform's position is unknown.
   */
  told(strategyId: StrategyId, move: PlatformMove | undefined): void;
  /** Called when the alert of that request came to nothing: it may come again. */
  forget(strategyId: StrategyId, id: string): void;
}

/** The moves without this one: decided once more, or sent again. No move leads to where it began, so that the same one twice is one. */
function without(moves: readonly PlatformMove[], again: PlatformMove): readonly PlatformMove[] {
  const last = moves.at(-1);
  const isAgain = last?.fingerprint === again.fingerprint && again.at - last.at <= RESEND_WINDOW;
  return moves.filter((one) => one.id !== again.id && !(isAgain && one === last));
}

export function platformMoves(): PlatformMoves {
  const ofStrategy = new Map<StrategyId, readonly PlatformMove[]>();
  const movesOf = (strategyId: StrategyId) => ofStrategy.get(strategyId) ?? [];
  return {
    before: (strategyId, move) =>
      without(movesOf(strategyId), move).filter(({ stockId }) => stockId === move.stockId),
    told(strategyId, move) {
      const moves = movesOf(strategyId);
      // The strategy that was told of longest ago comes first.
      ofStrategy.delete(strategyId);
      if (!move) return;
      ofStrategy.set(strategyId, [...without(moves, move), move].slice(-MOST_MOVES));
      const [oldest] = ofStrategy.keys();
      if (ofStrategy.size > MOST_STRATEGIES && oldest !== undefined) ofStrategy.delete(oldest);
    },
    forget(strategyId, id) {
      const moves = movesOf(strategyId);
      if (moves.some((one) => one.id === id))
        ofStrategy.set(
          strategyId,
          moves.filter((one) => one.id !== id),
        );
    },
  };
}
