import type { Application } from '@slipstream/application';
import type { Log } from '@slipstream/ports';
import type { ServerMetrics } from './monitoring/metrics.js';
import type { Timers } from './system.js';

/** How often due work is searched for, in milliseconds. */
const BEAT = 250;

/** How often the server checks whether to archive the audit log, in milliseconds. */
const ARCHIVES_LOOKED_AT = 60_000;

/** A task that runs at each beat. A failure is logged, and the next beat tries again. */
interface Repeated {
  beat(): void;
  /** Resolves when none runs. */
  idle(): Promise<void>;
}

/** Runs `task` at each beat, also while it still runs from an earlier one. */
function overlapping(task: () => Promise<void>, failed: (error: unknown) => void): Repeated {
  const running = new Set<Promise<void>>();
  return {
    beat: () => {
      const run = task()
        .catch(failed)
        .finally(() => running.delete(run));
      running.add(run);
    },
    idle: async () => {
      await Promise.all(running);
    },
  };
}

/** Runs `task` at each beat, never twice at once. */
function repeatedly(task: () => Promise<void>, failed: (error: unknown) => void): Repeated {
  let running: Promise<void> | undefined;
  return {
    beat: () => {
      running ??= task()
        .catch(failed)
        .finally(() => {
          running = undefined;
        });
    },
    idle: async () => running,
  };
}

/** The work beside requests, at its beats. */
export interface Beats {
  /** Begins no more of it. */
  stop(): void;
  /** Resolves when none of it runs. */
  idle(): Promise<void>;
}

interface BeatsOptions {
  readonly background: Application['background'];
  readonly archive: () => Promise<void>;
  readonly timers: Timers;
  readonly metrics: Pick<ServerMetrics, 'ticked' | 'tickFailed'>;
  readonly log: Log;
}

/** Begins the work beside requests. */
export function startBeats({ background, archive, timers, metrics, log }: BeatsOptions): Beats {
  const failed = (what: string) => (error: unknown) => {
    metrics.tickFailed();
    log.error({ error }, `${what} failed; will retry`);
  };
  const tick = async (): Promise<void> => {
    const began = performance.now();
    await background.tick();
    metrics.ticked((performance.now() - began) / 1000);
  };
  const tasks = [
    repeatedly(tick, failed('housekeeping')),
    // A broker that does not answer keeps only its own bots waiting.
    overlapping(() => background.runBots(), failed('running bots')),
    // A receiver that does not answer keeps only its own messages waiting.
    overlapping(() => background.sendEvents(), failed('sending events')),
    repeatedly(() => background.sendMails(), failed('sending mails')),
    repeatedly(() => background.rankStrategies(), failed('ranking strategies')),
    repeatedly(() => background.measureOwnerTrades(), failed("measuring owners' trades")),
    repeatedly(() => background.makeAnchors(), failed('making anchors')),
    repeatedly(() => background.followMarket(), failed('following the market')),
    repeatedly(() => background.runBilling(), failed('billing')),
  ];
  const archiving = repeatedly(archive, failed('archiving the audit log'));
  const stops = [
    ...tasks.map(({ beat }) => timers.every(BEAT, beat)),
    timers.every(ARCHIVES_LOOKED_AT, archiving.beat),
  ];
  return {
    stop() {
      for (const stop of stops) stop();
      background.end();
    },
    async idle() {
      await Promise.all([...tasks, archiving].map(({ idle }) => idle()));
    },
  };
}
