import type { Caller } from '@slipstream/application';
import { type OrderId, decimal } from '@slipstream/domain';
import {
  jsonLogger,
  logFrom,
  tuneGarbageCollector,
  openServer,
  readSettings,
} from '@slipstream/server';
import { cpuAccounts } from '../measure/accounts.js';
import { answerQuestions } from '../program.js';
import { OPERATOR_TOKEN } from '../requests.js';
import { SECRET_KEY } from '../secret-key.js';
import { WITHOUT_LIMITS } from '../unlimited.js';

/** The data that the product must have before it is measured. */
export interface ProductOptions {
  readonly file: string;
  /** The URL of a PostgreSQL database in place of the file. */
  readonly database?: string;
  readonly strategies: number;
  /** Processes that take the connections; none by default. */
  readonly fronts?: number;
  /** The server has its default limits, except for alerts, and a second user. */
  readonly neighbour?: boolean;
}

/** A second user with strategies. The first one has the deepest allowed chain of dependent orders. */
export interface Neighbour {
  readonly token: string;
  readonly strategyIds: readonly string[];
  readonly orderIds: readonly string[];
  readonly stockIds: readonly string[];
}

/** The data that the load on the product needs. */
export interface ProductFacts {
  readonly port: number;
  readonly token: string;
  readonly strategyIds: readonly string[];
  readonly neighbour?: Neighbour;
}

const OPERATOR: Caller = { kind: 'operator' };

/** The complete server as an operator starts it: with all checks, logging, and SQLite with synchronous=FULL. */
const {
  file,
  database = `sqlite:${file}`,
  strategies,
  fronts = 0,
  neighbour = false,
} = JSON.parse(process.argv[2] ?? '') as ProductOptions;
const settings = readSettings({
  PORT: '0',
  FRONTS: String(fronts),
  MARKET: 'push',
  TRADING_HOURS: 'always',
  OPERATOR_TOKEN,
  DATABASE_URL: database,
  SECRET_KEY,
  QUOTE_FRESH_SECONDS: '86400',
  ...(neighbour ? { RATE_LIMITS: 'alerts=100000000' } : WITHOUT_LIMITS),
});
tuneGarbageCollector();
const server = await openServer(settings, logFrom(jsonLogger(settings.LOG_LEVEL)));
const { application } = server;

async function prepare(): Promise<ProductFacts> {
  const { text: token } = await application.lifecycle.issueToken({
    email: 'bench@example.com',
    name: 'bench',
    scope: ['*'],
    createUser: true,
  });
  const caller = await application.requests.authenticate(token);
  const price = decimal('100');
  await application.operations.newQuotes(OPERATOR, {
    quotes: [{ stock: 'AAPL:NASDAQ', bid: price, ask: price, last: price }],
  });
  const strategyIds: string[] = [];
  for (let index = 0; index < strategies; index += 1) {
    const { strategy } = await application.operations.newStrategy(caller, {
      type: 'stock',
      name: 'bench',
    });
    strategyIds.push(strategy.id);
  }
  const facts = { port: Number(new URL(server.url).port), token, strategyIds };
  return neighbour ? { ...facts, neighbour: await makeNeighbour() } : facts;
}

/** The number of strategies that fills all channels of a stream, with three for each strategy. */
const OWN_STRATEGIES = 34;
const DEEP = 100;

async function makeNeighbour(): Promise<Neighbour> {
  const { text: token } = await application.lifecycle.issueToken({
    email: 'neighbour@example.com',
    name: 'neighbour',
    scope: ['*'],
    createUser: true,
  });
  const caller = await application.requests.authenticate(token);
  const stocks = await application.operations.findStocks(caller, {
    query: 'a',
    security: 'stock',
    limit: 100,
  });
  const strategyIds: string[] = [];
  for (let index = 0; index < OWN_STRATEGIES; index += 1) {
    const { strategy } = await application.operations.newStrategy(caller, {
      type: 'stock',
      name: 'loud',
    });
    strategyIds.push(strategy.id);
  }
  const orderIds: OrderId[] = [];
  for (let index = 0; index < DEEP; index += 1) {
    const { order } = await application.operations.newOrder(caller, {
      strategyId: strategyIds[0] ?? '',
      stock: 'AAPL:NASDAQ',
      action: 'buy',
      pricing: { type: 'limit', price: decimal('1') },
      size: { by: 'amount', amount: decimal('0.001') },
      dependsOn: orderIds.slice(-1),
    });
    orderIds.push(order.id);
  }
  return { token, strategyIds, orderIds, stockIds: stocks.map(({ stock }) => stock.id) };
}

const facts = await prepare();
answerQuestions({ facts: () => facts, accounts: () => cpuAccounts() }, () => server.close());
