import type { z } from 'zod';
import { alertTemplate } from './alert-template.js';
import { calculations } from './calculations.js';
import { recommendations } from './recommendations.js';
import { stockActions } from './stock-actions.js';
import { authentication } from './authentication.js';
import { bots } from './bots.js';
import { passwords } from './passwords.js';
import { payments } from './payments.js';
import { stocks } from './stocks.js';
import { strategies } from './strategies.js';
import { subscriptions } from './subscriptions.js';
import { timelines } from './timelines.js';
import { trackRecord } from './track-record.js';
import { trades } from './trades.js';
import { users } from './users.js';
import { webhooks } from './webhooks.js';
import { withdrawals } from './withdrawals.js';

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
