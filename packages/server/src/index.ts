export type { Adapters, AdaptersModule, PortAdapters } from './adapters.js';
export { type Composition, compose } from './compose.js';
export * from './container.js';
export { tuneGarbageCollector } from './garbage.js';
export { logDestination } from './monitoring/log-destination.js';
export { jsonLogger, logFrom } from './monitoring/logging.js';
export type { ClosedBar, ReplayContext, ReplayModule } from './replay/inputs/module.js';
export {
  type ReplayOptions,
  type ReplayProgress,
  type ReplayResult,
  replay,
} from './replay/replay.js';
export { type RunningNode, openNode } from './nodes/open-node.js';
export { type RunningServer, openServer } from './serve.js';
export { SettingError } from './settings/setting-error.js';
export { type ServerSettings, readSettings } from './settings/settings.js';
export { INTERFACE_VERSION, version } from './version.js';
