import type { UserId } from '@slipstream/domain';
import type { Ports } from '@slipstream/ports';
import type { RequestSource } from './audit/actor.js';
import type { BelowZeroCounts } from './strategies/below-zero.js';
import type { StrategyEnds } from './strategies/strategy-ends.js';
import type { LiveState } from './market/live-state.js';
import type { PerformanceCache } from './performance/performance-cache.js';
import type { Ranking } from './performance/ranking.js';
import type { ValueWatch } from './market/value-watch.js';
import type { Guesses } from './accounts/guesses.js';
import type { Settings } from './settings.js';
import type { RequestUnitOfWork } from './transaction.js';
import type { TokenUse } from './accounts/token-use.js';
import type { UnansweredAlerts } from './alerts/unanswered-alerts.js';

/**
 * What use cases are functions of: the ports, the operator's settings and what the core holds in memory. Events are part of
 * their transactions (`stores.events`), so nobody can publish what is not committed.
 */
export interface Core extends Omit<Ports, 'unitOfWork' | 'events'> {
  readonly unitOfWork: RequestUnitOfWork;
  readonly settings: Settings;
  readonly live: LiveState;
  readonly watch: ValueWatch;
  readonly belowZero: BelowZeroCounts;
  readonly ends: StrategyEnds;
  readonly performances: PerformanceCache;
  readonly ranking: Ranking;
  readonly unansweredAlerts: UnansweredAlerts;
  /** Who sent alerts or keyed requests since it was last looked whether too much is kept of them. */
  readonly senders: Set<UserId>;
  /** Who was told something since it was last looked whether they have too many notifications. */
  readonly notified: Set<UserId>;
  readonly tokenUse: TokenUse;
  readonly guesses: Guesses;
  /** Where the request came from that is served. */
  readonly source: Pick<RequestSource, 'ip' | 'userAgent' | 'network'>;
}
