import {
  type Bot,
  type BotAllocation,
  Refusal,
  type Security,
  type Strategy,
  type Subscription,
  type Timestamp,
  type UserId,
  ZERO,
  givesAccess,
} from '@slipstream/domain';
import { requireGoesOn } from '../strategies/access.js';
import { type Clock, type ReadStores, surelyBy } from '@slipstream/ports';

type Reads = Pick<ReadStores, 'strategies' | 'subscriptions'>;

/** Which subscriptions to a strategy let a bot mirror it. */
type Counts = (subscription: Subscription) => boolean;

/** A renewal that is being retried lets no bot begin, and stops none that follows already (contract 5, "Billing"). */
const isActive: Counts = ({ status }) => status === 'active';

async function follows(
  { subscriptions }: Reads,
  userId: UserId,
  strategy: Strategy,
  counts: Counts,
  now: Timestamp,
): Promise<boolean> {
  if (strategy.deletedAt !== null) return false;
  if (strategy.userId === userId) return true;
  const subscription = await subscriptions.findCurrent(strategy.id, userId);
  if (!subscription || !counts(subscription)) return false;
  return subscription.endsAt === null || subscription.endsAt > now;
}

/** Refuses allocations to strategies that are not the user's own, actively subscribed and of the bot's type. */
export async function requireMirrorable(
  stores: Reads,
  userId: UserId,
  type: Security,
  allocations: readonly BotAllocation[],
  now: Timestamp,
): Promise<void> {
  const strategies = await stores.strategies.list(allocations.map(({ strategyId }) => strategyId));
  for (const { strategyId } of allocations) {
    const strategy = strategies.find((found) => found.id === strategyId);
    if (!strategy || !(await follows(stores, userId, strategy, isActive, now))) {
      const message = `you neither own nor subscribe to a strategy ${strategyId}`;
      throw new Refusal('not_found', message, strategy?.deletedAt === null);
    }
    requireGoesOn(strategy);
    if (strategy.type !== type) {
      throw new Refusal(
        'invalid_field',
        `strategy ${strategyId} is of type ${strategy.type}, the bot of ${type}`,
      );
    }
  }
}

/** The strategies of a bot, and whether its owner follows them now. */
export async function mirroredBy(
  stores: Reads,
  { userId, allocations }: Pick<Bot, 'userId' | 'allocations'>,
  clock: Clock,
) {
  const now = surelyBy(clock);
  const strategies = await stores.strategies.list(allocations.map(({ strategyId }) => strategyId));
  const mirrored = [];
  for (const { strategyId, percent } of allocations) {
    const strategy = strategies.find((found) => found.id === strategyId);
    const isFollowed = strategy && (await follows(stores, userId, strategy, givesAccess, now));
    mirrored.push({ strategyId, percent, strategy, isFollowed });
  }
  return mirrored;
}

/** Whether the bot's owner may see its target: it tells what the strategies hold. */
export const seesTarget = async (stores: Reads, bot: Bot, clock: Clock): Promise<boolean> =>
  (await mirroredBy(stores, bot, clock)).every(
    ({ percent, isFollowed }) => isFollowed || percent.eq(ZERO),
  );

/** The reason why a strategy is no longer mirrored. */
export interface EndedMirror {
  /** As its owner calls it, or its id where who mirrored it may not know the present name. */
  readonly called: string;
  /** The strategy has ended; the owner has not only lost access. */
  readonly isOver: boolean;
}

/** What an active bot mirrors and may not any more: strategies that ended or that its owner no longer follows. */
export async function endedStrategies(
  stores: Reads,
  bot: Bot,
  clock: Clock,
): Promise<EndedMirror[]> {
  if (bot.condition !== 'active') return [];
  return (await mirroredBy(stores, bot, clock)).flatMap(({ strategyId, strategy, isFollowed }) => {
    const isOver = strategy?.deletedAt === null && strategy.endedAt !== null;
    const isShown = strategy && (isFollowed || !strategy.private);
    const called = isShown ? `“${strategy.name}”` : strategyId;
    return isFollowed && !isOver ? [] : { called, isOver };
  });
}
