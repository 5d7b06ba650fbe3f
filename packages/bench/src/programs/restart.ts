import {
  jsonLogger,
  logFrom,
  makeObjectsYoung,
  openServer,
  readSettings,
} from '@slipstream/server';
import { readBare } from '../baselines/full-database.js';
import { answerQuestions } from '../program.js';
import { SECRET_KEY } from '../secret-key.js';

/** Milliseconds after the code is loaded: until the product serves, and until the baseline has read all rows. */
answerQuestions({
  async product(file: string): Promise<number> {
    makeObjectsYoung();
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
    const took = performance.now() - begun;
    await server.close();
    return took;
  },
  bare(file: string): number {
    const begun = performance.now();
    readBare(file);
    return performance.now() - begun;
  },
});
