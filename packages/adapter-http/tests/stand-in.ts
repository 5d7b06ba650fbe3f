import type { Caller } from '@slipstream/application';
import { type Order, Refusal, type Stock, decimal, id } from '@slipstream/domain';
import type { Log } from '@slipstream/ports';
import { DEFAULT_RATE_LIMITS, type HttpOptions, createLimiter, httpHandler } from '../src/index.js';

export const aStock: Stock = {
  id: id<'stock'>('stock-1'),
  figiComposite: null,
  symbol: 'AAPL',
  stock: 'AAPL',
  name: 'Apple Inc.',
  sector: 'Technology',
  security: 'stock',
  exchange: 'NASDAQ',
  peg: 'USD',
  provider: 'demo',
  slippage: decimal('0.0005'),
  fee: decimal('0'),
  links: {},
  status: 'active',
};

export const anOrder: Order = {
  id: id<'order'>('order-1'),
  strategyId: id<'strategy'>('s'),
  stockId: aStock.id,
  action: 'buy',
  pricing: { type: 'market' },
  size: { by: 'amount', amount: decimal('0.00000001') },
  dependsOn: [],
  reduceOnly: false,
  origin: 'order',
  createdAt: 0,
  triggeredAt: null,
  status: 'open',
  restingSince: null,
};

const api = (...scope: string[]): Caller => ({
  kind: 'user',
  userId: id<'user'>('user-1'),
  tokenId: id<'token'>(`token-${scope.join()}`),
  tokenType: 'api',
  scope,
  strategyIds: null,
  limits: null,
  expiresAt: null,
});

const TOKENS: Readonly<Record<string, Caller>> = {
  all: api('*'),
  orders: api('newOrder'),
  other: api('getBots'),
  refresh: { ...api('*'), tokenType: 'refresh', tokenId: id<'token'>('token-refresh') } as Caller,
  bound: { ...api('*'), strategyIds: [id<'strategy'>('mine')] } as Caller,
};

/** A call of the stand-in for the application: operation, caller, command. */
export type Call = readonly [name: string, caller: Caller, command: unknown];

type Answers = Readonly<Record<string, (command: never, ...rest: never[]) => unknown>>;

/** The handler over an application that records its calls and returns the given answers. */
export function served(answers: Answers = {}, options: Partial<HttpOptions> = {}) {
  const calls: Call[] = [];
  /** Calls of the application beside the operations. */
  const otherCalls: (readonly [name: string, ...rest: readonly unknown[]])[] = [];
  /** Denied accesses for the audit log. */
  const denied: (readonly unknown[])[] = [];
  const logged: { level: string; fields: Readonly<Record<string, unknown>> }[] = [];
  const note =
    (level: string): Log['info'] =>
    (fields) =>
      void logged.push({ level, fields });
  const standIn: Readonly<Record<string, unknown>> = {
    authenticate: async (text: string | undefined): Promise<Caller> => {
      if (text === undefined) return { kind: 'anonymous' };
      const caller = TOKENS[text];
      if (!caller) throw new Refusal('unauthenticated', 'no such token');
      return caller;
    },
    alertAnswered: (delivery: string) => void otherCalls.push(['alertAnswered', delivery]),
    alertLost: (delivery: string) => void otherCalls.push(['alertLost', delivery]),
    keepRefusedAlert: async (_: Caller, named: unknown, refusal: Refusal, delivery: unknown) =>
      void otherCalls.push(['keepRefusedAlert', named, refusal.message, delivery]),
    denied: (...denial: readonly unknown[]) => void denied.push(denial),
    requestedBy: () => standIn,
    idempotently: async (
      request: unknown,
      call: (operations: unknown) => Promise<unknown>,
      encode: (view: unknown) => string,
    ) => {
      otherCalls.push(['idempotently', request]);
      return encode(await call(standIn));
    },
    ...Object.fromEntries(
      Object.entries(answers).map(([name, answer]) => [
        name,
        async (caller: Caller, command: never, ...rest: readonly unknown[]) => {
          calls.push([name, caller, command]);
          if (rest[0] !== undefined) otherCalls.push([name, ...rest]);
          return answer(command, ...(rest as never[]));
        },
      ]),
    ),
  };
  let requests = 0;
  const { app } = httpHandler({
    application: { requests: standIn } as unknown as HttpOptions['application'],
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    newId: () => `request-${++requests}`,
    limiter: createLimiter(DEFAULT_RATE_LIMITS),
    corsOrigins: [],
    trustProxy: false,
    version: '1.0',
    ready: () => true,
    ...options,
  });
  return { app, calls, otherCalls, denied, logged };
}
