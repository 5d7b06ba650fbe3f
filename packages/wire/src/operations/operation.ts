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
  Endpoints: 'Events to webhooks, Telegram and Discord.',
  Bots: 'Mirroring strategies into a brokerage account.',
  Stocks: 'Instruments with their quotes, fees and corporate actions.',
  Payments: 'Payment sources and invoices.',
  Withdrawals: 'Paying out what an owner earned.',
  Timelines: 'Posts and likes.',
  Plans: 'Requests in two steps: prepared and shown, then committed.',
} as const;
export type Group = keyof typeof GROUPS;

/**
 * How the rate limits count calls. An alert is money: it is never refused for its number of items, a refused one goes to the
 * inbox, and the delivery of its answer is recorded.
 */
export type RateClass = 'reads' | 'writes' | 'alerts';

/** Bytes of a kibibyte. */
export const KIB = 1024;
/** Of an alert's body, and of its text in the inbox. */
export const ALERT_LIMIT = 8 * KIB;
const BODY_LIMIT = 64 * KIB;

/** A request inside a request: the row that reads it, and what the row read. */
export interface PlannedRequest {
  readonly operation: Operation;
  readonly request: unknown;
}

/** One row of the table, which is served, validated, documented and typed (architecture, decision 9). */
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
  /** The scope that a token needs; null if any valid token, or none, will do. */
  readonly scope: Scope;
  /** Whether a refresh token may call it. */
  readonly byRefreshToken: boolean;
  /** Whether the operator may also call it. */
  readonly byOperator: boolean;
  readonly rateClass: RateClass;
  /** The number of plain calls that a read request counts for in the rate limits. */
  cost(this: void, request: unknown): number;
  /** Whether it reads a list that grows: a page of it costs much more than most reads. */
  readonly isList: boolean;
  /** The most bytes of a body. */
  readonly bodyLimit: number;
  /** Whether an Idempotency-Key can identify a request, so that it takes effect once (contract 1, "Idempotency"). */
  readonly takesIdempotencyKey: boolean;
  /** The key that a request has by itself, in place of an Idempotency-Key. */
  ownKey?(this: void, request: z.output<Request>): string;
  /** The request inside the request, if there is one: the caller must be allowed that as well. */
  planned?(this: void, request: z.output<Request>): PlannedRequest;
  readonly summary: string;
  readonly description?: string;
  /** The query of a GET (arrays are sent as `name[]`), the body of a POST. */
  readonly request: Request;
  /** The command of the application, in its own words. */
  command(this: void, request: z.output<Request>): Command;
  /** The value of the envelope's `response`. */
  readonly response: Response;
  /** The application's answer as `response`. */
  present(this: void, view: View): z.input<Response>;
  /** The same answer as a table; only rows that take `format` have it. */
  csv?(this: void, view: View): string;
  /** The type of a file that the row always answers, without the envelope; `response` is then its text. */
  readonly file?: 'text/html; charset=utf-8';
  readonly example: {
    readonly request: z.input<Request>;
    readonly response: z.input<Response>;
  };
}

/** The form of an Idempotency-Key. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

const itemsOf = (request: unknown): number => {
  const fields = typeof request === 'object' && request !== null ? Object.values(request) : [];
  return fields.reduce<number>((sum, field) => sum + (Array.isArray(field) ? field.length : 0), 0);
};

/** The default: one, and one more for every ten items in the request. */
const costOfItems = (request: unknown): number => 1 + Math.floor(itemsOf(request) / 10);

/** One call per item, for items that become stored rows: one request must not make more of them than many requests could. */
export const eachItem = (request: unknown): number => Math.max(1, itemsOf(request));

/** The same cost for every request of the row. */
export const always = (calls: number) => (): number => calls;

/** The fields of a row that have defaults. */
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

/** The request under the application's names; unknown if its schema is not an object's, and then the row must have `command`. */
type DefaultCommand<Request extends z.ZodType, Renamed> = Request extends z.ZodObject
  ? CamelKeys<z.output<Request>, Renamed>
  : unknown;

/**
 * Makes a row. By default a token is required, the scope is the operation's own name (contract 5), and the command has the
 * request's fields in camel case; `renames` gives the application's other words.
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
  row: Omit<
    Operation<Name, Request, Response, Command, View, By, Scope>,
    'path' | 'isList' | Defaulted
  > &
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
    isList: isRead && row.request instanceof z.ZodObject && 'limit' in row.request.shape,
  };
}

/** The command of a row without `command`. */
function commandReader<Request extends z.ZodType, Command>(
  request: Request,
  renames: Renames<Record<string, unknown>> | undefined,
): (fields: z.output<Request>) => Command {
  const read: unknown =
    request instanceof z.ZodObject ? camelKeys(request, renames) : (fields: unknown) => fields;
  return read as (fields: z.output<Request>) => Command;
}
