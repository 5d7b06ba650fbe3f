import { setTimeout as delay } from 'node:timers/promises';
import {
  jsonLogger,
  logFrom,
  tuneGarbageCollector,
  openServer,
  readSettings,
} from '@slipstream/server';
import { readBare } from '../baselines/full-database.js';
import { answerQuestions } from '../program.js';
import { SECRET_KEY } from '../secret-key.js';

/** Milliseconds until the product serves, and from its stop, amid the work of its first minute, to its end. */
export interface Restarted {
  readonly started: number;
  readonly ended: number;
}

/** When it is stopped: it samples and ranks all strategies then. */
const STOPPED_AFTER = 2_000;

/** After the code is loaded: the product, and milliseconds until the baseline has read all rows. */
answerQuestions({
  async product(file: string): Promise<Restarted> {
    tuneGarbageCollector();
    const settings = readSettings({
      PORT: '0',
      MARKET: 'push',
      TRADING_HOURS: 'always',
      DATABASE_URL: `sqlite:${file}`,
      SECRET_KEY,
    });
    const begun = performance.now();
    const server = await openServer(settings, logFrom(jsonLogger('info')));
    await fetch(`${server.url}/readyz`);
    const started = performance.now() - begun;
    await delay(STOPPED_AFTER);
    const stopped = performance.now();
    await server.close();
    return { started, ended: performance.now() - stopped };
  },
  bare(file: string): number {
    const begun = performance.now();
    readBare(file);
    return performance.now() - begun;
  },
});
