import type { Application, Caller } from '@slipstream/application';
import { testSecrets } from '@slipstream/adapter-memory/testing';
import { decimal } from '@slipstream/domain';
import { tuneGarbageCollector, openServer, readSettings } from '@slipstream/server';
import { makeFullDatabase } from '../baselines/full-database.js';
import { openCore } from '../core-alone.js';
import type { Beat, HeldFacts, HeldOptions } from '../hold/held.js';
import { watchLoop } from '../hold/watched-loop.js';
import { makeWhale } from '../hold/make-whale.js';
import { A_TENTH, AT_THE_CAPS, type Whale } from '../hold/whale.js';
import { manyStrategies } from '../many-strategies.js';
import { answerQuestions } from '../program.js';
import { OPERATOR_TOKEN } from '../requests.js';
import { SECRET_KEY } from '../secret-key.js';

const OPERATOR: Caller = { kind: 'operator' };
/** The number of quotes in one call at the start. */
const BATCH = 1_000;

/** The complete server with whales in its database. It starts no background work by itself. */
const { file, strategies, whales: count, quick } = JSON.parse(process.argv[2] ?? '') as HeldOptions;

async function fill(): Promise<Whale[]> {
  const much = manyStrategies(strategies);
  makeFullDatabase(file, much);
  const core = await openCore(file);
  const whales: Whale[] = [];
  for (let number = 0; number < count; number += 1)
    whales.push(
      await makeWhale(core.unitOfWork, number, quick ? A_TENTH : AT_THE_CAPS, Date.now()),
    );
  await core.close();
  return whales;
}

async function asMember(
  application: Application,
  whale: Whale,
): Promise<HeldFacts['whales'][number]> {
  const { email, strategyIds } = whale;
  const { text: token } = await application.lifecycle.issueToken({
    email,
    name: 'bench',
    scope: ['*', 'newWithdrawal', 'newPaymentSource', 'deletePaymentSource', 'deleteWithdrawal'],
    createUser: false,
  });
  const caller = await application.requests.authenticate(token);
  const botIds: string[] = [];
  for (let bot = 0; bot < 9; bot += 1) {
    const made = await application.operations.newBot(caller, {
      type: 'stock',
      broker: 'simulated',
      allocations: strategyIds
        .slice(0, 20)
        .map((strategyId) => ({ strategyId, percent: decimal('0.05') })),
      credentials: { starting_balance: '10000' },
    });
    botIds.push(made.id);
  }
  return { ...whale, token, botIds };
}

const made = await fill();
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
  RATE_LIMITS: 'reads=100000000,writes=100000000,alerts=100000000,failures=100000000',
  CONNECTION_LIMITS: 'total=100000,address=100000,streams=100000,user=100000,anonymous=100000',
});
const { passwords } = testSecrets();
const log = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields: object, text: string) => console.error(text, fields),
};
tuneGarbageCollector();
const server = await openServer(settings, log, {
  passwords,
  timers: { every: () => () => undefined },
});
const { application } = server;

async function facts(): Promise<HeldFacts> {
  const { stocks } = manyStrategies(strategies);
  const price = decimal('100');
  for (let from = 0; from < stocks.length; from += BATCH)
    await application.operations.newQuotes(OPERATOR, {
      quotes: stocks
        .slice(from, from + BATCH)
        .map(({ id }) => ({ stock: id, bid: price, ask: price, last: price })),
    });
  const whales: HeldFacts['whales'][number][] = [];
  for (const whale of made) whales.push(await asMember(application, whale));
  return { port: Number(new URL(server.url).port), stocks: stocks.length, whales };
}

const known = await facts();
let watched: ReturnType<typeof watchLoop> | undefined;
answerQuestions(
  {
    facts: () => known,
    watch: () => {
      globalThis.gc?.();
      watched = watchLoop();
    },
    held: () => watched?.end(),
    beat: (beat: Beat) => application.background[beat](),
  },
  () => server.close(),
);
