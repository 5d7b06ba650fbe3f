import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fixedClock, silentLog, testSecrets } from '@slipstream/adapter-memory/testing';
import { type RunningServer, openServer, readSettings } from '@slipstream/server';
import type BetterSqlite from 'better-sqlite3';
import { openReader, openWriter } from '../../adapter-sql/src/storage/connection.js';
import { sqlUnitOfWork } from '../../adapter-sql/src/storage/unit-of-work.js';
import { makeFullDatabase } from '../src/baselines/full-database.js';
import { newFolder } from '../src/folder.js';
import { BEATS } from '../src/hold/held.js';
import { INQUIRED, type Sent, type Things, largestRequest } from '../src/hold/largest-request.js';
import { makeWhale } from '../src/hold/make-whale.js';
import type { Much } from '../src/hold/whale.js';
import { manyStrategies } from '../src/many-strategies.js';
import { OPERATOR_TOKEN } from '../src/requests.js';

/** A piece of a long list (500 rows), and a work's first uses, which see one moment of the market (100). */
const MOST = 600;

/** More of everything than that, but of what has a cap below it. */
const MUCH: Much = {
  strategies: 4,
  followers: 700,
  openOrders: 700,
  following: 500,
  posts: 700,
  notifications: 700,
  alerts: 700,
  tokens: 98,
  invoices: 700,
  days: 91,
};

/** Statements, and rows that they answer, one after another without a rest: `now` and the most so far. */
const run = { now: 0, most: 0 };
const counted = (units: number): void => {
  run.now += units;
  run.most = Math.max(run.most, run.now);
};

/** Each statement that was executed since the start. */
const executed = new Map<string, unknown[]>();

/** A connection whose statements and rows are counted. */
const counting = (handle: BetterSqlite.Database): BetterSqlite.Database =>
  new Proxy(handle, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...given: unknown[]) => unknown;
      if (name !== 'prepare') return method;
      return (sql: string) => countingStatement(sql, method(sql) as object);
    },
  });

const countingStatement = (sql: string, statement: object): object =>
  new Proxy(statement, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...given: unknown[]) => unknown;
      return (...given: unknown[]) => {
        const answer = method(...given);
        executed.set(sql, given);
        counted(1 + (Array.isArray(answer) ? answer.length : 0));
        return answer;
      };
    },
  });

const folder = newFolder();
const file = folder.file('whale.db');
const now = Date.now();
let server: RunningServer;
let things: Things;
let token: string;

/** The longest run of each work, by its name. */
const longest = new Map<string, number>();
const longestRunOf = async (work: () => Promise<unknown>): Promise<number> => {
  [run.now, run.most] = [0, 0];
  await work();
  return run.most;
};

async function send({ method, path, auth, body }: Sent): Promise<number> {
  const sent = auth === 'body' ? { ...body, api_token: token } : body;
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...(auth !== 'none' && {
        authorization: `Bearer ${auth === 'operator' ? OPERATOR_TOKEN : token}`,
      }),
      ...(sent && { 'content-type': 'application/json' }),
    },
    ...(sent && { body: JSON.stringify(sent) }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

beforeAll(async () => {
  const much = manyStrategies(1_000);
  makeFullDatabase(file, much);
  const filled = sqlUnitOfWork({ writer: openWriter(file) });
  const whale = await makeWhale(filled, 0, MUCH, now);
  await filled.close();
  let looks = 0;
  const unitOfWork = sqlUnitOfWork({
    writer: counting(openWriter(file)),
    openReader: () => counting(openReader(file)),
    // Everything takes long, so every rest that there may be is taken.
    time: { now: () => (looks += 10), wait: async () => undefined },
    turn: async () => {
      run.now = 0;
    },
  });
  const settings = readSettings({
    PORT: '0',
    MARKET: 'push',
    TRADING_HOURS: 'always',
    OPERATOR_TOKEN,
    DATABASE_URL: 'memory:',
    QUOTE_FRESH_SECONDS: '86400',
    SECRET_KEY: 'the master key of a measured database',
    CONFIRM_EMAIL: 'off',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'reads=100000000,writes=100000000,alerts=100000000,failures=100000000',
  });
  const { passwords } = testSecrets();
  const timers = { every: () => () => undefined };
  server = await openServer(settings, silentLog(), {
    ...{ unitOfWork, passwords, timers },
    clock: fixedClock(now),
  });
  const scope = ['*', 'newWithdrawal', 'newPaymentSource', 'deletePaymentSource'];
  const member = { email: whale.email, name: 'all', scope, createUser: false };
  token = (await server.application.lifecycle.issueToken(member)).text;
  executed.clear();
  things = { ...whale, botIds: ['none', 'none', 'none'], stocks: much.stocks.length };
  for (const beat of BEATS)
    longest.set(beat, await longestRunOf(() => server.application.background[beat]()));
  for (const name of INQUIRED)
    longest.set(name, await longestRunOf(() => send(largestRequest(name, things))));
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

describe('a transaction of the largest size', () => {
  it.each(BEATS)('rests: %s', (beat) => {
    expect(longest.get(beat)).toBeLessThanOrEqual(MOST);
  });

  it.each(INQUIRED)('rests: %s of a user with all that the caps allow', (name) => {
    expect(longest.get(name)).toBeLessThanOrEqual(MOST);
  });
});

/** Tables that the service itself keeps small, and indexes that hold no other rows than the wanted. */
const SHORT = [
  ...['migrations', 'broker_accounts'],
  ...['strategies USING INDEX ends_under_way', 'stock_actions USING INDEX stock_actions_pending'],
  ...['mails USING INDEX mails_failed', 'invoices USING INDEX invoices_failed'],
  'withdrawals USING INDEX withdrawals_failed',
  'endpoint_events USING INDEX unaddressed_events',
];

/** How SQLite executes a statement, line by line. */
const planOf = ([statement, given]: [string, unknown[]]): readonly string[] => {
  if (!/^(?:select|insert|update|delete|with)\b/iu.test(statement)) return [];
  const reader = openReader(file);
  const plan = reader.prepare(`EXPLAIN QUERY PLAN ${statement}`).all(...given);
  reader.close();
  return (plan as { readonly detail: string }[]).map(({ detail }) => detail);
};

describe('a statement of these transactions', () => {
  it('walks no table or index from end to end', () => {
    const walked = new Set(SHORT.map((name) => `SCAN ${name}`));
    const walks = [...executed].flatMap((one) =>
      planOf(one)
        .filter((line) => line.startsWith('SCAN') && !walked.has(line))
        .map((line) => `${line}: ${one[0]}`),
    );
    expect(executed.size).toBeGreaterThan(100);
    expect(walks).toEqual([]);
  });
});
