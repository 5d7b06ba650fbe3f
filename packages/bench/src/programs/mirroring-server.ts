import type { Caller } from '@slipstream/application';
import { decimal } from '@slipstream/domain';
import { tuneGarbageCollector, openServer, readSettings } from '@slipstream/server';
import { accountKey } from '../account-key.js';
import { inFlight } from '../core-alone.js';
import { watchLoop } from '../hold/watched-loop.js';
import { answerQuestions } from '../program.js';
import { OPERATOR_TOKEN } from '../requests.js';
import { SECRET_KEY } from '../secret-key.js';

export interface MirroringOptions {
  readonly file: string;
  /** The stand-in of Alpaca; the bots have accounts at the simulated broker without it. */
  readonly alpacaUrl?: string;
  readonly bots: number;
  /** Strategies that nobody mirrors, for alerts of others. */
  readonly others: number;
}

export interface MirroringFacts {
  readonly port: number;
  readonly token: string;
  readonly otherIds: readonly string[];
}

/** The most active bots of one user (contract 4). */
const BOTS_A_USER = 10;
const IN_FLIGHT = 32;
const AAPL = 'AAPL:NASDAQ';
const OPERATOR: Caller = { kind: 'operator' };

/** The complete server, with bots that mirror one strategy into accounts of their own. */
const { file, alpacaUrl, bots, others } = JSON.parse(process.argv[2] ?? '{}') as MirroringOptions;
const settings = readSettings({
  PORT: '0',
  MARKET: 'push',
  TRADING_HOURS: 'always',
  OPERATOR_TOKEN,
  DATABASE_URL: `sqlite:${file}`,
  QUOTE_FRESH_SECONDS: '86400',
  SECRET_KEY,
  CONFIRM_EMAIL: 'off',
  LOG_LEVEL: 'error',
  ...(alpacaUrl === undefined
    ? { BROKERS: 'simulated' }
    : { BROKERS: 'alpaca_paper', ALPACA_PAPER_URL: alpacaUrl }),
  RATE_LIMITS: 'reads=100000000,writes=100000000,alerts=100000000,failures=100000000',
  CAPS: 'strategies=100000,alerts=100000000',
});
const log = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields: object, text: string) => console.error(text, fields),
};
tuneGarbageCollector();
const server = await openServer(settings, log);
const { application } = server;

async function newCaller(name: string) {
  const { text } = await application.lifecycle.issueToken({
    email: `${name}@example.com`,
    name,
    scope: ['*'],
    createUser: true,
  });
  return { text, caller: await application.requests.authenticate(text) };
}

const [bid, ask] = [decimal('199.98'), decimal('200.02')];
await application.operations.newQuotes(OPERATOR, {
  quotes: [{ stock: AAPL, bid, ask, last: ask }],
});
const { text: token, caller: owner } = await newCaller('owner');
const newStrategy = async (): Promise<string> =>
  (await application.operations.newStrategy(owner, { type: 'stock', name: 'bench' })).strategy.id;
const mirrored = await newStrategy();
const otherIds: string[] = [];
for (let index = 0; index < others; index += 1) otherIds.push(await newStrategy());

/** The mirrored strategy's share in its stock. Answers when it began. */
async function trade(percent: string): Promise<number> {
  const now = Date.now();
  await application.operations.newOrderAllocations(owner, {
    strategyId: mirrored,
    allocations: [{ stock: AAPL, percent: decimal(percent) }],
  });
  return now;
}

await trade('0.3');
const followers: Caller[] = [];
await inFlight(Math.ceil(bots / BOTS_A_USER), IN_FLIGHT, async (user) => {
  const { caller } = await newCaller(`follower-${user}`);
  followers.push(caller);
  await application.operations.newStrategySubscription(caller, { strategyId: mirrored });
  for (let own = 0; own < BOTS_A_USER && user * BOTS_A_USER + own < bots; own += 1) {
    const { id: botId } = await application.operations.newBot(caller, {
      type: 'stock',
      ...(alpacaUrl === undefined
        ? { broker: 'simulated' }
        : { broker: 'alpaca_paper', credentials: accountKey(user * BOTS_A_USER + own) }),
      allocations: [{ strategyId: mirrored, percent: decimal('1') }],
    });
    await application.operations.startBot(caller, { botId });
  }
});

/** The bots that are in line with their target. */
async function inLine(): Promise<number> {
  let count = 0;
  for (const caller of followers) {
    const all = await application.operations.getBots(caller, {});
    count += all.filter(({ status }) => status === 'running').length;
  }
  return count;
}

let watched: ReturnType<typeof watchLoop> | undefined;
answerQuestions(
  {
    facts: (): MirroringFacts => ({ port: Number(new URL(server.url).port), token, otherIds }),
    trade,
    inLine,
    watch: () => {
      globalThis.gc?.();
      watched = watchLoop();
    },
    held: () => watched?.end(),
  },
  () => server.close(),
);
