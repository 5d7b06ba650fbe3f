import { z } from 'zod';
import type { Auth } from '../access/gate.js';
import { type CamelKeys, type Renames, camelKeys } from './camel-keys.js';

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

/**
 * How calls are counted by the rate limits. An alert is money: it is never refused for how much it asks, one that is
 * refused is kept in the inbox, and whether its answer arrived is noted.
 */
export type RateClass = 'reads' | 'writes' | 'alerts';

/** Bytes of a kibibyte. */
export const KIB = 1024;
/** Of an alert, and of what the inbox keeps of one. */
export const ALERT_LIMIT = 8 * KIB;
const BODY_LIMIT = 64 * KIB;

/** One row of the table that is served, validated, documented and typed (architecture, decision 9). */
export interface Operation<
  Name extends string = string,
  Request extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Command = unknown,
  View = unknown,
  By extends Auth = Auth,
  Scope extends string | null = string | null,
> {
  readonly name: Name;
  readonly group: Group;
  readonly method: 'GET' | 'POST';
  readonly path: `/${Name}`;
  readonly auth: By;
  /** The scope a token needs; null when any valid token, or none, will do. */
  readonly scope: Scope;
  /** Whether a refresh token may call it. */
  readonly byRefreshToken: boolean;
  /** Whether the operator may call it, where it is not the operator's alone. */
  readonly byOperator: boolean;
  readonly rateClass: RateClass;
  /** As how many plain calls a request that was read counts in the rate limits. */
  cost(this: void, request: unknown): number;
  /** How many bytes a body may have. */
  readonly bodyLimit: number;
  /** Whether an Idempotency-Key can name a request, so that it is done once (contract 1, "Idempotency"). */
  readonly takesIdempotencyKey: boolean;
  readonly summary: string;
  readonly description?: string;
  /** Of a GET the query (arrays are sent as `name[]`), of a POST the body. */
  readonly request: Request;
  /** What the application is asked, in its own words. */
  command(this: void, request: z.output<Request>): Command;
  /** What stands in the envelope's `response`. */
  readonly response: Response;
  /** The application's answer as `response`. */
  present(this: void, view: View): z.input<Response>;
  readonly example: {
    readonly request: z.input<Request>;
    readonly response: z.input<Response>;
  };
}

/** What an Idempotency-Key looks like. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

const itemsOf = (request: unknown): number => {
  const fields = typeof request === 'object' && request !== null ? Object.values(request) : [];
  return fields.reduce<number>((sum, field) => sum + (Array.isArray(field) ? field.length : 0), 0);
};

/** Unless a row says otherwise: one, and one more for every ten items that the request names. */
const costOfItems = (request: unknown): number => 1 + Math.floor(itemsOf(request) / 10);

/** A call for each item: where each becomes a row that is kept for ever, one request must not make more of them than many do. */
export const eachItem = (request: unknown): number => Math.max(1, itemsOf(request));

/** A cost that is the same for every request of the row. */
export const always = (calls: number) => (): number => calls;

/** What a row need not say. */
type Defaulted =
  | 'auth'
  | 'scope'
  | 'byRefreshToken'
  | 'byOperator'
  | 'rateClass'
  | 'cost'
  | 'bodyLimit'
  | 'takesIdempotencyKey'
  | 'command';

/** The request under the application's names; unknown when its schema is not an object's, and the row must say `command`. */
type DefaultCommand<Request extends z.ZodType, Renamed> = Request extends z.ZodObject
  ? CamelKeys<z.output<Request>, Renamed>
  : unknown;

/**
 * A row. Unless it says otherwise a token is required, the scope is the operation's own name (contract 5), and the command
 * has the request's fields in camel case; `renames` says where the application has another word for one.
 */
export function operation<
  const Name extends string,
  Request extends z.ZodType,
  Response extends z.ZodType,
  View,
  const Renamed extends Renames<z.output<Request>> = Record<never, never>,
  Command = DefaultCommand<Request, Renamed>,
  const By extends Auth = 'required',
  const Scope extends string | null = By extends 'none' | 'operator' ? null : Name,
>(
  row: Omit<Operation<Name, Request, Response, Command, View, By, Scope>, 'path' | Defaulted> &
    Partial<Pick<Operation<Name, Request, Response, Command, View, By, Scope>, Defaulted>> & {
      readonly renames?: Renamed;
    },
): Operation<Name, Request, Response, Command, View, By, Scope> {
  const { renames, ...said } = row;
  const auth = row.auth ?? ('required' as By);
  const isRead = row.method === 'GET';
  return {
    scope: (auth === 'none' || auth === 'operator' ? null : row.name) as Scope,
    byRefreshToken: false,
    byOperator: false,
    rateClass: isRead ? 'reads' : 'writes',
    cost: costOfItems,
    bodyLimit: BODY_LIMIT,
    takesIdempotencyKey: !isRead,
    command: row.command ?? commandReader<Request, Command>(row.request, renames),
    ...said,
    auth,
    path: `/${row.name}`,
  };
}

/** The command of a row that says none. */
function commandReader<Request extends z.ZodType, Command>(
  request: Request,
  renames: Renames<Record<string, unknown>> | undefined,
): (fields: z.output<Request>) => Command {
  const read: unknown =
    request instanceof z.ZodObject ? camelKeys(request, renames) : (fields: unknown) => fields;
  return read as (fields: z.output<Request>) => Command;
}
