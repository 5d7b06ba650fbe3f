import type { Decimal } from '../numbers/decimal.js';
import type { StrategyId, SubscriptionId, Timestamp, UserId } from '../ids.js';
import type { Security } from '../market/stock.js';
import type { ClaimedHistory } from '../performance/claimed-history.js';
import type { OwnerTrades } from '../performance/owner-trades.js';
import type { Segmented } from '../performance/segments.js';

/** A published strategy (spec 2.4); its money is in its book. */
export interface Strategy extends Segmented {
  readonly id: StrategyId;
  /** Billing product. */
  readonly productId: string;
  readonly userId: UserId;
  readonly type: Security;
  readonly private: boolean;
  readonly name: string;
  readonly description: string;
  readonly categories: readonly string[];
  /** Whole USD a month. */
  readonly price: number;
  /** Users who may see and follow it while it is private, beside its owner and active subscribers. */
  readonly invitedUserIds: readonly UserId[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
  /** How long its value has been at or below zero, in milliseconds, as last stored (contract 7b.9); 0 while it is above. */
  readonly belowZeroFor: number;
  /** When it ended: it lost everything and opens nothing any more. Null until then. */
  readonly endedAt: Timestamp | null;
  /** When it was deleted and hidden from all reads; null until then. */
  readonly deletedAt: Timestamp | null;
  /** Set after a deletion or an end: the last follower, in the order of ids, that the end has reached. Null when no follower is left. */
  readonly endUnderWay: { readonly after: UserId | null } | null;
  /** As it was computed last; null if its owner mirrored nothing of it. */
  readonly ownerTrades: OwnerTrades | null;
  /** After how many trading hours without an alert its owner is notified; null for never (contract 13). */
  readonly alertWatch: number | null;
  /** When that is, unless an alert comes before; null without a watch, and from the notice until the next alert. */
  readonly alertDueAt: Timestamp | null;
  /** The span of the imported history; null without one. */
  readonly claimed: ClaimedHistory | null;
}

/** The longest `alertWatch`, in trading hours. */
export const MAX_ALERT_WATCH = 720;

/** How a user belongs to a strategy. */
export const RELATIONS = ['owner', 'subscriber'] as const;
/** `past_due` waits for another attempt; `pending` was never paid (spec 2.4). */
export const SUBSCRIPTION_STATUSES = ['pending', 'active', 'past_due', 'cancelled'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** A follower's (or the owner's own) relation to a strategy (contract 2). */
export interface Subscription {
  readonly id: SubscriptionId;
  readonly strategyId: StrategyId;
  readonly userId: UserId;
  readonly relation: (typeof RELATIONS)[number];
  readonly status: SubscriptionStatus;
  /** Why it is past due or ended, and how to continue; null without a reason. */
  readonly statusReason: string | null;
  /** Whole USD a month, fixed when it began. */
  readonly price: number;
  /** The user's own value in currency at `inputDate`; null when never given. */
  readonly inputValue: Decimal | null;
  readonly inputDate: Timestamp | null;
  /** Normalized to display units; null is unknown and never 1 (spec 1). */
  readonly inputMultiplier: Decimal | null;
  readonly renewsAt: Timestamp | null;
  readonly endsAt: Timestamp | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}
