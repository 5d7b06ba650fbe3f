import type { OperationName } from '@slipstream/wire';
import { authenticationHandlers } from './authentication.js';
import { botHandlers } from './bots.js';
import type { HandlersOf } from './handler.js';
import { stockHandlers } from './stocks.js';
import { strategyHandlers, subscriptionHandlers } from './strategies.js';
import { tradeHandlers, webhookHandlers } from './trades.js';

/** How each operation of the table is done. */
export const handlers: HandlersOf<OperationName> = {
  ...authenticationHandlers,
  ...strategyHandlers,
  ...subscriptionHandlers,
  ...tradeHandlers,
  ...webhookHandlers,
  ...botHandlers,
  ...stockHandlers,
};
