import { type TokenType, grants } from '@slipstream/domain';

/** How an operation identifies its caller: `body` is the api_token of an alert, `operator` the server's own OPERATOR_TOKEN. */
export type Auth = 'required' | 'optional' | 'none' | 'body' | 'operator';

/** The access rules of an operation. */
export interface Guarded {
  readonly auth: Auth;
  /** The scope that a token needs; null if any valid token will do. */
  readonly scope: string | null;
  /** Whether a refresh token may call it (contract 5, "Tokens"). */
  readonly byRefreshToken: boolean;
  /** Whether the operator may also call it (contract 7, `OPERATOR_TOKEN`). */
  readonly byOperator: boolean;
}

/** The caller as the gate sees it. */
export type Credential =
  | { readonly kind: 'anonymous' | 'operator' }
  | {
      readonly kind: 'user';
      readonly tokenType: TokenType;
      readonly scope: readonly string[];
      readonly strategyIds: readonly string[] | null;
    };

/** Whether the caller may use the operation; otherwise the answer is 401. */
export function admits(operation: Guarded, caller: Credential): boolean {
  if (operation.auth === 'none') return true;
  switch (caller.kind) {
    case 'anonymous':
      return operation.auth === 'optional';
    case 'operator':
      return operation.auth === 'operator' || operation.byOperator;
    case 'user':
      if (operation.auth === 'operator') return false;
      if (caller.tokenType === 'refresh') return operation.byRefreshToken;
      return (
        operation.scope === null ||
        grants({ type: caller.tokenType, scope: caller.scope }, operation.scope)
      );
  }
}

/** Whether a token that is bound to strategies covers those of the request; otherwise the answer is 401. */
export function covers(operation: Guarded, caller: Credential, named: readonly string[]): boolean {
  if (caller.kind !== 'user' || caller.strategyIds === null) return true;
  if (operation.auth === 'none' || operation.scope === null) return true;
  const { strategyIds } = caller;
  return named.length > 0 && named.every((strategyId) => strategyIds.includes(strategyId));
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The strategies in a request: its `strategy_id`, one or several, its `strategy_ids`, those of `allocations`. None for a
 * request about a bot: the request does not name the strategies that the bot mirrors so far, and a bound token must not
 * redirect it to its own. So it is with an account that is named: bots may have traded others in it.
 */
export function namedStrategies(request: unknown): string[] {
  const { strategy_id: own, strategy_ids: bound, allocations, ...others } = request as Fields;
  if (others['bot_id'] !== undefined || others['account_id'] !== undefined) return [];
  const mirrored = Array.isArray(allocations)
    ? allocations.map((allocation: { strategy_id?: unknown }) => allocation.strategy_id)
    : [];
  return [...listed(own), ...listed(bound), ...mirrored].filter(
    (value): value is string => typeof value === 'string',
  );
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
