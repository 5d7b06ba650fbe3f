import {
  HALT_SCOPES,
  type HaltScope,
  SEND_RESULTS,
  type Security,
  type SendResult,
} from '@slipstream/domain';
import { DROP_REASONS, type DropReason } from '@slipstream/adapter-http';
import type { Event, SourceHealth, UnitOfWork } from '@slipstream/ports';
import { botMetrics } from './bot-metrics.js';
import type { OutsideCalls } from './outside-calls.js';
import { businessMetrics } from './business-metrics.js';
import { sourceMetrics } from './source-metrics.js';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The operator's metrics, in Prometheus text format at /metrics. */
export function serverMetrics(read: {
  droppedQuotes(): number;
  sources(): readonly SourceHealth[];
  connections(): number;
  diskFree(): number | undefined;
  /** Why the clock of the machine may be wrong; null when it is in no doubt. */
  clockDoubt(): string | null;
  /** How many halts of trading stand, by scope. */
  halts(): Promise<Readonly<Record<HaltScope, number>>>;
  /** Attempts to send an event to an endpoint, by what came of them. */
  eventAttempts(): Readonly<Record<SendResult, number>>;
  /** Whether the exchanges of a type of instruments are in session now. */
  isOpen(type: Security): boolean;
  readonly unitOfWork: UnitOfWork;
  readonly outsideCalls: OutsideCalls;
}) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'slipstream_' });
  const requests = new Histogram({
    name: 'slipstream_http_request_seconds',
    help: 'Time to answer a request, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const ticks = new Histogram({
    name: 'slipstream_tick_seconds',
    help: 'Time that the work that is due takes, by a tick',
    registers: [registry],
  });
  const failures = new Counter({
    name: 'slipstream_tick_failures_total',
    help: 'Ticks that failed and are tried again',
    registers: [registry],
  });
  const drops = new Counter({
    name: 'slipstream_connections_dropped_total',
    help: 'Connections that were not taken or cut off, by reason',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of DROP_REASONS) drops.inc({ reason }, 0);
  const refusedUpgrades = new Counter({
    name: 'slipstream_upgrades_refused_total',
    help: 'WebSocket connections that were refused, by status',
    labelNames: ['status'],
    registers: [registry],
  });
  new Counter({
    name: 'slipstream_quotes_dropped_total',
    help: 'Quotes refused since the start: unusable or late',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read.droppedQuotes());
    },
  });
  new Gauge({
    name: 'slipstream_stream_connections',
    help: 'Open WebSocket connections',
    registers: [registry],
    collect() {
      this.set(read.connections());
    },
  });
  new Gauge({
    name: 'slipstream_disk_free_bytes',
    help: 'Bytes that are left on the disk of the database',
    registers: [registry],
    collect() {
      const free = read.diskFree();
      // Not 0, which would be a full one.
      if (free === undefined) this.remove();
      else this.set(free);
    },
  });
  new Counter({
    name: 'slipstream_delivery_attempts_total',
    help: 'Attempts to send an event to an endpoint since the start, by result',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      const attempts = read.eventAttempts();
      this.reset();
      for (const result of SEND_RESULTS) this.inc({ result }, attempts[result]);
    },
  });
  new Gauge({
    name: 'slipstream_trading_halts',
    help: 'Halts of trading that stand, by scope',
    labelNames: ['scope'],
    registers: [registry],
    async collect() {
      const counts = await read.halts();
      for (const scope of HALT_SCOPES) this.set({ scope }, counts[scope]);
    },
  });
  new Gauge({
    name: 'slipstream_clock_in_doubt',
    help: '1 while the clock of the machine may be wrong, because it jumped ahead',
    registers: [registry],
    collect() {
      this.set(read.clockDoubt() === null ? 0 : 1);
    },
  });
  sourceMetrics(registry, read.sources);
  for (const times of Object.values(read.outsideCalls)) registry.registerMetric(times);
  const { unitOfWork } = read;
  const business = businessMetrics(registry, () => unitOfWork.read(({ counts }) => counts.all()));
  const bots = botMetrics(registry, (type) => read.isOpen(type));
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    observe: (operation: string, status: number, seconds: number) =>
      requests.observe({ operation, status }, seconds),
    /** Takes what the core publishes. */
    event(event: Event): void {
      business(event);
      bots.event(event);
    },
    /** Reads what no event tells. */
    start: () => bots.start(unitOfWork),
    ticked: (seconds: number) => ticks.observe(seconds),
    tickFailed: () => failures.inc(),
    dropped: (reason: DropReason) => drops.inc({ reason }),
    upgradeRefused: (status: number) => refusedUpgrades.inc({ status }),
  };
}
export type ServerMetrics = ReturnType<typeof serverMetrics>;
