import type { Stores } from '@slipstream/ports';

type Writing = 'add' | 'save' | 'remove';

/** The objects that each write of a store concerns, as `kind:id`. */
type Concerns<Store> = {
  readonly [Method in keyof Store & Writing]: Store[Method] extends (
    ...given: infer Given
  ) => unknown
    ? (...given: Given) => readonly string[]
    : never;
};

const named =
  (kind: string) =>
  ({ id }: { readonly id: string }): readonly string[] => [`${kind}:${id}`];
const user = (userId: string): readonly string[] => [`user:${userId}`];

/**
 * The objects that a change of each store concerns. Null if the change is not recorded: quotes, values and runs come from the market, the
 * track record and stored answers come with recorded changes, a broker's account is the broker's, the master key the operator's,
 * a count of attempts is not a change, the name of a feed comes with its quotes, and events
 * follow from changes, with their deliveries.
 */
export const CONCERNS: { readonly [Name in keyof Stores]: Concerns<Stores[Name]> | null } = {
  users: { save: named('user') },
  tokens: { save: named('token'), remove: (tokenId) => [`token:${tokenId}`] },
  strategies: { save: named('strategy') },
  subscriptions: {
    save: ({ id, strategyId }) => [`subscription:${id}`, `strategy:${strategyId}`],
  },
  books: {
    save: ({ strategyId }, changes) => [
      `strategy:${strategyId}`,
      ...changes.map(({ order }) => `order:${order.id}`),
    ],
  },
  orders: {},
  trades: {},
  valueHistory: null,
  valueDays: null,
  claimedHistories: {
    save: (strategyId) => [`strategy:${strategyId}`],
    remove: (strategyId) => [`strategy:${strategyId}`],
  },
  stocks: { save: (stocks) => stocks.flatMap(named('stock')) },
  quotes: null,
  dailyCloses: null,
  marketRuns: null,
  bots: { save: named('bot'), remove: (botId) => [`bot:${botId}`] },
  botOrders: { save: ({ id, botId }) => [`bot:${botId}`, `bot_order:${id}`] },
  botHistory: null,
  brokerAccounts: null,
  halts: { save: named('halt'), remove: (haltId) => [`halt:${haltId}`] },
  connections: {
    save: named('connection'),
    remove: (connectionId) => [`connection:${connectionId}`],
  },
  stockActions: { save: named('stock_action') },
  announcedActions: { save: named('announced_action') },
  quoteFeed: null,
  marketDays: { save: ({ date }) => [`market_day:${date}`] },
  adjustments: {
    save: ({ actionId, strategyId }) => [`stock_action:${actionId}`, `strategy:${strategyId}`],
  },
  track: null,
  anchors: { save: ({ day }) => [`anchor:${day}`] },
  audit: null,
  alerts: {
    add: named('alert'),
    save: named('alert'),
    remove: (alertIds) => alertIds.map((alertId) => `alert:${alertId}`),
  },
  keptAnswers: null,
  keyProof: null,
  tallies: null,
  plans: { save: named('plan'), remove: (planId) => [`plan:${planId}`] },
  notifications: { save: named('notification'), remove: user },
  posts: { save: named('post'), remove: (postId) => [`post:${postId}`] },
  likes: { save: ({ postId }) => [`post:${postId}`], remove: (postId) => [`post:${postId}`] },
  mails: { save: named('mail'), remove: (mailId) => [`mail:${mailId}`] },
  accountCodes: { save: ({ userId }) => user(userId), remove: user },
  paymentSources: { save: named('payment_source') },
  invoices: { save: named('invoice') },
  earnings: { save: named('earning') },
  withdrawals: { save: named('withdrawal') },
  endpoints: { save: named('endpoint'), remove: (endpointId) => [`endpoint:${endpointId}`] },
  endpointEvents: null,
  deliveries: null,
  counts: {},
  events: null,
};
