import type {
  Bot,
  BotAllocation,
  BotOrder,
  Position,
  Quote,
  Stock,
  Strategy,
  StrategyId,
  Subscription,
  Token,
  Trade,
  User,
  ValueBucket,
} from '@slipstream/domain';
import { decimal } from '@slipstream/domain';
import {
  type Codec,
  type RowOf,
  columnsOf,
  exact,
  flag,
  integer,
  json,
  nullable,
  text,
} from '../storage/codec.js';
import type { FiguresTables } from './figures.js';
import type { InboxTables } from './inbox.js';
import type { KeyProofTable } from './key-proof.js';
import type { TallyTable } from './tallies.js';
import type { StorageTable } from './user-storage.js';
import type { PaymentTables } from './payments.js';
import type { AuditTables } from './audit.js';
import type { TrackTables } from './track.js';
import type { SocialTables } from './social.js';
import type { StockActionTables } from './stock-actions.js';

export const userColumns = columnsOf<User>()({
  id: text(),
  email: text(),
  passwordHash: text(),
  profile: json(),
  commission: integer,
  notifications: json(),
  paymentsEnabled: flag,
  verified: flag,
  confirmBy: nullable(integer),
  secondFactor: nullable(json()),
  devices: json(),
  refId: text(),
  referredBy: nullable(text()),
  createdAt: integer,
  updatedAt: integer,
  deletedAt: nullable(integer),
});

export const tokenColumns = columnsOf<Token>()({
  id: text(),
  userId: text(),
  type: text(),
  name: text(),
  scope: json(),
  strategyIds: nullable(json()),
  digest: text(),
  parentId: nullable(text()),
  createdAt: integer,
  expiresAt: nullable(integer),
  renewedByUse: flag,
  lastUsedAt: nullable(integer),
});

export const strategyColumns = columnsOf<Strategy>()({
  id: text(),
  productId: text(),
  userId: text(),
  type: text(),
  private: flag,
  name: text(),
  description: text(),
  categories: json(),
  price: integer,
  invitedUserIds: json(),
  createdAt: integer,
  updatedAt: integer,
  belowZeroFor: integer,
  endedAt: nullable(integer),
  deletedAt: nullable(integer),
  endUnderWay: nullable(json()),
});

export const subscriptionColumns = columnsOf<Subscription>()({
  id: text(),
  strategyId: text(),
  userId: text(),
  relation: text(),
  status: text(),
  statusReason: nullable(text()),
  price: integer,
  inputValue: nullable(exact),
  inputDate: nullable(integer),
  inputMultiplier: nullable(exact),
  renewsAt: nullable(integer),
  endsAt: nullable(integer),
  createdAt: integer,
  updatedAt: integer,
});

/** A book's own row; its positions and orders have theirs. */
export interface BookRow {
  readonly strategy_id: string;
  readonly version: number;
  readonly cash: string;
}

export const positionColumns = columnsOf<Position & { readonly strategyId: StrategyId }>()({
  strategyId: text(),
  stockId: text(),
  amount: exact,
  averagePrice: exact,
  cost: exact,
  realized: exact,
  dividends: exact,
  createdAt: integer,
  updatedAt: integer,
});

/** Of positions that were saved before these were kept, `cost` and `dividends` are null until they change. */
export type PositionRow = Omit<RowOf<typeof positionColumns>, 'cost' | 'dividends'> & {
  readonly cost: string | null;
  readonly dividends: string | null;
  readonly place: number;
};

export const costsOfPositions = `
ALTER TABLE positions ADD COLUMN cost TEXT;
ALTER TABLE positions ADD COLUMN dividends TEXT;
`;

/** All shapes of an order side by side: what a shape lacks is null. */
export interface OrderRow {
  readonly id: string;
  readonly strategy_id: string;
  readonly stock_id: string;
  readonly action: string;
  readonly type: string;
  readonly price: string | null;
  readonly stop_price: string | null;
  /** Exactly one of `amount` and `total` is set. */
  readonly amount: string | null;
  readonly total: string | null;
  readonly depends_on: string;
  readonly reduce_only: number;
  readonly origin: string;
  readonly created_at: number;
  readonly triggered_at: number | null;
  readonly status: string;
  readonly resting_since: number | null;
  readonly closed_at: number | null;
  readonly filled_price: string | null;
  readonly filled_amount: string | null;
  readonly filled_total: string | null;
  readonly fee_total: string | null;
  readonly reason: string | null;
}

export const tradeColumns = columnsOf<Trade>()({
  id: text(),
  orderId: text(),
  strategyId: text(),
  stockId: text(),
  action: text(),
  price: exact,
  amount: exact,
  total: exact,
  feeTotal: exact,
  rounding: exact,
  strategyValue: nullable(exact),
  createdAt: integer,
});

export const bucketColumns = columnsOf<ValueBucket & { readonly strategyId: StrategyId }>()({
  strategyId: text(),
  start: integer,
  length: integer,
  last: exact,
  lastAt: integer,
  high: exact,
  low: exact,
  drawdown: exact,
});

export const stockColumns = columnsOf<Stock>()({
  id: text(),
  figiComposite: nullable(text()),
  symbol: text(),
  stock: text(),
  name: text(),
  sector: text(),
  security: text(),
  exchange: text(),
  peg: text(),
  provider: text(),
  slippage: exact,
  fee: exact,
  links: json(),
  status: text(),
});

export const quoteColumns = columnsOf<Quote>()({
  stockId: text(),
  bid: exact,
  ask: exact,
  last: exact,
  at: integer,
});

const allocations: Codec<readonly BotAllocation[], string> = {
  store: (list) =>
    JSON.stringify(list.map(({ strategyId, percent }) => [strategyId, percent.toFixed()])),
  load: (kept) =>
    (JSON.parse(kept) as [StrategyId, string][]).map(([strategyId, percent]) => ({
      strategyId,
      percent: decimal(percent),
    })),
};

export const botColumns = columnsOf<Bot>()({
  id: text(),
  userId: text(),
  type: text(),
  broker: text(),
  accountId: text(),
  live: flag,
  leverage: exact,
  slippage: exact,
  rebalanceOnStart: flag,
  closeOnStop: flag,
  notifications: json(),
  allocations,
  sealedCredentials: text(),
  status: text(),
  condition: text(),
  statusReason: nullable(text()),
  stopReason: nullable(text()),
  nextRunAt: nullable(integer),
  awaitsTradeSince: nullable(integer),
  closesPositions: flag,
  cycle: integer,
  attempts: integer,
  drift: nullable(exact),
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
  amount: exact,
  intent: text(),
  status: text(),
  filledAmount: exact,
  filledPrice: nullable(exact),
  reason: nullable(text()),
  createdAt: integer,
  updatedAt: integer,
});

/** Every table, for the query builder. */
export interface Database
  extends
    SocialTables,
    FiguresTables,
    PaymentTables,
    InboxTables,
    StockActionTables,
    TrackTables,
    AuditTables,
    KeyProofTable,
    TallyTable,
    StorageTable {
  readonly users: RowOf<typeof userColumns>;
  readonly tokens: RowOf<typeof tokenColumns>;
  readonly strategies: RowOf<typeof strategyColumns>;
  readonly subscriptions: RowOf<typeof subscriptionColumns>;
  readonly books: BookRow;
  /** `place` keeps the order of a book's positions, as that of its orders. */
  readonly positions: PositionRow;
  readonly orders: OrderRow & { readonly place: number };
  readonly trades: RowOf<typeof tradeColumns>;
  readonly value_buckets: RowOf<typeof bucketColumns>;
  readonly stocks: RowOf<typeof stockColumns>;
  readonly quotes: RowOf<typeof quoteColumns>;
  readonly bots: RowOf<typeof botColumns>;
  /** Which bots mirror a strategy: the allocations again, to be found by. */
  readonly bot_strategies: { readonly strategy_id: string; readonly bot_id: string };
  readonly bot_orders: RowOf<typeof botOrderColumns>;
  readonly broker_accounts: { readonly account_id: string; readonly state: string };
}
