import { type Actor, type RequestSource, actorOf, within } from './audit/actor.js';
import { confirmed } from './accounts/confirmed-address.js';
import type { Caller } from './caller.js';
import type { Core } from './core.js';
import type { RequestRecord } from './idempotency.js';
import type { Services } from './services.js';
import { getAlerts, keepRefusedAlert } from './alerts/inbox.js';
import { getAlertTemplate, newAlertTemplate } from './alerts/alert-template.js';
import * as authentication from './accounts/authentication.js';
import * as deliveries from './endpoints/deliveries.js';
import * as endpoints from './endpoints/endpoints.js';
import { botOperations } from './mirroring/bot-operations.js';
import { finishConnection, newConnection } from './mirroring/connect/connections.js';
import * as calculations from './strategies/calculations.js';
import { deleteUser } from './accounts/delete-user.js';
import * as halts from './mirroring/restraints/halts.js';
import * as emails from './accounts/email-confirmation.js';
import * as notifications from './messages/notifications.js';
import * as passwords from './accounts/passwords.js';
import { paymentOperations } from './billing/payment-operations.js';
import { findStrategies } from './strategies/find-strategies.js';
import { getRecommendedStrategies } from './performance/recommendations.js';
import * as secondFactors from './accounts/second-factor.js';
import * as stockActionCases from './market/stock-actions.js';
import { type PlannedOperations, commitPlan } from './plans/commit-plan.js';
import { plannable } from './plans/plannable.js';
import { preparePlan } from './plans/prepare-plan.js';
import { getUserList } from './accounts/user-list.js';
import { getOverview } from './market/overview.js';
import { getServiceInfo } from './market/service-info.js';
import * as stocks from './market/stocks.js';
import { updateStocks } from './market/update-stocks.js';
import * as strategies from './strategies/strategies.js';
import * as subscriptions from './strategies/subscriptions.js';
import * as timelines from './social/timelines.js';
import { getReport } from './performance/report.js';
import { getStrategyStatistics } from './performance/strategy-statistics.js';
import { newAnchor } from './performance/anchors/new-anchor.js';
import { getTrackRecord } from './performance/track-record.js';
import * as tokens from './accounts/tokens.js';
import * as allocations from './trading/allocations.js';
import * as orders from './trading/orders.js';
import * as trades from './trading/trades.js';
import { getUserExport } from './accounts/user-export.js';
import { undoStrategyEnd } from './strategies/undo-strategy-end.js';
import * as users from './accounts/users.js';
import * as claims from './performance/claimed-history.js';
import * as history from './performance/value-history.js';
import * as webhooks from './alerts/webhooks.js';

/** Every operation that is performed at once, as a function of the core. It is made at its call, for its caller. */
const directOperations = ({
  billing,
  intake,
  actions,
  anchoring,
  courier,
}: Pick<Services, 'billing' | 'intake' | 'actions' | 'anchoring' | 'courier'>) => ({
  verifyToken: authentication.verifyToken,
  newUser: authentication.newUser,
  newSession: authentication.newSession,
  newToken: tokens.newToken,
  deleteToken: tokens.deleteToken,
  getTokens: tokens.getTokens,
  updatePassword: passwords.updatePassword,
  newPasswordReset: passwords.newPasswordReset,
  newEmailConfirmation: emails.newEmailConfirmation,
  confirmEmail: emails.confirmEmail,
  updateEmail: emails.updateEmail,
  newTotp: secondFactors.newTotp,
  confirmTotp: secondFactors.confirmTotp,
  deleteTotp: secondFactors.deleteTotp,

  getUsers: users.getUsers,
  getUserInfo: users.getUserInfo,
  updateUserInfo: confirmed(users.updateUserInfo),
  updateUserNotifications: users.updateUserNotifications,
  getUserExport,
  deleteUser,
  getNotifications: notifications.getNotifications,
  readNotifications: notifications.readNotifications,

  getTimeline: timelines.getTimeline,
  newPost: confirmed(timelines.newPost),
  deletePost: timelines.deletePost,
  newLike: confirmed(timelines.newLike),
  deleteLike: timelines.deleteLike,

  newStrategy: confirmed(strategies.newStrategy),
  updateStrategy: confirmed(strategies.updateStrategy),
  deleteStrategy: strategies.deleteStrategy,
  undoStrategyEnd,
  getStrategies: strategies.getStrategies,
  getStrategyValues: strategies.getStrategyValues,
  getRecommendedStrategies,
  findStrategies,
  getStrategyHistory: history.getStrategyHistory,
  newClaimedHistory: confirmed(claims.newClaimedHistory),
  deleteClaimedHistory: claims.deleteClaimedHistory,
  getStrategyStatistics,
  getReport,
  getPositions: trades.getPositions,
  getTrackRecord,
  newAnchor: (core: Core) => newAnchor(core, anchoring),

  newStrategySubscription: (core: Core) => subscriptions.newStrategySubscription(core, billing),
  deleteStrategySubscription: subscriptions.deleteStrategySubscription,
  getStrategySubscriptions: subscriptions.getStrategySubscriptions,
  getStrategyCalculation: calculations.getStrategyCalculation,
  updateStrategyCalculation: calculations.updateStrategyCalculation,

  getOrders: orders.getOrders,
  newOrder: orders.newOrder,
  newOrderAllocations: allocations.newOrderAllocations,
  previewOrderAllocations: allocations.previewOrderAllocations,
  deleteOrder: orders.deleteOrder,
  getMaxOrderSize: orders.getMaxOrderSize,
  getTrades: trades.getTrades,
  getStockActions: stockActionCases.getStockActions,

  newOrderWebhook: webhooks.newOrderWebhook,
  /** Stores an unreadable alert in the inbox. */
  keepRefusedAlert,
  getAlerts,
  previewOrderWebhook: webhooks.previewOrderWebhook,
  getAlertTemplate,
  newAlertTemplate,

  newEndpoint: confirmed((core) => endpoints.newEndpoint(core, courier.address)),
  getEndpoints: endpoints.getEndpoints,
  updateEndpoint: confirmed((core) => endpoints.updateEndpoint(core, courier.address)),
  deleteEndpoint: endpoints.deleteEndpoint,
  getDeliveries: deliveries.getDeliveries,
  retryDelivery: confirmed(deliveries.retryDelivery),

  ...paymentOperations(billing),
  ...botOperations,
  newConnection: confirmed(newConnection),
  finishConnection: confirmed(finishConnection),
  haltTrading: halts.haltTrading,
  resumeTrading: halts.resumeTrading,
  getTradingHalts: halts.getTradingHalts,

  getServiceInfo,
  getOverview,
  getUserList,
  getStocks: stocks.getStocks,
  findStocks: stocks.findStocks,
  newQuotes: (core: Core) => stocks.newQuotes(core, intake),
  updateStocks: (core: Core) => updateStocks(core, intake, actions),
  newStockAction: (core: Core) => stockActionCases.newStockAction(core, actions),
});

/** Every operation as a function of the core: those performed at once, and the two that prepare and commit them. */
export function operationTable(services: Parameters<typeof directOperations>[0]) {
  const direct = directOperations(services);
  return {
    ...direct,
    preparePlan: (core: Core) => preparePlan(core, plannable),
    commitPlan: (core: Core) => commitPlan(core, direct as unknown as PlannedOperations),
  };
}

type Table = ReturnType<typeof operationTable>;

/** The operations alone. */
export type Operations = { readonly [Name in keyof Table]: ReturnType<Table[Name]> };

type Perform = (caller: Caller, ...given: unknown[]) => Promise<unknown>;

/**
 * The operations of one request, with its source and its record. Each is made at its call, because most requests call only one.
 */
export function requestOperationsOf(
  table: Table,
  coreFor: (actor: Actor, source?: RequestSource, record?: RequestRecord) => Core,
): (source?: RequestSource, record?: RequestRecord) => Operations {
  class RequestOperations {
    constructor(
      readonly source: RequestSource | undefined,
      readonly record: RequestRecord | undefined,
    ) {}
  }
  for (const [name, make] of Object.entries(table)) {
    Object.defineProperty(RequestOperations.prototype, name, {
      get(this: RequestOperations) {
        const { source, record } = this;
        return (caller: Caller, ...given: unknown[]) => {
          const actor = actorOf(caller, source ?? within(name));
          const perform = make(coreFor(actor, source, record)) as Perform;
          return perform(caller, ...given);
        };
      },
    });
  }
  return (source, record) => new RequestOperations(source, record) as unknown as Operations;
}
