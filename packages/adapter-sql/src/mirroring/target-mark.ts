import { type StrategyId, type TargetMark, decimal } from '@slipstream/domain';
import type { Codec } from '../storage/codec.js';

interface StoredMark {
  readonly level: string;
  readonly values: readonly (readonly [StrategyId, string])[];
}

/** How the target of a bot has done, as one text. */
export const targetMark: Codec<TargetMark, string> = {
  store: ({ level, values }) =>
    JSON.stringify({
      level: level.toFixed(),
      values: [...values].map(([strategyId, value]) => [strategyId, value.toFixed()] as const),
    } satisfies StoredMark),
  load: (kept) => {
    const { level, values } = JSON.parse(kept) as StoredMark;
    return {
      level: decimal(level),
      values: new Map(values.map(([strategyId, value]) => [strategyId, decimal(value)])),
    };
  },
};
