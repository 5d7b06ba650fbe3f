import type { PlanId, StrategyId, Timestamp, TokenId, UserId } from '../ids.js';
import { Refusal } from '../refusal.js';
import { MINUTE } from '../time.js';

/** A request that its sender has prepared and may commit (contract 13, "Agents"). */
export interface PreparedPlan {
  readonly id: PlanId;
  readonly userId: UserId;
  /** The only token that may commit it. */
  readonly tokenId: TokenId;
  /** The operation that a commit performs. */
  readonly operation: string;
  /** The operation's exact command, sealed: it may contain credentials. */
  readonly sealedCommand: string;
  /** The strategy whose book the plan is for, and the version of that book; null if it changes no book. */
  readonly strategyId: StrategyId | null;
  readonly bookVersion: number | null;
  readonly createdAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** Null until its commit took effect, which happens once. */
  readonly committedAt: Timestamp | null;
}

/** Milliseconds in which a plan can be committed. */
export const PLAN_LIFETIME = MINUTE;

/** preparePlan's answer. */
export interface PreparedPlanView {
  readonly planId: PlanId;
  readonly operation: string;
  readonly expiresAt: Timestamp;
  /** The answer of the operation's preview; null if it has none. */
  readonly preview: unknown;
}

/** commitPlan's answer. */
export interface CommittedPlanView {
  readonly planId: PlanId;
  readonly operation: string;
  /** The answer of the operation. */
  readonly answer: unknown;
}

/**
 * Refuses a plan whose commit would be late, or not the first.
 * @throws {Refusal} `plan_expired`, or `idempotency_interrupted` if it was committed and its answer is not known.
 */
export function requireCommittable(plan: PreparedPlan, now: Timestamp): void {
  if (plan.committedAt !== null) {
    throw new Refusal(
      'idempotency_interrupted',
      'this plan took effect before, and its answer is no longer known: read what is there',
    );
  }
  if (plan.expiresAt <= now) {
    throw new Refusal('plan_expired', 'the plan is older than a minute: prepare it again');
  }
}
