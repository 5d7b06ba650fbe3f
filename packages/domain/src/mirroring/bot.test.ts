import { describe, expect, it } from '@jest/globals';
import { BOT_ORDER_STATUSES, type Bot, isBookkeeping, isOutstanding } from './bot.js';
import { ONE, ZERO, decimal } from '../numbers/decimal.js';
import { LIVE_LIMITS, NO_LIMITS } from './limits/limits.js';
import { id } from '../ids.js';
import { FIRST_PACE } from './pacing/pace.js';
import { FOLLOWS_NOTHING } from './followed-trades.js';
import { FIRST_MARK } from './history/target-mark.js';

const bot: Bot = {
  id: id('bot-1'),
  userId: id('user-1'),
  type: 'stock',
  broker: 'simulated',
  accountId: 'account-1',
  live: false,
  leverage: ONE,
  slippage: ZERO,
  priceCollar: ZERO,
  maxSpread: null,
  haltsSeen: [],
  limits: NO_LIMITS,
  onBreach: 'reduce_only',
  breach: null,
  lossWatch: null,
  name: null,
  noticesOfDay: [],
  isKnownInLine: false,
  firstCycle: 0,
  rebalanceOnStart: true,
  closeOnStop: false,
  existingPositions: 'keep',
  mode: 'normal',
  join: 'all',
  rebalance: 'every_trade',
  pace: FIRST_PACE,
  allowStocks: null,
  denyStocks: [],
  dryRun: false,
  heldParts: new Map(),
  following: FOLLOWS_NOTHING,
  targetMark: FIRST_MARK,
  notifications: [],
  allocations: [{ strategyId: id('strategy-1'), percent: ONE }],
  sealedCredentials: 'sealed',
  status: 'running',
  condition: 'active',
  statusReason: null,
  stopReason: null,
  nextRunAt: 1,
  awaitsTradeSince: null,
  closesPositions: false,
  cycle: 1,
  attempts: 0,
  drift: null,
  lastRebalancedAt: null,
  createdAt: 0,
  updatedAt: 0,
};

describe('a bot was only looked at', () => {
  it.each<[boolean, Partial<Bot>]>([
    [true, {}],
    [true, { nextRunAt: 2, updatedAt: 2, attempts: 1, awaitsTradeSince: 2 }],
    [true, { drift: decimal('0.1'), lastRebalancedAt: 2 }],
    [true, { leverage: decimal('1.0') }],
    [false, { status: 'rebalancing', nextRunAt: 2 }],
    [false, { statusReason: 'The market is closed.' }],
    [false, { cycle: 2 }],
    [false, { leverage: decimal('1.5') }],
    [true, { noticesOfDay: ['a'] }],
    [false, { limits: LIVE_LIMITS }],
    [false, { allocations: [] }],
    [false, { sealedCredentials: 'others' }],
  ])('%s when this changed: %j', (looked, changes) => {
    expect(isBookkeeping(bot, { ...bot, ...changes })).toBe(looked);
  });
});

describe('an order of a bot', () => {
  it('may still be filled until it has ended, unless it was never to be sent', () => {
    const outstanding = BOT_ORDER_STATUSES.filter((status) => isOutstanding({ status }));
    expect(outstanding).toEqual(['new', 'unknown', 'open']);
  });
});
