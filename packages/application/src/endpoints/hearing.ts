import {
  type Endpoint,
  EVENT_READS,
  type EndpointEvent,
  type StrategyId,
  type Timestamp,
  grants,
  isExpired,
  isWithin,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import { isFollowedBy, isVisibleTo } from '../strategies/access.js';

/** Why an endpoint may not be told: it ends if `isOver`, else only this event is not for it. */
export interface Unheard {
  readonly reason: string;
  readonly isOver: boolean;
}

/** Why an endpoint hears nothing of a strategy any more. */
const ACCESS_ENDED = 'the access to the strategy has ended';

type Reads = Pick<ReadStores, 'tokens' | 'strategies' | 'subscriptions'>;

/** Whether the user may see that of the strategy: orders are for owner and followers, values also for whom it is open to. */
async function maySee(
  stores: Reads,
  userId: Endpoint['userId'],
  strategyId: StrategyId,
  isValue: boolean,
): Promise<boolean> {
  const strategy = await stores.strategies.find(strategyId);
  if (!strategy || strategy.deletedAt !== null) return false;
  return isValue ? isVisibleTo(stores, userId, strategy) : isFollowedBy(stores, userId, strategy);
}

/** Asked before a delivery is made and before every attempt (contract 13): undefined when the endpoint may be told the event now. */
export async function unheard(
  stores: Reads,
  endpoint: Endpoint,
  event: Pick<EndpointEvent, 'name' | 'strategyId' | 'userId'>,
  now: Timestamp,
): Promise<Unheard | undefined> {
  const { tokenId, userId, strategyIds } = endpoint;
  const token = tokenId && (await stores.tokens.find(tokenId));
  if (tokenId !== null && (!token || isExpired(token, now)))
    return { reason: 'the token of the endpoint has ended', isOver: true };
  if (token && !grants(token, EVENT_READS[event.name]))
    return { reason: 'the token of the endpoint lacks the scope', isOver: true };
  // What waited may be from before the endpoint was changed by this token.
  if (token && !isWithin(token, event.name, event.strategyId))
    return { reason: 'the token of the endpoint is bound to strategies', isOver: false };
  const isValue = event.name === 'value.crossed';
  // What is told to one user alone is the user's own.
  if (event.userId !== null || event.strategyId === null) return undefined;
  if (await maySee(stores, userId, event.strategyId, isValue)) return undefined;
  for (const other of strategyIds ?? [])
    if (await maySee(stores, userId, other, isValue))
      return { reason: ACCESS_ENDED, isOver: false };
  return { reason: ACCESS_ENDED, isOver: strategyIds !== null };
}
