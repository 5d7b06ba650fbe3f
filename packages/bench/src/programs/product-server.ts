import type { Caller } from '@slipstream/application';
import { decimal } from '@slipstream/domain';
import { jsonLogger, logFrom, openServer, readSettings } from '@slipstream/server';
import { answerQuestions } from '../program.js';
import { OPERATOR_TOKEN } from '../requests.js';

/** What the product is asked to have before it is measured. */
export interface ProductOptions {
  readonly file: string;
  readonly strategies: number;
  /** The server keeps its own limits, but those of alerts, and has a second user. */
  readonly neighbour?: boolean;
}

/** What the load on the product needs to know. */
export interface ProductFacts {
  readonly port: number;
  readonly token: string;
  readonly strategyIds: readonly string[];
  readonly neighbour?: {
    readonly token: string;
    readonly strategyId: string;
    readonly stockIds: readonly string[];
  };
}

const OPERATOR: Caller = { kind: 'operator' };

const WITHOUT_LIMITS = {
  RATE_LIMITS: 'reads=100000000,writes=100000000,alerts=100000000,failures=100000000',
  CONNECTION_LIMITS: 'total=100000,address=100000,streams=100000,user=100000,anonymous=100000',
};

/** The composed server as it is started by hand: every check on, logging, SQLite with synchronous=FULL. */
const { file, strategies, neighbour = false } = JSON.parse(process.argv[2] ?? '') as ProductOptions;
const settings = readSettings({
  PORT: '0',
  MARKET: 'push',
  TRADING_HOURS: 'always',
  OPERATOR_TOKEN,
  DATABASE_URL: `sqlite:${file}`,
  QUOTE_FRESH_SECONDS: '86400',
  ...(neighbour ? { RATE_LIMITS: 'alerts=100000000' } : WITHOUT_LIMITS),
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
  const facts = { port: Number(new URL(server.url).port), token, strategyIds };
  return neighbour ? { ...facts, neighbour: await makeNeighbour() } : facts;
}

async function makeNeighbour(): Promise<NonNullable<ProductFacts['neighbour']>> {
  const { text: token } = await application.issueToken({
    email: 'neighbour@example.com',
    name: 'neighbour',
    scope: ['*'],
    createUser: true,
  });
  const caller = await application.authenticate(token);
  const { strategy } = await application.newStrategy(caller, { type: 'stock', name: 'loud' });
  const stocks = await application.findStocks(caller, {
    query: 'a',
    security: 'stock',
    limit: 100,
  });
  return { token, strategyId: strategy.id, stockIds: stocks.map(({ stock }) => stock.id) };
}

const facts = await prepare();
answerQuestions({ facts: () => facts }, () => server.close());
