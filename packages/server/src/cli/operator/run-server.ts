import { constants } from 'node:os';
import { openServer, type RunningServer } from '../../serve.js';
import { jsonLogger, logFrom } from '../../monitoring/logging.js';
import type { ServerSettings } from '../../settings/settings.js';
import { adaptersOf } from './foreign-adapters.js';

/** Ends that a host asks for. */
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How soon a repeat is the same request, in milliseconds: where npm started us Ctrl-C arrives twice. */
const ECHO = 1_000;

/** Resolves when the host asks the process to end. Asked again while it drains, it ends at once. */
const askedToEnd = (): Promise<void> =>
  new Promise((resolve) => {
    let first: number | undefined;
    for (const signal of ENDS) {
      process.on(signal, () => {
        first ??= performance.now();
        if (performance.now() - first > ECHO) process.exit(128 + constants.signals[signal]);
        resolve();
      });
    }
  });

/** Runs the server until the host asks it to end; then it drains and the process exits 0, or at once when asked again. */
export async function runServer(
  settings: ServerSettings,
  adaptersFile: string | undefined,
  started: (server: RunningServer) => Promise<void> | void,
): Promise<void> {
  const logger = jsonLogger(settings.LOG_LEVEL);
  const log = logFrom(logger);
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'a fault that nothing expects: the process ends');
    process.exit(1);
  });
  const server = await openServer(settings, log, await adaptersOf(adaptersFile, settings, log));
  const ended = askedToEnd();
  try {
    await started(server);
    await ended;
  } finally {
    await server.close();
  }
}
