import type { Strategy } from '@slipstream/domain';
import { visibleStrategies } from '../access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { viewStrategies } from '../strategy-views.js';
import type { StrategyView, Timeframe } from '../views.js';

const DEFAULT_LIMIT = 10;
/** Strategies looked up at once while the answer is not full. */
const CHUNK = 100;

/**
 * Ranked strategies other than those the caller knows, the ones that share a category with these first, each group by
 * rank_top (contract 3, "Ranks"). Only public ones are ranked, so only public ones are answered.
 */
export const getRecommendedStrategies =
  (core: Core) =>
  async (
    caller: Caller,
    command: {
      readonly strategyIds?: readonly string[] | undefined;
      readonly timeframe?: Timeframe | undefined;
      readonly limit?: number | undefined;
    },
  ): Promise<StrategyView[]> => {
    const { strategyIds = [], timeframe = 'month', limit = DEFAULT_LIMIT } = command;
    const known = new Set<string>(strategyIds);
    return core.unitOfWork.read(async (stores) => {
      const seen = await visibleStrategies(stores, caller, strategyIds);
      const liked = new Set(
        seen.flatMap(({ categories }) => categories.map((label) => label.toLowerCase())),
      );
      const candidates = core.ranking
        .candidates(timeframe)
        .filter(({ strategyId }) => !known.has(strategyId));
      const shares = ({ categories }: { readonly categories: readonly string[] }): boolean =>
        categories.some((label) => liked.has(label));
      const ordered = [
        ...candidates.filter(shares),
        ...candidates.filter((candidate) => !shares(candidate)),
      ].map(({ strategyId }) => strategyId);

      const chosen: Strategy[] = [];
      for (let at = 0; at < ordered.length && chosen.length < limit; at += CHUNK) {
        const found = await visibleStrategies(stores, caller, ordered.slice(at, at + CHUNK));
        chosen.push(...found.filter((strategy) => !strategy.private));
      }
      return viewStrategies(core, stores, chosen.slice(0, limit), timeframe);
    });
  };
