import type { OperationName } from '@slipstream/wire';
import { alertTemplateHandlers } from './alert-template.js';
import { calculationHandlers } from './calculations.js';
import { recommendationHandlers } from './recommendations.js';
import { stockActionHandlers } from './stock-actions.js';
import { authenticationHandlers } from './authentication.js';
import { botHandlers } from './bots.js';
import type { HandlersOf } from './handler.js';
import { paymentHandlers } from './payments.js';
import { stockHandlers } from './stocks.js';
import { strategyHandlers, subscriptionHandlers } from './strategies.js';
import { timelineHandlers, userHandlers } from './users.js';
import { trackRecordHandlers } from './track-record.js';
import { tradeHandlers, webhookHandlers } from './trades.js';

/** How each operation of the table is done. */
export const handlers: HandlersOf<OperationName> = {
  ...authenticationHandlers,
  ...userHandlers,
  ...timelineHandlers,
  ...strategyHandlers,
  ...subscriptionHandlers,
  ...recommendationHandlers,
  ...calculationHandlers,
  ...stockActionHandlers,
  ...alertTemplateHandlers,
  ...trackRecordHandlers,
  ...tradeHandlers,
  ...webhookHandlers,
  ...botHandlers,
  ...stockHandlers,
  ...paymentHandlers,
};
