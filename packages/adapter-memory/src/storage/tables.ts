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
import type {
  Event,
  IdempotencyRecord,
  LastTurn,
  MarketRun,
  QuoteFeed,
  Tally,
} from '@slipstream/ports';

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

/** One map of the state as a transaction sees it, with its own changes. */
export interface Table<Key, Value> {
  get(key: Key): Value | undefined;
  keys(): Key[];
  values(): Value[];
  set(key: Key, value: Value): void;
  delete(key: Key): void;
}

type TableOf<Kept> = Kept extends ReadonlyMap<infer Key, infer Value> ? Table<Key, Value> : never;

/** The state as one transaction sees and changes it. */
export type Tables = { readonly [Name in keyof State]: TableOf<State[Name]> } & {
  /** Throws, and makes the transaction fail: it is not committed even if it swallows the error. */
  refuse(message: string): never;
  /** Keeps the event for the commit. */
  addEvent(event: Event): void;
};

/** One transaction's changes over a state that they do not modify. */
export interface Draft {
  readonly tables: Tables;
  /** The next state. Throws the error of a refused write, if there was one. */
  next(): State;
  /** In the order in which they were added. */
  readonly events: readonly Event[];
  /** From now on every use of the tables throws. */
  end(): void;
}

/** What a transaction knows of its end. */
interface Work {
  hasEnded: boolean;
}

function requireUnderWay(work: Work): void {
  if (work.hasEnded) throw new Error('the stores of a unit of work cannot be used after its end');
}

/** A table of one transaction: it copies what is kept when it is changed first. */
class DraftTable implements Table<unknown, unknown> {
  changed: Map<unknown, unknown> | undefined;

  constructor(
    private readonly kept: ReadonlyMap<unknown, unknown>,
    private readonly work: Work,
  ) {}

  private current(): ReadonlyMap<unknown, unknown> {
    requireUnderWay(this.work);
    return this.changed ?? this.kept;
  }

  private own(): Map<unknown, unknown> {
    requireUnderWay(this.work);
    return (this.changed ??= new Map(this.kept));
  }

  get(key: unknown): unknown {
    return this.current().get(key);
  }

  keys(): unknown[] {
    return [...this.current().keys()];
  }

  values(): unknown[] {
    return [...this.current().values()];
  }

  set(key: unknown, value: unknown): void {
    this.own().set(key, value);
  }

  delete(key: unknown): void {
    this.own().delete(key);
  }
}

export function draftOf(state: State): Draft {
  const work: Work = { hasEnded: false };
  let refusal: Error | undefined;
  const events: Event[] = [];
  const tables: Record<string, DraftTable> = {};
  for (const name in state) tables[name] = new DraftTable(state[name as keyof State], work);

  const refuse = (message: string): never => {
    refusal ??= new Error(message);
    throw refusal;
  };

  const addEvent = (event: Event): void => {
    requireUnderWay(work);
    events.push(event);
  };

  return {
    tables: { ...tables, refuse, addEvent } as unknown as Tables,
    events,
    next: () => {
      if (refusal) throw refusal;
      const changed = Object.entries(tables).flatMap(([name, { changed: map }]) =>
        map ? [[name, map]] : [],
      );
      return { ...state, ...(Object.fromEntries(changed) as Partial<State>) };
    },
    end: () => {
      work.hasEnded = true;
    },
  };
}
