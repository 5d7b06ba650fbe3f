import type {
  AccountBucket,
  AccountCode,
  Adjustment,
  AlertRecord,
  Anchor,
  AnnouncedAction,
  AuditEntry,
  Book,
  Bot,
  BotId,
  BotOrder,
  BrokerConnection,
  ChainHead,
  ClaimedPoint,
  DailyClose,
  Delivery,
  Earning,
  Endpoint,
  EndpointEvent,
  EndpointId,
  Halt,
  Invoice,
  Like,
  MarketDay,
  Notification,
  Order,
  OutgoingMail,
  PaymentSource,
  PreparedPlan,
  Post,
  Quote,
  Stock,
  StockAction,
  Strategy,
  StrategyId,
  Subscription,
  Timestamp,
  Token,
  TrackEntry,
  Trade,
  User,
  ValueBucket,
  ValueDay,
  Withdrawal,
} from '@slipstream/domain';
import type {
  AnchorBranch,
  IdempotencyRecord,
  LastTurn,
  MarketRun,
  QuoteFeed,
  Tally,
} from '@slipstream/ports';

/** What each table keeps. */
export interface Records {
  accountCodes: AccountCode;
  adjustments: Adjustment;
  alerts: AlertRecord;
  audit: AuditEntry;
  auditArchived: ChainHead;
  books: Book;
  botOrders: BotOrder;
  botHistory: AccountBucket & { readonly botId: BotId };
  bots: Bot;
  claimedHistories: readonly ClaimedPoint[];
  connections: BrokerConnection;
  brokerAccounts: { readonly id: string; readonly state: string };
  deliveries: Delivery;
  earnings: Earning;
  endpoints: Endpoint;
  endpointEvents: {
    readonly event: EndpointEvent;
    readonly place: number;
    readonly addressedTo: EndpointId | null;
    readonly isAddressed: boolean;
  };
  endpointTurns: {
    readonly id: EndpointId;
    readonly dueAt: Timestamp | null;
    readonly lastTurn: LastTurn;
  };
  halts: Halt;
  invoices: Invoice;
  keptAnswers: IdempotencyRecord;
  keyProof: { readonly sealed: string };
  likes: Like;
  mails: OutgoingMail;
  marketRuns: MarketRun;
  notifications: Notification;
  orders: Order;
  paymentSources: PaymentSource;
  posts: Post;
  quotes: Quote;
  dailyCloses: DailyClose;
  announcedActions: AnnouncedAction;
  quoteFeed: QuoteFeed;
  marketDays: MarketDay;
  stockActions: StockAction;
  stocks: Stock;
  strategies: Strategy;
  subscriptions: Subscription;
  plans: PreparedPlan;
  tallies: Tally;
  tokens: Token;
  track: TrackEntry;
  anchors: Anchor;
  anchorBranches: AnchorBranch & { readonly day: string };
  trades: Trade;
  users: User;
  valueDays: ValueDay & { readonly strategyId: StrategyId };
  valueHistory: ValueBucket & { readonly strategyId: StrategyId };
  withdrawals: Withdrawal;
}

export type TableName = keyof Records;

/** Every committed row, by table and key. Never changed: a commit makes another one. */
export type State = ReadonlyMap<TableName, ReadonlyMap<string, unknown>>;

/** One row that a transaction wrote; null removes it. */
export type Write = readonly [table: TableName, key: string, row: unknown];

/** The state with these writes. A row that is saved again stays where it stands in its table. */
export function withWrites(state: State, writes: readonly Write[]): State {
  const next = new Map(state);
  const copied = new Map<TableName, Map<string, unknown>>();
  for (const [table, key, row] of writes) {
    const rows = copied.get(table) ?? new Map(next.get(table));
    copied.set(table, rows);
    next.set(table, rows);
    if (row === null) rows.delete(key);
    else rows.set(key, row);
  }
  return next;
}
