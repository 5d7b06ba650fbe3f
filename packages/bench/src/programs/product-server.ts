import type { Caller } from '@slipstream/application';
import { decimal } from '@slipstream/domain';
import { jsonLogger, logFrom, openServer, readSettings } from '@slipstream/server';
import { answerQuestions } from '../program.js';
import { OPERATOR_TOKEN } from '../requests.js';

/** What the product is asked to have before it is measured. */
export interface ProductOptions {
  readonly file: string;
  readonly strategies: number;
}

/** What the load on the product needs to know. */
export interface ProductFacts {
  readonly port: number;
  readonly token: string;
  readonly strategyIds: readonly string[];
}

const OPERATOR: Caller = { kind: 'operator' };

/** The composed server as it is started by hand: every check on, logging, SQLite with synchronous=FULL. */
const { file, strategies } = JSON.parse(process.argv[2] ?? '') as ProductOptions;
const settings = readSettings({
  PORT: '0',
  MARKET: 'push',
  TRADING_HOURS: 'always',
  OPERATOR_TOKEN,
  DATABASE_URL: `sqlite:${file}`,
  QUOTE_FRESH_SECONDS: '86400',
  RATE_LIMITS: 'reads=100000000,writes=100000000,alerts=100000000,failures=100000000',
  CONNECTION_LIMITS: 'total=100000,address=100000,streams=100000,user=100000,anonymous=100000',
});
const server = await openServer(settings, logFrom(jsonLogger(settings.LOG_LEVEL)));
const { application } = server;

async function prepare(): Promise<ProductFacts> {
  const { text: token } = await application.issueToken({
    email: 'bench@example.com',
    name: 'bench',
    scope: ['*'],
    createUser: true,
  });
  const caller = await application.authenticate(token);
  const price = decimal('100');
  await application.newQuotes(OPERATOR, {
    quotes: [{ stock: 'AAPL:NASDAQ', bid: price, ask: price, last: price }],
  });
  const strategyIds: string[] = [];
  for (let index = 0; index < strategies; index += 1) {
    const { strategy } = await application.newStrategy(caller, { type: 'stock', name: 'bench' });
    strategyIds.push(strategy.id);
  }
  return { port: Number(new URL(server.url).port), token, strategyIds };
}

const facts = await prepare();
answerQuestions({ facts: () => facts }, () => server.close());
