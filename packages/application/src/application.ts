import type { Ports } from '@slipstream/ports';
import { createBackground } from './background.js';
import { createCores } from './cores.js';
import { createLifecycle } from './lifecycle.js';
import { LiveState } from './market/live-state.js';
import { type Operations, operationTable, requestOperationsOf } from './operations.js';
import { discreetBrokers } from './housekeeping/discreet-brokers.js';
import { Outside } from './housekeeping/outside.js';
import { createRequests } from './requests.js';
import { requirePorts } from './housekeeping/required-ports.js';
import { createServices } from './services.js';
import { DEFAULT_SETTINGS, type Settings } from './settings.js';
import { createStreams } from './streams.js';

/** The core in parts, one for each kind of user; an adapter takes the parts that it needs. */
export interface Application {
  /** Start, stop, and the tasks of the operator. */
  readonly lifecycle: ReturnType<typeof createLifecycle>;
  /** Background tasks that do the due work: the host calls each one about once a second. */
  readonly background: ReturnType<typeof createBackground>;
  /** The operations for a host that calls them itself; the audit log names no request. */
  readonly operations: Operations;
  /** The functions that a transport calls around the operations of a request. */
  readonly requests: ReturnType<typeof createRequests>;
  /** The data of live streams. */
  readonly streams: ReturnType<typeof createStreams>;
}

/**
 * The whole core as functions of its ports; no container is needed. A host whose brokers fill at the market's quotes makes
 * the `live` itself and shares it with them.
 * @throws when a port is missing, and when `live` is of another kind of market than the settings name: records would tell another
 * source of their prices.
 */
export function createApplication(
  given: Ports,
  settings: Settings = DEFAULT_SETTINGS,
  live = new LiveState(requirePorts(given).tradingHours, settings.quoteFreshFor, {
    marketKind: settings.market,
    publicUrl: () => settings.publicUrl,
  }),
): Application {
  if (live.marketKind !== settings.market)
    throw new Error(
      `the live state is of the market ${live.marketKind}, the settings name ${settings.market}`,
    );
  const outside = new Outside();
  const required = requirePorts(given);
  const ports = outside.through({ ...required, brokers: discreetBrokers(required.brokers) });
  const cores = createCores(ports, settings, live);
  const services = createServices(ports, cores);
  const operationsOf = requestOperationsOf(operationTable(services), cores.coreFor);
  return {
    lifecycle: createLifecycle(ports, cores, services),
    background: createBackground(ports, cores, services, outside),
    operations: operationsOf(),
    requests: createRequests(cores, services, operationsOf),
    streams: createStreams(ports, cores.shared),
  };
}
