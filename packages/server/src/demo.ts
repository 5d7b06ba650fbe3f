import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { makePrivateFolder } from '@slipstream/adapter-sql';
import type { Application, Caller } from '@slipstream/application';
import { ONLY_BY_NAME, Refusal, decimal } from '@slipstream/domain';

/** The data of the demo that a newcomer needs. The tokens belong to users that exist only in the demo. */
export interface Demo {
  readonly ownerToken: string;
  readonly followerToken: string;
  readonly strategyId: string;
  readonly botId: string;
}

/** The owner's first allocation, as fractions of the strategy's value. */
const ALLOCATIONS = [
  { stock: 'AAPL:NASDAQ', percent: decimal('0.3') },
  { stock: 'MSFT:NASDAQ', percent: decimal('0.3') },
  { stock: 'JPM:NYSE', percent: decimal('0.2') },
];

/** Creates a user without a password, and a token with every scope. */
async function demoUser(
  app: Application,
  email: string,
): Promise<{ readonly caller: Caller; readonly token: string }> {
  const { text } = await app.lifecycle.issueToken({
    email,
    name: 'demo',
    scope: ['*', ...ONLY_BY_NAME],
    createUser: true,
  });
  return { caller: await app.requests.authenticate(text), token: text };
}

/** How long the demo waits for its first quotes, in milliseconds, and how often it looks. */
const [PATIENCE, EVERY] = [10_000, 50];

/** Does the work as soon as its stocks are quoted: a storage in memory is ready before the market has quoted all of them. */
async function onceQuoted<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let waited = 0; ; waited += EVERY) {
    try {
      return await work();
    } catch (error) {
      const isEarly = error instanceof Refusal && error.code === 'quote_unavailable';
      if (!isEarly || waited >= PATIENCE) throw error;
      await pause(EVERY);
    }
  }
}

/** Creates an owner with a strategy of three stocks, and a follower; each has a running bot. */
async function makeDemo(app: Application): Promise<Demo> {
  const tag = randomBytes(3).toString('hex');
  const owner = await demoUser(app, `demo-owner-${tag}@example.com`);
  const follower = await demoUser(app, `demo-follower-${tag}@example.com`);
  const { strategy } = await app.operations.newStrategy(owner.caller, {
    type: 'stock',
    name: 'Demo: three large companies',
    description: 'Made by the demo. Prices are simulated.',
    categories: ['demo'],
  });
  await onceQuoted(() =>
    app.operations.newOrderAllocations(owner.caller, {
      strategyId: strategy.id,
      allocations: ALLOCATIONS,
    }),
  );
  await app.operations.newStrategySubscription(follower.caller, {
    strategyId: strategy.id,
    inputValue: decimal('10000'),
  });
  const startBot = async (caller: Caller) => {
    const bot = await app.operations.newBot(caller, {
      type: 'stock',
      broker: 'simulated',
      name: 'Demo bot',
      allocations: [{ strategyId: strategy.id, percent: decimal('1') }],
      notifications: ['start', 'stop', 'warning', 'error'],
      credentials: { starting_balance: '10000' },
    });
    return app.operations.startBot(caller, { botId: bot.id });
  };
  const bot = await startBot(follower.caller);
  // The dashboard, which the link opens as the owner, shows how a bot follows.
  await startBot(owner.caller);
  return {
    ownerToken: owner.token,
    followerToken: follower.token,
    strategyId: strategy.id,
    botId: bot.id,
  };
}

/** The demo in the file, if it belongs to this database: the file may be left over from another one. */
async function findDemo(app: Application, file: string): Promise<Demo | undefined> {
  if (!existsSync(file)) return undefined;
  const demo = JSON.parse(readFileSync(file, 'utf8')) as Demo;
  try {
    await app.requests.authenticate(demo.followerToken);
    const owner = await app.requests.authenticate(demo.ownerToken);
    const found = await app.operations.getStrategies(owner, { strategyIds: [demo.strategyId] });
    return found.length > 0 ? demo : undefined;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The demo of a database. */
interface OpenDemo extends Demo {
  /** Whether this start made it. */
  readonly isNew: boolean;
  /** Whether the next start finds it: not in memory. */
  readonly isKept: boolean;
}

/** The demo of this database: created at the first start, loaded at later ones. */
export async function openDemo(app: Application, file: string | undefined): Promise<OpenDemo> {
  const known = file === undefined ? undefined : await findDemo(app, file);
  if (known) return { ...known, isNew: false, isKept: true };
  const demo = await makeDemo(app);
  if (file === undefined) return { ...demo, isNew: true, isKept: false };
  makePrivateFolder(dirname(file));
  writeFileSync(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  return { ...demo, isNew: true, isKept: true };
}

/** The text that the demo prints: addresses, tokens, and three commands to paste. */
export function demoGuide(
  demo: OpenDemo,
  of: {
    readonly url: string;
    readonly notice: string | null;
    /** The folder of mails, where no server sends them. */
    readonly outbox: string | undefined;
    /** How this program is called. */
    readonly program: string;
  },
): string {
  const { url, notice, outbox, program } = of;
  const alert = JSON.stringify({
    strategy_id: demo.strategyId,
    stock_id: 'NVDA:NASDAQ',
    action: 'buy',
    leverage: 0.4,
    pyramiding: 2,
    api_token: demo.ownerToken,
  });
  return `
Slipstream is running${demo.isNew ? '' : ' again, with everything as it was left'}.

  Open      ${url}/strategies/${demo.strategyId}#token=${demo.ownerToken}

  REST      ${url}
  Streams   ${url.replace(/^http/, 'ws')}/ws
  Docs      ${url}/docs
  Guide     ${url}/guide
${outbox === undefined ? '' : `  Mails     are files in ${outbox}\n`}${notice === null ? '' : `  Prices    ${notice}\n`}
  Strategy  ${demo.strategyId}  (owned by the demo owner, followed by the demo follower)
  Bot       ${demo.botId}  (mirrors it into a simulated brokerage account of 10,000 USD)
  Owner's token     ${demo.ownerToken}
  Follower's token  ${demo.followerToken}

Three things to paste into another terminal, in this folder:

  1. Watch the strategy's value and orders live:
     ${program} watch --url ${url} --token ${demo.ownerToken} wsStrategyValue:${demo.strategyId} wsOrders:${demo.strategyId}

  2. Send an alert, as a charting platform would (again for the second step; "action":"sell" reverses, "close" closes all):
     curl -s -X POST ${url}/newOrderWebhook -H 'Content-Type: application/json' -d '${alert}'

  3. See how the bot mirrored it into the brokerage account:
     curl -s '${url}/getBotAccount?bot_id=${demo.botId}' -H 'Authorization: ${demo.followerToken}'

Ctrl-C stops; ${demo.isKept ? 'the next start goes on from here' : 'all of it is in memory and ends then'}.
`;
}
