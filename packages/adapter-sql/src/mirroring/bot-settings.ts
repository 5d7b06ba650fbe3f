import {
  type BotAllocation,
  type BotLimits,
  type Decimal,
  NO_LIMITS,
  type RebalanceRule,
  type StrategyId,
  decimal,
} from '@slipstream/domain';
import type { Codec } from '../storage/codec.js';

/** The strategies that a bot mirrors, with their parts, as one text. */
export const allocations: Codec<readonly BotAllocation[], string> = {
  store: (list) =>
    JSON.stringify(list.map(({ strategyId, percent }) => [strategyId, percent.toFixed()])),
  load: (kept) =>
    (JSON.parse(kept) as [StrategyId, string][]).map(([strategyId, percent]) => ({
      strategyId,
      percent: decimal(percent),
    })),
};

const textOf = (value: Decimal | null): string | null => value?.toFixed() ?? null;

type StoredRule =
  | 'every_trade'
  | {
      readonly band: string | null;
      readonly cooldownHours: number | null;
      readonly at: string | null;
    };

/** When a bot rebalances, as one text. */
export const rebalance: Codec<RebalanceRule, string> = {
  store: (rule) =>
    JSON.stringify(
      (rule === 'every_trade' ? rule : { ...rule, band: textOf(rule.band) }) satisfies StoredRule,
    ),
  load: (kept) => {
    const rule = JSON.parse(kept) as StoredRule;
    return rule === 'every_trade'
      ? rule
      : { ...rule, band: rule.band === null ? null : decimal(rule.band) };
  },
};

type StoredLimits = { readonly [Name in keyof BotLimits]: string | number | null };

/** The limits of a bot, as one text; those that came later are absent in older ones. */
export const limits: Codec<BotLimits, string> = {
  store: ({ maxOrdersPerDay, ...sizes }) =>
    JSON.stringify({
      maxOrdersPerDay,
      ...Object.fromEntries(Object.entries(sizes).map(([name, size]) => [name, textOf(size)])),
    }),
  load: (kept) => ({
    ...NO_LIMITS,
    ...(Object.fromEntries(
      Object.entries(JSON.parse(kept) as StoredLimits).map(([name, limit]) => [
        name,
        typeof limit === 'string' ? decimal(limit) : limit,
      ]),
    ) as Partial<BotLimits>),
  }),
};
