import {
  type Bot,
  type BotOrder,
  type BrokerConnection,
  type AccountBucket,
  FIRST_MARK,
  FIRST_PACE,
  FOLLOWS_NOTHING,
  MINUTE,
  type Halt,
  NO_LIMITS,
  ONE,
  type Security,
  ZERO,
  decimal,
  id,
} from '@slipstream/domain';
import { NOON } from './noon.js';
import type { BrokerAccess, LinkedAccount } from '@slipstream/ports';

/** A bot of `user-2` that is off and mirrors `strategy-1` with its whole simulated account. */
export const aBot = (overrides: Partial<Bot> = {}): Bot => ({
  id: id('bot-1'),
  userId: id('user-2'),
  name: null,
  type: 'stock',
  broker: 'simulated',
  accountId: 'account-1',
  live: false,
  leverage: ONE,
  slippage: decimal('0.002'),
  priceCollar: decimal('0.01'),
  maxSpread: null,
  limits: NO_LIMITS,
  onBreach: 'reduce_only',
  breach: null,
  lossWatch: null,
  noticesOfDay: [],
  isKnownInLine: false,
  rebalanceOnStart: true,
  existingPositions: 'take_over',
  mode: 'normal',
  join: 'all',
  allowStocks: null,
  denyStocks: [],
  dryRun: false,
  heldParts: new Map(),
  following: FOLLOWS_NOTHING,
  targetMark: FIRST_MARK,
  rebalance: 'every_trade',
  pace: FIRST_PACE,
  closeOnStop: false,
  notifications: [],
  allocations: [{ strategyId: id('strategy-1'), percent: ONE }],
  sealedCredentials: 'sealed',
  status: 'off',
  condition: 'off',
  statusReason: null,
  stopReason: null,
  haltsSeen: [],
  nextRunAt: null,
  awaitsTradeSince: null,
  closesPositions: false,
  cycle: 0,
  firstCycle: 0,
  attempts: 0,
  drift: null,
  lastRebalancedAt: null,
  createdAt: NOON,
  updatedAt: NOON,
  ...overrides,
});

/** Access to an account of that type that is linked; what the broker renews is kept nowhere. */
export const anAccess = (
  { accountId, credentials }: LinkedAccount,
  type: Security = 'stock',
): BrokerAccess => ({
  accountId,
  type,
  credentials,
  renew: async () => undefined,
});

/** A new order of `aBot`, unless overridden. */
export const aBotOrder = (overrides: Partial<BotOrder> = {}): BotOrder => ({
  id: id('bot-order-1'),
  botId: id('bot-1'),
  cycle: 1,
  stockId: id('stock-1'),
  action: 'buy',
  amount: decimal('1'),
  limitPrice: null,
  closes: false,
  intent: 'open a position',
  tradeIds: [],
  strategyPrice: null,
  plannedPrice: null,
  status: 'new',
  filledAmount: ZERO,
  filledPrice: null,
  fee: null,
  reason: null,
  createdAt: NOON,
  updatedAt: NOON,
  ...overrides,
});

/** The operator's halt of all trading, unless overridden. */
export const aHalt = (overrides: Partial<Halt> = {}): Halt => ({
  id: id('halt-1'),
  scope: 'all',
  target: null,
  reason: 'the market is not itself',
  by: 'operator',
  createdAt: NOON,
  ...overrides,
});

/** A user is at a broker's page, unless overridden. */
export const aConnection = (overrides: Partial<BrokerConnection> = {}): BrokerConnection => ({
  id: id('connection-1'),
  userId: id('user-1'),
  broker: 'alpaca_paper',
  progress: { kind: 'asked', stateDigest: 'digest of a state', sealed: 'sealed verifier' },
  createdAt: NOON,
  expiresAt: NOON + 10 * MINUTE,
  ...overrides,
});

/** A minute of a bot's account, unless overridden. */
export const anAccountBucket = (overrides: Partial<AccountBucket> = {}): AccountBucket => ({
  start: NOON,
  length: MINUTE,
  at: NOON,
  equity: decimal('10000'),
  cash: decimal('5000'),
  flow: ZERO,
  target: ONE,
  unheld: { notHeld: ZERO, leverageAndCaps: ZERO },
  ...overrides,
});
