import {
  type AccountBucket,
  type Action,
  type Bot,
  type BotAllocation,
  type BotId,
  type BotLimits,
  type BotOrder,
  type BrokerConnection,
  type Halt,
  type Breach,
  type Decimal,
  type Following,
  type LossWatch,
  NO_LIMITS,
  type RebalanceRule,
  type StockId,
  type StrategyId,
  type TargetMark,
  type TradeId,
  decimal,
} from '@slipstream/domain';
import {
  type Codec,
  type RowOf,
  columnsOf,
  decimalAsText,
  flag,
  integer,
  json,
  nullable,
  text,
} from '../storage/codec.js';
import { heldParts } from './held-parts.js';

const allocations: Codec<readonly BotAllocation[], string> = {
  store: (list) =>
    JSON.stringify(list.map(({ strategyId, percent }) => [strategyId, percent.toFixed()])),
  load: (kept) =>
    (JSON.parse(kept) as [StrategyId, string][]).map(([strategyId, percent]) => ({
      strategyId,
      percent: decimal(percent),
    })),
};

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

const following: Codec<Following, string> = {
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

type StoredRule =
  | 'every_trade'
  | {
      readonly band: string | null;
      readonly cooldownHours: number | null;
      readonly at: string | null;
    };

const rebalance: Codec<RebalanceRule, string> = {
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

interface StoredMark {
  readonly level: string;
  readonly values: readonly (readonly [StrategyId, string])[];
}

const targetMark: Codec<TargetMark, string> = {
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

const textOf = (value: Decimal | null): string | null => value?.toFixed() ?? null;

type StoredLimits = { readonly [Name in keyof BotLimits]: string | number | null };

const limits: Codec<BotLimits, string> = {
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

interface StoredBreach extends Pick<Breach, 'limit' | 'at'> {
  readonly equity: string;
  readonly from: string;
}

const breach: Codec<Breach, string> = {
  store: ({ limit, at, equity, from }) =>
    JSON.stringify({
      limit,
      at,
      equity: equity.toFixed(),
      from: from.toFixed(),
    } satisfies StoredBreach),
  load: (kept) => {
    const { limit, at, equity, from } = JSON.parse(kept) as StoredBreach;
    return { limit, at, equity: decimal(equity), from: decimal(from) };
  },
};

interface StoredWatch extends Pick<LossWatch, 'readAt' | 'day'> {
  readonly cash: string;
  readonly dayStart: string;
  readonly peak: string;
  readonly holdings: readonly (readonly [StockId, amount: string, price: string])[];
  /** Absent in what was kept before brokers reported activities. */
  readonly since?: number;
  readonly counted?: readonly string[];
  readonly unreported?: readonly [since: number, came: string, went: string];
  readonly resumes?: boolean;
}

const lossWatch: Codec<LossWatch, string> = {
  store: ({ cash, dayStart, peak, holdings, unreported, ...rest }) =>
    JSON.stringify({
      ...rest,
      cash: cash.toFixed(),
      dayStart: dayStart.toFixed(),
      peak: peak.toFixed(),
      holdings: [...holdings].map(
        ([stockId, { amount, price }]) => [stockId, amount.toFixed(), price.toFixed()] as const,
      ),
      unreported: [unreported.since, unreported.came.toFixed(), unreported.went.toFixed()],
    } satisfies StoredWatch),
  load: (kept) => {
    const stored = JSON.parse(kept) as StoredWatch;
    const { readAt, day, cash, dayStart, peak, holdings } = stored;
    const { since = readAt, counted = [], unreported, resumes = false } = stored;
    const [firstAt, came, went] = unreported ?? [readAt, '0', '0'];
    return {
      since,
      readAt,
      day,
      cash: decimal(cash),
      dayStart: decimal(dayStart),
      peak: decimal(peak),
      holdings: new Map(
        holdings.map(([stockId, amount, price]) => [
          stockId,
          { amount: decimal(amount), price: decimal(price) },
        ]),
      ),
      counted,
      unreported: { since: firstAt, came: decimal(came), went: decimal(went) },
      resumes,
    };
  },
};

export const botColumns = columnsOf<Bot>()({
  id: text(),
  userId: text(),
  name: nullable(text()),
  type: text(),
  broker: text(),
  accountId: text(),
  live: flag,
  leverage: decimalAsText,
  slippage: decimalAsText,
  priceCollar: decimalAsText,
  maxSpread: nullable(decimalAsText),
  limits,
  onBreach: text(),
  rebalance,
  pace: json(),
  rebalanceOnStart: flag,
  closeOnStop: flag,
  existingPositions: text(),
  mode: text(),
  join: text(),
  allowStocks: nullable(json()),
  denyStocks: json(),
  dryRun: flag,
  heldParts,
  following,
  targetMark,
  notifications: json(),
  allocations,
  sealedCredentials: text(),
  status: text(),
  condition: text(),
  statusReason: nullable(text()),
  stopReason: nullable(text()),
  haltsSeen: json(),
  nextRunAt: nullable(integer),
  awaitsTradeSince: nullable(integer),
  closesPositions: flag,
  breach: nullable(breach),
  lossWatch: nullable(lossWatch),
  noticesOfDay: json(),
  isKnownInLine: flag,
  cycle: integer,
  attempts: integer,
  drift: nullable(decimalAsText),
  lastRebalancedAt: nullable(integer),
  createdAt: integer,
  updatedAt: integer,
});

export const botOrderColumns = columnsOf<BotOrder>()({
  id: text(),
  botId: text(),
  cycle: integer,
  stockId: text(),
  action: text(),
  amount: decimalAsText,
  limitPrice: nullable(decimalAsText),
  closes: flag,
  intent: text(),
  tradeIds: json(),
  strategyPrice: nullable(decimalAsText),
  plannedPrice: nullable(decimalAsText),
  status: text(),
  filledAmount: decimalAsText,
  filledPrice: nullable(decimalAsText),
  fee: nullable(decimalAsText),
  reason: nullable(text()),
  createdAt: integer,
  updatedAt: integer,
});

export const accountBucketColumns = columnsOf<AccountBucket & { readonly botId: BotId }>()({
  botId: text(),
  start: integer,
  length: integer,
  at: integer,
  equity: decimalAsText,
  cash: decimalAsText,
  flow: nullable(decimalAsText),
  target: nullable(decimalAsText),
});

export const haltColumns = columnsOf<Halt>()({
  id: text(),
  scope: text(),
  target: nullable(text()),
  reason: text(),
  by: text(),
  createdAt: integer,
});

/** A connection as a row: the fields of the other kind are null. */
export interface StoredConnection extends Omit<BrokerConnection, 'progress'> {
  readonly kind: BrokerConnection['progress']['kind'];
  readonly stateDigest: string | null;
  readonly accountId: string | null;
  readonly label: string | null;
  readonly sealed: string;
}

export const connectionColumns = columnsOf<StoredConnection>()({
  id: text(),
  userId: text(),
  broker: text(),
  kind: text(),
  stateDigest: nullable(text()),
  accountId: nullable(text()),
  label: nullable(text()),
  sealed: text(),
  createdAt: integer,
  expiresAt: integer,
});

export interface MirroringTables {
  readonly bots: RowOf<typeof botColumns>;
  /** Which bots mirror a strategy: the allocations again, to be found by. */
  readonly bot_strategies: { readonly strategy_id: string; readonly bot_id: string };
  readonly bot_orders: RowOf<typeof botOrderColumns>;
  readonly bot_history: RowOf<typeof accountBucketColumns>;
  readonly halts: RowOf<typeof haltColumns>;
  readonly connections: RowOf<typeof connectionColumns>;
  readonly broker_accounts: { readonly account_id: string; readonly state: string };
}
