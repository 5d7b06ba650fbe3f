import { jsonLogger, logFrom, openNode, readSettings } from '@slipstream/server';
import { answerQuestions } from '../program.js';
import { OPERATOR_TOKEN } from '../requests.js';
import { SECRET_KEY } from '../secret-key.js';
import { WITHOUT_LIMITS } from '../unlimited.js';

/** Where the database is, and where other servers reach this one. */
export interface NodeOptions {
  readonly database: string;
  readonly nodeUrl: string;
}

/** One of several complete servers over a PostgreSQL database. */
const { database, nodeUrl } = JSON.parse(process.argv[2] ?? '') as NodeOptions;
const settings = readSettings({
  PORT: '0',
  MARKET: 'push',
  TRADING_HOURS: 'always',
  OPERATOR_TOKEN,
  DATABASE_URL: database,
  NODE_URL: nodeUrl,
  LEASE_SECONDS: '2',
  SECRET_KEY,
  QUOTE_FRESH_SECONDS: '86400',
  ...WITHOUT_LIMITS,
});
const node = await openNode(settings, logFrom(jsonLogger(settings.LOG_LEVEL)), {}, () =>
  process.exit(1),
);
answerQuestions({ port: () => Number(new URL(node.url).port) }, () => node.close());
