import type { StrategyId, UserId } from '@slipstream/domain';
import type { Ports } from '@slipstream/ports';
import { createGuesses } from './accounts/guesses.js';
import { TokenUse } from './accounts/token-use.js';
import { platformMoves } from './alerts/platform-moves.js';
import { unansweredAlerts } from './alerts/unanswered-alerts.js';
import { type Actor, actorOf, systemActor, within } from './audit/actor.js';
import type { Core } from './core.js';
import type { RequestRecord } from './idempotency.js';
import type { LiveState } from './market/live-state.js';
import { ValueWatch } from './market/value-watch.js';
import { tellEndpoints } from './endpoints/tell.js';
import { LossIndex } from './mirroring/limits/loss-index.js';
import { KnownRecords } from './performance/known-records.js';
import { PerformanceCache } from './performance/performance-cache.js';
import { Catalogue } from './strategies/catalogue.js';
import { RankChanges } from './performance/ranks/rank-changes.js';
import { Ranking } from './performance/ranks/ranking.js';
import type { Settings } from './settings.js';
import { BelowZeroCounts } from './strategies/below-zero.js';
import { strategyEnds } from './strategies/ends.js';
import { requestUnitOfWork } from './transaction.js';

/** One core for each actor. They share the state in memory, and the audit log names the actor. */
export function createCores(ports: Ports, settings: Settings, live: LiveState) {
  const { clock, fingerprints } = ports;
  const rankChanges = new RankChanges();
  const performances = new PerformanceCache();
  const tell = ports.endpointSender && tellEndpoints({ ...ports, live, settings });
  const unitOfWorkOf = (actor: Actor, idempotency?: RequestRecord) =>
    requestUnitOfWork(ports.unitOfWork, {
      audit: { clock, fingerprints, actor },
      idempotency,
      rankChanges,
      performances,
      tell,
    });
  /** Every field of a core. Each request copies the object, which is faster than adding fields one by one. */
  const shared = {
    ...ports,
    settings,
    live,
    watch: new ValueWatch(live, clock, ports.events),
    losses: new LossIndex(),
    belowZero: new BelowZeroCounts({ clock, live, settings }),
    ends: strategyEnds({
      ...ports,
      settings,
      unitOfWork: unitOfWorkOf(systemActor('settleFollowers')),
    }),
    performances,
    records: new KnownRecords(),
    ranking: new Ranking(),
    rankChanges,
    catalogue: new Catalogue(),
    openings: new Set<StrategyId>(),
    unansweredAlerts: unansweredAlerts(),
    platformMoves: platformMoves(),
    senders: new Set<UserId>(),
    notified: new Set<UserId>(),
    tokenUse: new TokenUse(),
    guesses: createGuesses(ports),
    source: within('core'),
  };
  const coreFor = (
    actor: Actor,
    source: Core['source'] = within(actor.action),
    record?: RequestRecord,
  ): Core => ({ ...shared, source, unitOfWork: unitOfWorkOf(actor, record) });
  return {
    shared,
    coreFor,
    /** The service itself. */
    systemCore: (action: string): Core => coreFor(systemActor(action)),
    /** The operator, who runs the process or its command line. */
    operatorCore: (action: string): Core => coreFor(actorOf({ kind: 'operator' }, within(action))),
  };
}

export type Cores = ReturnType<typeof createCores>;
