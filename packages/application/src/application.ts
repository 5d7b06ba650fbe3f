import type { Ports } from '@slipstream/ports';
import { createBackground } from './background.js';
import { createCores } from './cores.js';
import { createLifecycle } from './lifecycle.js';
import { LiveState } from './market/live-state.js';
import { type Operations, operationTable, requestOperationsOf } from './operations.js';
import { createRequests } from './requests.js';
import { createServices } from './services.js';
import { DEFAULT_SETTINGS, type Settings } from './settings.js';
import { createStreams } from './streams.js';

/** The core as its hosts see it: each part is for one of them, and an adapter takes the parts that it needs. */
export interface Application {
  /** Around the running of the process, and for whoever runs it. */
  readonly lifecycle: ReturnType<typeof createLifecycle>;
  /** What is due by now: the host calls each task about once a second. */
  readonly background: ReturnType<typeof createBackground>;
  /** The operations for a host that calls them itself; the audit log names no request. */
  readonly operations: Operations;
  /** What a transport calls around the operations of a request. */
  readonly requests: ReturnType<typeof createRequests>;
  /** What live streams show. */
  readonly streams: ReturnType<typeof createStreams>;
}

/**
 * The whole core as functions of its ports; no container is needed. A host whose brokers fill at the market's quotes makes
 * the `live` itself and shares it with them.
 */
export function createApplication(
  ports: Ports,
  settings: Settings = DEFAULT_SETTINGS,
  live = new LiveState(ports.tradingHours, settings.quoteFreshFor, () => settings.publicUrl),
): Application {
  const cores = createCores(ports, settings, live);
  const services = createServices(ports, cores);
  const operationsOf = requestOperationsOf(operationTable(services), cores.coreFor);
  return {
    lifecycle: createLifecycle(ports, cores, services),
    background: createBackground(ports, cores, services),
    operations: operationsOf(),
    requests: createRequests(cores, services, operationsOf),
    streams: createStreams(ports, cores.shared),
  };
}
