import {
  type Log,
  type MarketFeed,
  type Ports,
  type TradingHours,
  eventBus,
} from '@slipstream/ports';
import { type FixedClock, fixedClock } from './clock.js';
import { countingIds } from './ids.js';
import { type Outbox, outbox } from './outbox.js';
import { testSecrets } from './secrets.js';
import { openMemory } from '../storage/unit-of-work.js';
import { alwaysPaidGateway } from './always-paid-gateway.js';

/** Logs nothing. */
export const silentLog = (): Log => ({
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
});

/** The last moment that a date can name. */
const END_OF_TIME = 8_640_000_000_000_000;

/** Every exchange is in session, forever. */
export const alwaysOpenHours = (): TradingHours => ({
  sessionAt: () => ({ opensAt: 0, closesAt: END_OF_TIME }),
  nextSession: () => undefined,
});

/** Delivers no quotes: they come only from outside. */
export const silentFeed = (): MarketFeed => ({
  acceptsQuotes: true,
  quotesNewShares: true,
  notice: null,
  start: async () => undefined,
  health: () => [],
  stop: async () => undefined,
});

export interface MemoryPorts extends Ports {
  readonly clock: FixedClock;
  readonly mailer: Outbox;
}

/** Every port in memory: no broker, open markets, no quotes; the clock shows 2026-01-05T15:00:00Z until it is set. */
export function memoryPorts(overrides: Partial<MemoryPorts> = {}): MemoryPorts {
  const log = overrides.log ?? silentLog();
  return {
    unitOfWork: openMemory(),
    clock: fixedClock(Date.UTC(2026, 0, 5, 15)),
    ids: countingIds(),
    events: eventBus((error, { kind }) => log.error({ error, kind }, 'a listener failed')),
    tradingHours: alwaysOpenHours(),
    marketFeed: silentFeed(),
    brokers: new Map(),
    mailer: outbox(),
    pause: async () => undefined,
    paymentGateway: alwaysPaidGateway(),
    ...testSecrets(),
    ...overrides,
    log,
  };
}
