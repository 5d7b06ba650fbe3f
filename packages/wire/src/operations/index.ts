import type { z } from 'zod';
import { authentication } from './authentication.js';
import { bots } from './bots.js';
import { stocks } from './stocks.js';
import { strategies } from './strategies.js';
import { subscriptions } from './subscriptions.js';
import { trades } from './trades.js';
import { webhooks } from './webhooks.js';

/** Every operation by name. Named by parts because the whole type is too long to be written out. */
export type Operations = typeof authentication &
  typeof strategies &
  typeof subscriptions &
  typeof trades &
  typeof webhooks &
  typeof bots &
  typeof stocks;

/** The interface: what is served, validated, documented and typed (architecture, decision 9). */
export const operations: Operations = {
  ...authentication,
  ...strategies,
  ...subscriptions,
  ...trades,
  ...webhooks,
  ...bots,
  ...stocks,
};
export type OperationName = keyof Operations;

/** What a handler is given, read by the row's request schema. */
export type RequestOf<Name extends OperationName> = z.output<Operations[Name]['request']>;
/** What stands in the envelope's `response`. */
export type ResponseOf<Name extends OperationName> = z.input<Operations[Name]['response']>;
