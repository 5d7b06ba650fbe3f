import type {
  AccountBucket,
  Bot,
  BotId,
  BotOrder,
  BrokerConnection,
  Halt,
} from '@slipstream/domain';
import {
  type RowOf,
  columnsOf,
  decimalAsText,
  flag,
  integer,
  json,
  nullable,
  text,
} from '../storage/codec.js';
import { allocations, limits, rebalance } from './bot-settings.js';
import { following } from './following.js';
import { heldParts } from './held-parts.js';
import { breach, lossWatch } from './loss-watch.js';
import { targetMark, unheldGain } from './target-mark.js';

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
  firstCycle: integer,
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
  unheld: nullable(unheldGain),
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
