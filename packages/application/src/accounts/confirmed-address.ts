import { Refusal, type UserId } from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { Core } from '../core.js';
import type { Operations } from '../operations.js';

/** When an operation needs a confirmed address. `when_paid`: the use case asks, because the strategy tells. */
type Need = 'always' | 'when_paid' | 'never';

/**
 * What touches money, publishes to others, mails them or trades by a bot needs a confirmed address where the setting says
 * so (contract 16). What winds down does not, nor do orders and alerts: whoever has a strategy was confirmed when it was
 * made, or is from before the setting, and a refused alert is lost money.
 */
export const NEEDS_CONFIRMED: Readonly<Record<keyof Operations, Need>> = {
  verifyToken: 'never',
  newUser: 'never',
  newSession: 'never',
  newToken: 'never',
  deleteToken: 'never',
  getTokens: 'never',
  updatePassword: 'never',
  newPasswordReset: 'never',
  newEmailConfirmation: 'never',
  confirmEmail: 'never',
  updateEmail: 'never',
  newTotp: 'never',
  confirmTotp: 'never',
  deleteTotp: 'never',

  getUsers: 'never',
  getUserInfo: 'never',
  updateUserInfo: 'always',
  updateUserNotifications: 'never',
  getUserExport: 'never',
  deleteUser: 'never',
  getNotifications: 'never',
  readNotifications: 'never',

  getTimeline: 'never',
  newPost: 'always',
  deletePost: 'never',
  newLike: 'always',
  deleteLike: 'never',

  newStrategy: 'always',
  updateStrategy: 'always',
  deleteStrategy: 'never',
  undoStrategyEnd: 'never',
  getStrategies: 'never',
  getStrategyValues: 'never',
  getRecommendedStrategies: 'never',
  getStrategyHistory: 'never',
  getPositions: 'never',
  getTrackRecord: 'never',

  newStrategySubscription: 'when_paid',
  deleteStrategySubscription: 'never',
  getStrategySubscriptions: 'never',
  getStrategyCalculation: 'never',
  updateStrategyCalculation: 'never',

  getOrders: 'never',
  newOrder: 'never',
  newOrderAllocations: 'never',
  previewOrderAllocations: 'never',
  deleteOrder: 'never',
  getMaxOrderSize: 'never',
  getTrades: 'never',
  getStockActions: 'never',

  newOrderWebhook: 'never',
  keepRefusedAlert: 'never',
  getAlerts: 'never',
  previewOrderWebhook: 'never',
  getAlertTemplate: 'never',

  getInvoices: 'never',
  getPaymentSources: 'never',
  newPaymentSource: 'always',
  deletePaymentSource: 'never',
  retryInvoice: 'always',
  getWithdrawals: 'never',
  newWithdrawal: 'always',
  deleteWithdrawal: 'never',

  getBots: 'never',
  getBotOrders: 'never',
  getBotAccount: 'never',
  newBot: 'always',
  updateBot: 'always',
  updateBotNotifications: 'never',
  startBot: 'always',
  stopBot: 'never',
  resetBot: 'never',
  deleteBot: 'never',

  getStocks: 'never',
  findStocks: 'never',
  newQuotes: 'never',
  updateStocks: 'never',
  newStockAction: 'never',
};

/** Whether the user may do what needs a confirmed address. An account without a password is the operator's own making. */
export async function isConfirmed(
  { settings }: Pick<Core, 'settings'>,
  { users }: Pick<ReadStores, 'users'>,
  userId: UserId,
): Promise<boolean> {
  if (settings.confirmEmail === 'off') return true;
  const user = await users.find(userId);
  return user?.verified === true || user?.passwordHash === '';
}

export async function requireConfirmed(
  core: Pick<Core, 'settings'>,
  stores: Pick<ReadStores, 'users'>,
  userId: UserId,
): Promise<void> {
  if (await isConfirmed(core, stores, userId)) return;
  throw new Refusal(
    'not_confirmed',
    'confirm your e-mail address first, by the link that was mailed to it; newEmailConfirmation sends another one',
  );
}
