import { openServer, type RunningServer } from '../serve.js';
import { jsonLogger, logFrom } from '../logging.js';
import type { ServerSettings } from '../settings.js';

/** Ends that a host asks for. Ctrl-C arrives twice where npm started us: repeats are ignored. */
const ENDS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs the server until the host asks it to end; then it drains and the process exits 0. */
export async function runServer(
  settings: ServerSettings,
  started: (server: RunningServer) => Promise<void> | void,
): Promise<void> {
  const logger = jsonLogger(settings.LOG_LEVEL);
  const log = logFrom(logger);
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'a fault that nothing expects: the process ends');
    process.exit(1);
  });
  const server = await openServer(settings, log);
  const ended = new Promise<void>((resolve) => {
    for (const signal of ENDS) process.on(signal, () => resolve());
  });
  try {
    await started(server);
    await ended;
  } finally {
    await server.close();
  }
}
