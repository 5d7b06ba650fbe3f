import type { z } from 'zod';
import { authentication } from '../accounts/authentication.js';
import { passwords } from '../accounts/passwords.js';
import { users } from '../accounts/users.js';
import { strategies } from '../strategies/strategies.js';
import { recommendations } from '../performance/recommendations.js';
import { calculations } from '../strategies/calculations.js';
import { stockActions } from '../market/stock-actions.js';
import { alertTemplate } from '../alerts/alert-template.js';
import { subscriptions } from '../strategies/subscriptions.js';
import { trackRecord } from '../performance/track-record.js';
import { trades } from '../trading/trades.js';
import { webhooks } from '../alerts/webhooks.js';
import { bots } from '../mirroring/bots.js';
import { timelines } from '../social/timelines.js';
import { stocks } from '../market/stocks.js';
import { payments } from '../billing/payments.js';
import { withdrawals } from '../billing/withdrawals.js';

/** Every operation by name. Named by parts because the whole type is too long to be written out. */
export type Operations = typeof authentication &
  typeof passwords &
  typeof users &
  typeof strategies &
  typeof recommendations &
  typeof calculations &
  typeof stockActions &
  typeof alertTemplate &
  typeof subscriptions &
  typeof trackRecord &
  typeof trades &
  typeof webhooks &
  typeof bots &
  typeof timelines &
  typeof stocks &
  typeof payments &
  typeof withdrawals;

/** The interface: what is served, validated, documented and typed (architecture, decision 9). */
export const operations: Operations = {
  ...authentication,
  ...passwords,
  ...users,
  ...strategies,
  ...recommendations,
  ...calculations,
  ...stockActions,
  ...alertTemplate,
  ...subscriptions,
  ...trackRecord,
  ...trades,
  ...webhooks,
  ...bots,
  ...timelines,
  ...stocks,
  ...payments,
  ...withdrawals,
};
/** The name of an operation, which is its path and its method of the client. */
export type OperationName = keyof Operations;

/** What the application is asked. */
export type CommandOf<Name extends OperationName> = ReturnType<Operations[Name]['command']>;
/** What the application answers. */
export type ViewOf<Name extends OperationName> = Parameters<Operations[Name]['present']>[0];
/** What stands in the envelope's `response`. */
export type ResponseOf<Name extends OperationName> = z.input<Operations[Name]['response']>;
