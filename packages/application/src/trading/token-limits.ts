import {
  type Book,
  type BookChange,
  DAY,
  type IdentifiedRequest,
  type Market,
  type Security,
  type StrategyId,
  type Timestamp,
  type TokenLimits,
  ZERO,
  boundRequests,
  requireWithinLimits,
  type Token,
} from '@slipstream/domain';
import type { ReadStores, Stores, Tally } from '@slipstream/ports';
import { lineOf, unauthenticated } from '../accounts/calling-token.js';
import type { Caller, UserCaller } from '../caller.js';
import type { Core } from '../core.js';

/** The book in which orders are placed. */
export interface Placing {
  readonly book: Book;
  readonly type: Security;
  readonly market: Market;
}

/** Requests within the limits of their token, and the tallies that count them. */
interface Counted {
  readonly requests: readonly IdentifiedRequest[];
  readonly tallies: readonly Tally[];
}

/** What the limits of a caller's token leave today for one strategy. */
interface Allowance {
  /**
   * The requests as the token may place them. Nothing is asked here, so that they are placed at the quotes that they were sized at.
   * @throws Refusal beyond a limit
   */
  bound(requests: readonly IdentifiedRequest[], placing: Placing): Counted;
}

const NO_LIMITS: Allowance = { bound: (requests) => ({ requests, tallies: [] }) };

/**
 * Asks for the limits of the caller's token. Those of every token that it was made from count too, each over all tokens made from it
 * (contract 13).
 */
export async function allowanceOf(
  { fingerprints }: Pick<Core, 'fingerprints'>,
  stores: Pick<ReadStores, 'tokens' | 'tallies'>,
  caller: Caller,
  strategyId: StrategyId,
  now: Timestamp,
): Promise<Allowance> {
  if (caller.kind !== 'user' || caller.limits === null) return NO_LIMITS;
  const today = now - (now % DAY);
  const found: { readonly limits: TokenLimits; readonly before: Tally }[] = [];
  for (const { id, limits } of await wholeLineOf(stores, caller)) {
    if (limits === null) continue;
    const name = fingerprints.of('token limits', id, strategyId, String(today));
    const unused = { name, count: 0, total: ZERO, endsAt: today + DAY };
    found.push({ limits, before: (await stores.tallies.find(name)) ?? unused });
  }
  return {
    bound(requests, { book, type, market }) {
      const { increases, ...bound } = boundRequests(book, requests, type, market);
      if (increases.orders === 0) return { requests: bound.requests, tallies: [] };
      const tallies = found.map(({ limits, before }) => {
        requireWithinLimits(limits, { orders: before.count, notional: before.total }, increases);
        const count = before.count + increases.orders;
        return { ...before, count, total: before.total.plus(increases.notional) };
      });
      return { requests: bound.requests, tallies };
    },
  };
}

/** Counts what was placed, in the same transaction. The orders are watched at once: a quote that comes meanwhile is met too. */
export async function countPlaced(
  { live }: Pick<Core, 'live'>,
  stores: Pick<Stores, 'tallies'>,
  { tallies }: Counted,
  changes: readonly BookChange[],
): Promise<void> {
  if (tallies.length > 0) live.expect(changes);
  for (const tally of tallies) await stores.tallies.save(tally);
}

/** The token with all that it was made from. */
async function wholeLineOf(
  stores: Pick<ReadStores, 'tokens'>,
  { tokenId }: UserCaller,
): Promise<readonly Token[]> {
  const line = [...(await lineOf(stores, tokenId)).values()];
  // Revoked after the request began.
  if (line.at(-1)?.parentId !== null) throw unauthenticated();
  return line;
}
