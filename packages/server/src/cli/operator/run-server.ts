import { constants } from 'node:os';
import type { Log } from '@slipstream/ports';
import type { Adapters } from '../../composition/adapters.js';
import { openServer, type RunningServer } from '../../serve.js';
import { jsonLogger, logFrom } from '../../monitoring/logging.js';
import { type RunningNode, openNode } from '../../nodes/open-node.js';
import type { ServerSettings } from '../../settings/settings.js';
import { adaptersOf } from './foreign-adapters.js';

/** The signals with which a host ends the process. */
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Milliseconds within which a repeated signal counts as the same one: under npm, Ctrl-C arrives twice. */
const ECHO = 1_000;

/** Resolves at the first signal. A later signal ends the draining process at once. */
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

/** Runs the server until a signal; then it drains and the process exits with 0. A second signal ends it at once. */
export async function runServer(
  settings: ServerSettings,
  adaptersFile: string | undefined,
  started: (server: RunningServer) => Promise<void> | void,
): Promise<void> {
  await runUntilSignal(settings, adaptersFile, openServer, started);
}

/** Runs one of several servers over a database, in the same way; it exits with 1 where a fault ends it. */
export async function runNode(
  settings: ServerSettings,
  adaptersFile: string | undefined,
  started: (node: RunningNode) => void,
): Promise<void> {
  const end = (isFault: boolean): void => {
    if (isFault) process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  };
  await runUntilSignal(
    settings,
    adaptersFile,
    (given, log, adapters) => openNode(given, log, adapters, end),
    started,
  );
}

async function runUntilSignal<Server extends Pick<RunningNode, 'close'>>(
  settings: ServerSettings,
  adaptersFile: string | undefined,
  open: (settings: ServerSettings, log: Log, adapters: Adapters) => Promise<Server>,
  started: (server: Server) => Promise<void> | void,
): Promise<void> {
  const logger = jsonLogger(settings.LOG_LEVEL);
  const log = logFrom(logger);
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'unexpected fault: the process ends');
    process.exit(1);
  });
  const server = await open(settings, log, await adaptersOf(adaptersFile, settings, log));
  const ended = askedToEnd();
  try {
    await started(server);
    await ended;
  } finally {
    await server.close();
  }
  // Connections to those outside who have not answered would keep the process until their time-outs.
  process.exit();
}
