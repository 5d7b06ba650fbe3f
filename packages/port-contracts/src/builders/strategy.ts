import {
  type Strategy,
  type Subscription,
  type ValueBucket,
  type ValueDay,
  decimal,
  firstSegments,
  id,
} from '@slipstream/domain';
import { NOON } from './noon.js';

/** A public strategy of `user-1` that costs nothing. */
export const aStrategy = (overrides: Partial<Strategy> = {}): Strategy => ({
  id: id('strategy-1'),
  productId: 'product-1',
  userId: id('user-1'),
  type: 'stock',
  private: false,
  name: 'Steady',
  description: '',
  categories: [],
  price: 0,
  invitedUserIds: [],
  createdAt: NOON,
  updatedAt: NOON,
  belowZeroFor: 0,
  endedAt: null,
  deletedAt: null,
  endUnderWay: null,
  ownerTrades: null,
  claimed: null,
  alertWatch: null,
  alertDueAt: null,
  ...firstSegments('push', NOON),
  ...overrides,
});

/** `user-2` follows `strategy-1`. */
export const aSubscription = (overrides: Partial<Subscription> = {}): Subscription => ({
  id: id('subscription-1'),
  strategyId: id('strategy-1'),
  userId: id('user-2'),
  relation: 'subscriber',
  status: 'active',
  statusReason: null,
  price: 0,
  inputValue: null,
  inputDate: null,
  inputMultiplier: null,
  renewsAt: null,
  endsAt: null,
  createdAt: NOON,
  updatedAt: NOON,
  ...overrides,
});

/** A day in which the value stayed 1, with a position all the time until noon. */
export const aValueDay = (overrides: Partial<ValueDay> = {}): ValueDay => ({
  last: decimal('1'),
  lastAt: NOON,
  high: decimal('1'),
  low: decimal('1'),
  drawdown: decimal('0'),
  gross: decimal('0.5'),
  heldFor: 43_200_000,
  isRecorded: false,
  ...overrides,
});

/** A minute in which the value stayed 1. */
export const aBucket = (overrides: Partial<ValueBucket> = {}): ValueBucket => ({
  start: NOON,
  length: 60_000,
  last: decimal('1'),
  lastAt: overrides.start ?? NOON,
  high: decimal('1'),
  low: decimal('1'),
  drawdown: decimal('0'),
  ...overrides,
});
