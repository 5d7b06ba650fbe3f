import {
  type Book,
  DAY,
  type IdentifiedRequest,
  type Market,
  type Security,
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

/**
 * The requests as the caller's token may place them. The limits of every token that it was made from count too, each over all
 * tokens made from it (contract 13).
 */
export async function withinTokenLimits(
  { fingerprints }: Pick<Core, 'fingerprints'>,
  stores: Pick<ReadStores, 'tokens' | 'tallies'>,
  caller: Caller,
  requests: readonly IdentifiedRequest[],
  { book, type, market }: Placing,
): Promise<Counted> {
  if (caller.kind !== 'user' || caller.limits === null) return { requests, tallies: [] };
  const bound = boundRequests(book, requests, type, market);
  const { increases } = bound;
  if (increases.orders === 0) return { requests: bound.requests, tallies: [] };
  const today = market.now - (market.now % DAY);
  const tallies: Tally[] = [];
  for (const { id, limits } of await wholeLineOf(stores, caller)) {
    if (limits === null) continue;
    const name = fingerprints.of('token limits', id, book.strategyId, String(today));
    const before = (await stores.tallies.find(name)) ?? { count: 0, total: ZERO };
    requireWithinLimits(limits, { orders: before.count, notional: before.total }, increases);
    const count = before.count + increases.orders;
    tallies.push({
      name,
      count,
      total: before.total.plus(increases.notional),
      endsAt: today + DAY,
    });
  }
  return { requests: bound.requests, tallies };
}

/** The same, counted in the transaction that places them. */
export async function placedWithin(
  core: Pick<Core, 'fingerprints'>,
  stores: Pick<Stores, 'tokens' | 'tallies'>,
  caller: Caller,
  requests: readonly IdentifiedRequest[],
  placing: Placing,
): Promise<readonly IdentifiedRequest[]> {
  const counted = await withinTokenLimits(core, stores, caller, requests, placing);
  for (const tally of counted.tallies) await stores.tallies.save(tally);
  return counted.requests;
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
