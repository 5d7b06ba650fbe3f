import type {
  AccountCode,
  AccountBucket,
  Adjustment,
  AdjustmentId,
  AlertRecord,
  AlertRecordId,
  Anchor,
  AnchorLeaf,
  AnnouncedAction,
  AnnouncedActionId,
  AuditEntry,
  Book,
  Bot,
  BotId,
  BotOrder,
  BotOrderId,
  BrokerConnection,
  ChainHead,
  ClaimedPoint,
  ConnectionId,
  DailyClose,
  Delivery,
  DeliveryId,
  Earning,
  EarningId,
  Endpoint,
  EndpointEvent,
  EndpointEventId,
  EndpointId,
  Halt,
  HaltId,
  Invoice,
  InvoiceId,
  Like,
  MailId,
  MarketDay,
  Notification,
  NotificationId,
  Order,
  OrderId,
  OutgoingMail,
  PaymentSource,
  PaymentSourceId,
  PlanId,
  Post,
  PostId,
  PreparedPlan,
  Quote,
  Stock,
  StockAction,
  StockActionId,
  StockId,
  Strategy,
  StrategyId,
  Subscription,
  SubscriptionId,
  Timestamp,
  Token,
  TokenId,
  TrackEntry,
  Trade,
  TradeId,
  User,
  UserId,
  ValueBucket,
  ValueDay,
  Withdrawal,
  WithdrawalId,
} from '@slipstream/domain';
import type { IdempotencyRecord, LastTurn, MarketRun, QuoteFeed, Tally } from '@slipstream/ports';

/** When a delivery of an endpoint is due next, and how its last turn went. */
export interface EndpointTurn {
  readonly dueAt: Timestamp | null;
  readonly lastTurn: LastTurn;
}

/** An event for endpoints, and how far it is addressed. */
export interface KeptEvent {
  readonly event: EndpointEvent;
  readonly place: number;
  readonly addressedTo: EndpointId | null;
  readonly isAddressed: boolean;
}

/** The committed state: immutable, so a reader may keep it as long as it likes. */
export interface State {
  readonly users: ReadonlyMap<UserId, User>;
  readonly tokens: ReadonlyMap<TokenId, Token>;
  readonly strategies: ReadonlyMap<StrategyId, Strategy>;
  readonly subscriptions: ReadonlyMap<SubscriptionId, Subscription>;
  readonly books: ReadonlyMap<StrategyId, Book>;
  readonly orders: ReadonlyMap<OrderId, Order>;
  readonly trades: ReadonlyMap<TradeId, Trade>;
  /** Each strategy's buckets, oldest first. */
  readonly valueHistory: ReadonlyMap<StrategyId, readonly ValueBucket[]>;
  readonly valueDays: ReadonlyMap<StrategyId, ValueDay>;
  readonly claimedHistories: ReadonlyMap<StrategyId, readonly ClaimedPoint[]>;
  readonly stocks: ReadonlyMap<StockId, Stock>;
  readonly quotes: ReadonlyMap<StockId, Quote>;
  /** Each stock's closes, oldest first. */
  readonly dailyCloses: ReadonlyMap<StockId, readonly DailyClose[]>;
  /** At most one. */
  readonly marketRuns: ReadonlyMap<'last', MarketRun>;
  readonly bots: ReadonlyMap<BotId, Bot>;
  readonly botOrders: ReadonlyMap<BotOrderId, BotOrder>;
  /** Each bot's buckets, oldest first. */
  readonly botHistory: ReadonlyMap<BotId, readonly AccountBucket[]>;
  readonly brokerAccounts: ReadonlyMap<string, string>;
  readonly halts: ReadonlyMap<HaltId, Halt>;
  readonly connections: ReadonlyMap<ConnectionId, BrokerConnection>;
  readonly stockActions: ReadonlyMap<StockActionId, StockAction>;
  readonly adjustments: ReadonlyMap<AdjustmentId, Adjustment>;
  readonly announcedActions: ReadonlyMap<AnnouncedActionId, AnnouncedAction>;
  /** At most one. */
  readonly quoteFeed: ReadonlyMap<'present', QuoteFeed>;
  /** By date. */
  readonly marketDays: ReadonlyMap<string, MarketDay>;
  readonly track: ReadonlyMap<StrategyId, readonly TrackEntry[]>;
  /** By day. */
  readonly anchors: ReadonlyMap<string, Anchor>;
  /** Each day's leaves, branch by branch. */
  readonly anchorBranches: ReadonlyMap<string, readonly (readonly AnchorLeaf[])[]>;
  readonly alerts: ReadonlyMap<AlertRecordId, AlertRecord>;
  /** By place in the log. */
  readonly audit: ReadonlyMap<number, AuditEntry>;
  /** The last one that is in an archive. */
  readonly auditArchived: ReadonlyMap<'head', ChainHead>;
  /** By name. */
  readonly keptAnswers: ReadonlyMap<string, IdempotencyRecord>;
  /** At most one. */
  readonly keyProof: ReadonlyMap<'proof', string>;
  /** By name. */
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly plans: ReadonlyMap<PlanId, PreparedPlan>;
  readonly notifications: ReadonlyMap<NotificationId, Notification>;
  readonly posts: ReadonlyMap<PostId, Post>;
  /** By post and user. */
  readonly likes: ReadonlyMap<string, Like>;
  readonly mails: ReadonlyMap<MailId, OutgoingMail>;
  /** By purpose and user. */
  readonly accountCodes: ReadonlyMap<string, AccountCode>;
  readonly paymentSources: ReadonlyMap<PaymentSourceId, PaymentSource>;
  readonly invoices: ReadonlyMap<InvoiceId, Invoice>;
  readonly earnings: ReadonlyMap<EarningId, Earning>;
  readonly withdrawals: ReadonlyMap<WithdrawalId, Withdrawal>;
  readonly endpoints: ReadonlyMap<EndpointId, Endpoint>;
  readonly endpointTurns: ReadonlyMap<EndpointId, EndpointTurn>;
  readonly endpointEvents: ReadonlyMap<EndpointEventId, KeptEvent>;
  readonly deliveries: ReadonlyMap<DeliveryId, Delivery>;
}

/** The state of a new storage. */
export const emptyState: State = {
  users: new Map(),
  tokens: new Map(),
  strategies: new Map(),
  subscriptions: new Map(),
  books: new Map(),
  orders: new Map(),
  trades: new Map(),
  valueHistory: new Map(),
  valueDays: new Map(),
  claimedHistories: new Map(),
  stocks: new Map(),
  quotes: new Map(),
  dailyCloses: new Map(),
  marketRuns: new Map(),
  bots: new Map(),
  botOrders: new Map(),
  botHistory: new Map(),
  brokerAccounts: new Map(),
  halts: new Map(),
  connections: new Map(),
  stockActions: new Map(),
  adjustments: new Map(),
  announcedActions: new Map(),
  quoteFeed: new Map(),
  marketDays: new Map(),
  track: new Map(),
  anchors: new Map(),
  anchorBranches: new Map(),
  alerts: new Map(),
  audit: new Map(),
  auditArchived: new Map(),
  keptAnswers: new Map(),
  keyProof: new Map(),
  tallies: new Map(),
  plans: new Map(),
  notifications: new Map(),
  posts: new Map(),
  likes: new Map(),
  mails: new Map(),
  accountCodes: new Map(),
  paymentSources: new Map(),
  invoices: new Map(),
  earnings: new Map(),
  withdrawals: new Map(),
  endpoints: new Map(),
  endpointTurns: new Map(),
  endpointEvents: new Map(),
  deliveries: new Map(),
};
