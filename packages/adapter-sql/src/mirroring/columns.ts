import {
  type Bot,
  type BotAllocation,
  type BotOrder,
  type Halt,
  type HeldParts,
  type StockId,
  type StrategyId,
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

const allocations: Codec<readonly BotAllocation[], string> = {
  store: (list) =>
    JSON.stringify(list.map(({ strategyId, percent }) => [strategyId, percent.toFixed()])),
  load: (kept) =>
    (JSON.parse(kept) as [StrategyId, string][]).map(([strategyId, percent]) => ({
      strategyId,
      percent: decimal(percent),
    })),
};

const heldParts: Codec<HeldParts, string> = {
  store: (parts) =>
    JSON.stringify(
      [...parts].map(([stockId, { kept, own, seenAt }]) => [
        stockId,
        kept.toFixed(),
        own.toFixed(),
        seenAt,
      ]),
    ),
  load: (kept) =>
    new Map(
      (JSON.parse(kept) as [StockId, string, string, number][]).map(([stockId, ...part]) => [
        stockId,
        { kept: decimal(part[0]), own: decimal(part[1]), seenAt: part[2] },
      ]),
    ),
};

export const botColumns = columnsOf<Bot>()({
  id: text(),
  userId: text(),
  type: text(),
  broker: text(),
  accountId: text(),
  live: flag,
  leverage: decimalAsText,
  slippage: decimalAsText,
  priceCollar: decimalAsText,
  maxSpread: nullable(decimalAsText),
  rebalanceOnStart: flag,
  closeOnStop: flag,
  existingPositions: text(),
  mode: text(),
  allowStocks: nullable(json()),
  denyStocks: json(),
  dryRun: flag,
  heldParts,
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
  status: text(),
  filledAmount: decimalAsText,
  filledPrice: nullable(decimalAsText),
  reason: nullable(text()),
  createdAt: integer,
  updatedAt: integer,
});

export const haltColumns = columnsOf<Halt>()({
  id: text(),
  scope: text(),
  target: nullable(text()),
  reason: text(),
  by: text(),
  createdAt: integer,
});

export interface MirroringTables {
  readonly bots: RowOf<typeof botColumns>;
  /** Which bots mirror a strategy: the allocations again, to be found by. */
  readonly bot_strategies: { readonly strategy_id: string; readonly bot_id: string };
  readonly bot_orders: RowOf<typeof botOrderColumns>;
  readonly halts: RowOf<typeof haltColumns>;
  readonly broker_accounts: { readonly account_id: string; readonly state: string };
}
