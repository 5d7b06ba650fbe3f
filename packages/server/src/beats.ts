import type { Application } from '@slipstream/application';
import type { Log, Timers } from '@slipstream/ports';
import type { ServerMetrics } from './monitoring/metrics.js';

/** How often due work is searched for, in milliseconds. */
const BEAT = 250;

/** How often the server checks whether to archive the audit log, in milliseconds. */
const ARCHIVES_LOOKED_AT = 60_000;

/** How often a failure that goes on is logged, in milliseconds. */
const TOLD_AGAIN = 60_000;

/** Hears how the runs of a task end. */
interface Outcome {
  worked(): void;
  failed(error: unknown): void;
}

/** Logs the first of failures that go on, one a minute of the rest, each other error, and their end: a task runs four times a second. */
function toldOnce(what: string, log: Log, metrics: Pick<ServerMetrics, 'tickFailed'>): Outcome {
  let failures = 0;
  let told = { error: '', at: -Infinity };
  return {
    worked() {
      if (failures > 1) log.info({ failures }, `${what} works again`);
      failures = 0;
    },
    failed(error) {
      metrics.tickFailed();
      failures += 1;
      const [text, now] = [String(error), performance.now()];
      if (failures > 1 && text === told.error && now - told.at < TOLD_AGAIN) return;
      told = { error: text, at: now };
      log.error({ error, failures }, `${what} failed; will retry`);
    },
  };
}

/** A task that runs at each beat. A failure is told, and the next beat tries again. */
interface Repeated {
  beat(): void;
  /** Resolves when none runs. */
  idle(): Promise<void>;
}

/** Runs `task` at each beat, also while it still runs from an earlier one. */
function overlapping(task: () => Promise<void>, { worked, failed }: Outcome): Repeated {
  const running = new Set<Promise<void>>();
  return {
    beat: () => {
      const run = task()
        .then(worked, failed)
        .finally(() => running.delete(run));
      running.add(run);
    },
    idle: async () => {
      await Promise.all(running);
    },
  };
}

/** Runs `task` at each beat, never twice at once. */
function repeatedly(task: () => Promise<void>, { worked, failed }: Outcome): Repeated {
  let running: Promise<void> | undefined;
  return {
    beat: () => {
      running ??= task()
        .then(worked, failed)
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
  const told = (what: string): Outcome => toldOnce(what, log, metrics);
  const tick = async (): Promise<void> => {
    const began = performance.now();
    await background.tick();
    metrics.ticked((performance.now() - began) / 1000);
  };
  const tasks = [
    repeatedly(tick, told('housekeeping')),
    // After a kill the last quotes are a second old at most (contract 7).
    repeatedly(() => background.saveQuotes(), told('saving quotes')),
    // A broker that does not answer keeps only its own bots waiting.
    overlapping(() => background.runBots(), told('running bots')),
    // A receiver that does not answer keeps only its own messages waiting.
    overlapping(() => background.sendEvents(), told('sending events')),
    repeatedly(() => background.sendMails(), told('sending mails')),
    repeatedly(() => background.rankStrategies(), told('ranking strategies')),
    repeatedly(() => background.measureOwnerTrades(), told("measuring owners' trades")),
    repeatedly(() => background.makeAnchors(), told('making anchors')),
    repeatedly(() => background.followMarket(), told('following the market')),
    repeatedly(() => background.runBilling(), told('billing')),
  ];
  const archiving = repeatedly(archive, told('archiving the audit log'));
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
