import { type PreparedPlan, id } from '@slipstream/domain';
import { NOON } from './noon.js';

/** A plan for a book, not committed yet. */
export const aPlan = (overrides: Partial<PreparedPlan> = {}): PreparedPlan => ({
  id: id('plan-1'),
  userId: id('user-1'),
  tokenId: id('token-1'),
  operation: 'newOrder',
  sealedCommand: 'a sealed command',
  strategyId: id('strategy-1'),
  bookVersion: 7,
  createdAt: NOON,
  expiresAt: NOON + 60_000,
  committedAt: null,
  ...overrides,
});
