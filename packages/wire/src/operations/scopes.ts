/** Every scope a token can have: the operations of contract 5 that look at one, and `*` for all. */
export const SCOPES = [
  '*',
  // prettier-ignore
  ...([
    'verifyToken', 'newToken', 'deleteToken', 'getTokens', 'updatePassword', 'newUser',
    'newEmailConfirmation', 'confirmEmail', 'updateEmail', 'newTotp', 'confirmTotp', 'deleteTotp',
    'getUserInfo', 'updateUserInfo', 'updateUserNotifications', 'getNotifications', 'readNotifications', 'deleteUser', 'getUserExport',
    'getStrategies', 'getRecommendedStrategies', 'getStrategyValues', 'newStrategy', 'updateStrategy', 'deleteStrategy',
    'getStrategyHistory', 'getPositions', 'getTrackRecord',
    'getStrategySubscriptions', 'getStrategyCalculation', 'updateStrategyCalculation', 'newStrategySubscription', 'deleteStrategySubscription',
    'getOrders', 'newOrder', 'newOrderAllocations', 'previewOrderAllocations', 'deleteOrder', 'getMaxOrderSize', 'getTrades',
    'getAlerts', 'getAlertTemplate',
    'newBot', 'updateBot', 'updateBotNotifications', 'deleteBot', 'getBots', 'getBotOrders', 'getBotAccount', 'startBot', 'stopBot', 'resetBot',
    'getInvoices', 'getPaymentSources', 'newPaymentSource', 'deletePaymentSource', 'retryInvoice',
    'getWithdrawals', 'newWithdrawal', 'deleteWithdrawal',
    'getTimeline', 'newPost', 'deletePost', 'newLike', 'deleteLike',
  ] as const),
] as const;
export type Scope = (typeof SCOPES)[number];
