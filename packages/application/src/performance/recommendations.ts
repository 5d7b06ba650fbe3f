import type { Strategy, StrategyId, Timeframe, StrategyView } from '@slipstream/domain';
import { visibleStrategies } from '../strategies/access.js';
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import type { Candidate } from './ranks/ranking.js';
import { viewStrategies } from '../strategies/strategy-views.js';

const DEFAULT_COUNT = 10;
/** The number of strategies read at once until the answer is full. */
const CHUNK = 100;

/**
 * Ranked strategies except those that the caller names. Strategies that share a category with a named one come first; each group is
 * ordered by rank_top (contract 3, "Ranks"). Only public strategies are ranked, so the answer has only public ones.
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
    const { strategyIds = [], timeframe = 'month', limit = DEFAULT_COUNT } = command;
    const known = new Set<string>(strategyIds);
    return core.unitOfWork.read(async (stores) => {
      const seen = await visibleStrategies(stores, caller, strategyIds);
      const liked = new Set(
        seen.flatMap(({ categories }) => categories.map((label) => label.toLowerCase())),
      );
      const chosen: Strategy[] = [];
      const inOrder = recommended(core.ranking.candidates(timeframe), known, liked);
      while (chosen.length < limit) {
        const next = someOf(inOrder, CHUNK);
        if (next.length === 0) break;
        const found = await visibleStrategies(stores, caller, next);
        chosen.push(...found.filter((strategy) => !strategy.private && strategy.endedAt === null));
      }
      return viewStrategies(core, stores, chosen.slice(0, limit), timeframe);
    });
  };

/** Strategies that share a category come first. It is lazy, because there may be many more candidates than the answer needs. */
function* recommended(
  candidates: Iterable<Candidate>,
  known: ReadonlySet<string>,
  liked: ReadonlySet<string>,
): Generator<StrategyId> {
  const shares = ({ categories }: Candidate): boolean =>
    categories.some((label) => liked.has(label));
  for (const isWanted of liked.size === 0 ? [false] : [true, false])
    for (const candidate of candidates)
      if (!known.has(candidate.strategyId) && shares(candidate) === isWanted)
        yield candidate.strategyId;
}

function someOf<Item>(items: Generator<Item>, count: number): Item[] {
  const some: Item[] = [];
  for (let next = items.next(); !next.done; next = items.next()) {
    some.push(next.value);
    if (some.length === count) break;
  }
  return some;
}
