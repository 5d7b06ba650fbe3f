import type { StrategyId, UserId } from '@slipstream/domain';
import type { Ports } from '@slipstream/ports';
import type { RequestSource } from './audit/actor.js';
import type { BelowZeroCounts } from './strategies/below-zero.js';
import type { StrategyEnds } from './strategies/strategy-ends.js';
import type { LiveState } from './market/live-state.js';
import type { KnownRecords } from './performance/known-records.js';
import type { PerformanceCache } from './performance/performance-cache.js';
import type { Catalogue } from './strategies/catalogue.js';
import type { RankChanges } from './performance/ranks/rank-changes.js';
import type { Ranking } from './performance/ranks/ranking.js';
import type { LossIndex } from './mirroring/limits/loss-index.js';
import type { ValueWatch } from './market/value-watch.js';
import type { Guesses } from './accounts/guesses.js';
import type { Settings } from './settings.js';
import type { RequestUnitOfWork } from './transaction.js';
import type { TokenUse } from './accounts/token-use.js';
import type { PlatformMoves } from './alerts/platform-moves.js';
import type { UnansweredAlerts } from './alerts/unanswered-alerts.js';

/**
 * The dependencies of use cases: the ports, the operator's settings and the state in memory. Events are part of
 * transactions (`stores.events`), so nothing is published before its commit.
 */
export interface Core extends Omit<Ports, 'unitOfWork' | 'events'> {
  readonly unitOfWork: RequestUnitOfWork;
  readonly settings: Settings;
  readonly live: LiveState;
  readonly watch: ValueWatch;
  /** The bots whose losses are limited, for the quotes that concern them. */
  readonly losses: LossIndex;
  readonly belowZero: BelowZeroCounts;
  readonly ends: StrategyEnds;
  readonly performances: PerformanceCache;
  readonly records: KnownRecords;
  readonly ranking: Ranking;
  readonly rankChanges: RankChanges;
  readonly catalogue: Catalogue;
  /** The strategies whose next segment has no value yet. */
  readonly openings: Set<StrategyId>;
  readonly unansweredAlerts: UnansweredAlerts;
  readonly platformMoves: PlatformMoves;
  /** The users who sent alerts or keyed requests, or were refused for what they have stored, since the last check of it. */
  readonly senders: Set<UserId>;
  /** The users who were notified since the last check of their number of notifications. */
  readonly notified: Set<UserId>;
  readonly tokenUse: TokenUse;
  readonly guesses: Guesses;
  /** The source of the present request. */
  readonly source: Pick<RequestSource, 'ip' | 'userAgent' | 'network'>;
}
