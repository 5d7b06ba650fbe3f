import type { z } from 'zod';
import type { Auth } from './gate.js';

/** The groups of contract 5, with a sentence for the documents. */
export const GROUPS = {
  Authentication: 'Users, sessions, tokens and passwords.',
  Users: 'Profiles, settings, notifications, and the end of an account.',
  Strategies: 'Published strategies, their values, history, positions and track record.',
  Subscriptions: 'Following a strategy, and what an amount in it would be worth.',
  Trades: 'Orders and target allocations on an own strategy, and what they did.',
  Webhooks: 'Alerts of charting platforms, and the inbox that keeps them.',
  Bots: 'Mirroring strategies into a brokerage account.',
  Stocks: 'Instruments with their quotes, fees and corporate actions.',
  Payments: 'Payment sources and invoices.',
  Withdrawals: 'Paying out what an owner earned.',
  Timelines: 'Posts and likes.',
} as const;
export type Group = keyof typeof GROUPS;

/** One row of the table that is served, validated, documented and typed (architecture, decision 9). */
export interface Operation<
  Name extends string = string,
  Request extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly name: Name;
  readonly group: Group;
  readonly method: 'GET' | 'POST';
  readonly path: `/${Name}`;
  readonly auth: Auth;
  /** The scope a token needs; null when any valid token, or none, will do. */
  readonly scope: string | null;
  /** As how many plain calls a request that was read counts in the rate limits. */
  cost(this: void, request: unknown): number;
  readonly summary: string;
  readonly description?: string;
  /** Of a GET the query (arrays are sent as `name[]`), of a POST the body. */
  readonly request: Request;
  /** What stands in the envelope's `response`. */
  readonly response: Response;
  readonly example: {
    readonly request: z.input<Request>;
    readonly response: z.input<Response>;
  };
}

/** Whether an operation may be named by an Idempotency-Key and so be done once (contract 1, "Idempotency"). */
export const takesIdempotencyKey = ({
  method,
  name,
}: Pick<Operation, 'method' | 'name'>): boolean => method === 'POST' && name !== 'newSession';

/** What an Idempotency-Key looks like. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

/** Unless a row says otherwise: one, and one more for every ten items that the request names. */
const costOfItems = (request: unknown): number => {
  const fields = typeof request === 'object' && request !== null ? Object.values(request) : [];
  const items = fields.reduce<number>(
    (sum, field) => sum + (Array.isArray(field) ? field.length : 0),
    0,
  );
  return 1 + Math.floor(items / 10);
};

/** A cost that is the same for every request of the row. */
export const always = (calls: number) => (): number => calls;

type Row<Name extends string, Request extends z.ZodType, Response extends z.ZodType> = Omit<
  Operation<Name, Request, Response>,
  'path' | 'auth' | 'scope' | 'cost'
> &
  Partial<Pick<Operation, 'auth' | 'scope' | 'cost'>>;

/** A row; without a word about it a token is required and the scope is the operation's own name (contract 5). */
export function operation<
  const Name extends string,
  Request extends z.ZodType,
  Response extends z.ZodType,
>(row: Row<Name, Request, Response>): Operation<Name, Request, Response> {
  const auth = row.auth ?? 'required';
  const scope = auth === 'none' || auth === 'operator' ? null : row.name;
  return {
    cost: costOfItems,
    ...row,
    auth,
    scope: row.scope === undefined ? scope : row.scope,
    path: `/${row.name}`,
  };
}
