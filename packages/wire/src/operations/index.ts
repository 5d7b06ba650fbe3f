import type { z } from 'zod';
import { authentication } from '../accounts/authentication.js';
import { newToken } from '../accounts/tokens.js';
import { planRows } from '../plans/plans.js';
import { type Rows, rows } from './rows.js';
import { SCOPES, type Scope } from './scopes.js';

/** Every operation by name. */
export type Operations = Rows & {
  readonly newToken: ReturnType<typeof newToken<Scope>>;
} & ReturnType<typeof planRows>;

/**
 * The interface: every row is served, validated, documented and typed (architecture, decision 9). newToken comes after the
 * sign-ins, and the two steps of a plan after everything that can be planned.
 */
export const operations: Operations = {
  ...authentication,
  newToken: newToken(SCOPES, 'newOrder'),
  ...rows,
  ...planRows(Object.values(rows)),
};
/** The name of an operation, which is its path and its method of the client. */
export type OperationName = keyof Operations;

/** The command that the application gets. */
export type CommandOf<Name extends OperationName> = ReturnType<Operations[Name]['command']>;
/** The view that the application returns. */
export type ViewOf<Name extends OperationName> = Parameters<Operations[Name]['present']>[0];
/** The value of the envelope's `response`. */
export type ResponseOf<Name extends OperationName> = z.input<Operations[Name]['response']>;
