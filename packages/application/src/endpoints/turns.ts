import type { UserId } from '@slipstream/domain';
import type { DueEndpoint } from '@slipstream/ports';

/**
 * The order in which due endpoints take their turns: who holds fewer places comes first, then who has waited longer. Else a few users
 * whose receivers never answer would hold all places, and everybody's messages would wait.
 */
export function inFairOrder(
  due: readonly DueEndpoint[],
  held: Iterable<UserId>,
): readonly DueEndpoint[] {
  const places = new Map<UserId, number>();
  const nextOf = (userId: UserId): number => {
    const next = (places.get(userId) ?? 0) + 1;
    places.set(userId, next);
    return next;
  };
  for (const userId of held) nextOf(userId);
  return due
    .map((one) => ({ one, nth: nextOf(one.userId) }))
    .toSorted((first, second) => first.nth - second.nth)
    .map(({ one }) => one);
}
