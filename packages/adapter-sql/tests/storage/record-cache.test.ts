import { afterAll, describe, expect, it } from '@jest/globals';
import { type BotId, type HaltId, MINUTE, type StrategyId, decimal, id } from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import {
  NOON,
  aBook,
  aBot,
  aBotOrder,
  aBucket,
  aFilledOrder,
  aHalt,
  aStrategy,
  aSubscription,
  aToken,
  anAccountBucket,
  filled,
} from '@slipstream/port-contracts';
import type BetterSqlite from 'better-sqlite3';
import fc from 'fast-check';
import { openReader, openWriter } from '../../src/storage/connection.js';
import { migrate } from '../../src/migrations/migrate.js';
import { type RecordCache, recordCache } from '../../src/storage/record-cache.js';
import { sqlUnitOfWork } from '../../src/storage/unit-of-work.js';
import { noCache } from './no-cache.js';
import { temporaryPaths } from './temporary-folder.js';

/** How many times more than `npm test` asks for; `npm run verify` says 60. */
const MORE = Number(process.env['TEST_RUNS'] ?? 1);

const newPath = temporaryPaths();
const STRATEGIES = [0, 1];
const TOKENS = [0, 1, 2];
const MINUTES = [0, 1, 2, 3];

/** The next turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A storage of which commits can be made to fail, and transactions to be lost. */
function faulty(records: RecordCache) {
  const path = newPath();
  const handle = openWriter(path);
  handle.pragma('synchronous = OFF');
  migrate(handle);
  let commitFails = false;
  const writer = {
    get inTransaction() {
      return handle.inTransaction;
    },
    prepare(sql: string) {
      const statement = handle.prepare(sql);
      if (sql !== 'COMMIT') return statement;
      const run = () => {
        if (!commitFails) return statement.run();
        commitFails = false;
        throw Object.assign(new Error('the disk is full'), { code: 'SQLITE_FULL' });
      };
      return { run };
    },
    close: () => handle.close(),
  } as unknown as BetterSqlite.Database;
  // By a clock that stands still: on a slow machine a turn more in one of the two would make another story of it.
  const time = { now: () => 0, wait: turn };
  const storage = sqlUnitOfWork({ writer, openReader: () => openReader(path), records, time });
  return {
    ...storage,
    failCommit: (fails: boolean) => void (commitFails = fails),
    loseTransaction: () => void handle.exec('ROLLBACK'),
  };
}
type Faulty = ReturnType<typeof faulty>;

const cached = faulty(recordCache());
/** One record of each large kind, so that the others are read again all the time. */
const small = faulty(recordCache({ books: 1, strategies: 1, bots: 1, newestTrades: 1 }));
const plain = faulty(noCache);
afterAll(async () => {
  await cached.close();
  await small.close();
  await plain.close();
});

/** Each run of the property has strategies, tokens and a user of its own. */
const namesOf = (run: number) => ({
  strategy: (n: number): StrategyId => id(`strategy-${run}-${n}`),
  token: (n: number) => aToken({ id: id(`token-${run}-${n}`), userId: id(`user-${run}`) }),
  bot: (n: number): BotId => id(`bot-${run}-${n}`),
  halt: (n: number): HaltId => id(`halt-${run}-${n}`),
  user: id<'user'>(`user-${run}`),
});
type Names = ReturnType<typeof namesOf>;

const strategy = fc.constantFrom(...STRATEGIES);
const figure = fc.integer({ min: 1, max: 3 });
const token = fc.constantFrom(...TOKENS);
const minute = fc.constantFrom(...MINUTES);

const write = fc.oneof(
  fc.record({ do: fc.constant('save token' as const), token, figure }),
  fc.record({ do: fc.constant('remove token' as const), token }),
  fc.record({ do: fc.constant('save strategy' as const), strategy, figure }),
  fc.record({ do: fc.constant('save bucket' as const), strategy, minute, figure }),
  fc.record({
    do: fc.constant('remove buckets' as const),
    strategy,
    minutes: fc.uniqueArray(minute, { maxLength: 2 }),
  }),
  fc.record({ do: fc.constant('add entry' as const), strategy }),
  fc.record({
    do: fc.constant('save subscription' as const),
    strategy,
    figure,
    status: fc.constantFrom('active' as const, 'cancelled' as const),
  }),
  fc.record({ do: fc.constant('save book' as const), strategy, figure }),
  fc.record({ do: fc.constant('fill an order' as const), strategy }),
  fc.record({ do: fc.constant('save bot' as const), bot: strategy, strategy, figure }),
  fc.record({ do: fc.constant('wake bot' as const), bot: strategy, figure }),
  fc.record({ do: fc.constant('remove bot' as const), bot: strategy }),
  fc.record({
    do: fc.constant('save order of bot' as const),
    bot: strategy,
    minute,
    status: fc.constantFrom('new' as const, 'open' as const, 'filled' as const),
  }),
  fc.record({ do: fc.constant('save account' as const), bot: strategy, minute, figure }),
  fc.record({ do: fc.constant('remove accounts' as const), bot: strategy, minute }),
  fc.record({ do: fc.constant('save broker account' as const), bot: strategy, figure }),
  fc.record({ do: fc.constant('split' as const), minute, figure }),
  fc.record({ do: fc.constant('halt' as const), bot: strategy, figure }),
  fc.record({ do: fc.constant('resume' as const), figure }),
);
const look = fc.oneof(
  fc.record({ do: fc.constant('find' as const), strategy, token }),
  fc.record({ do: fc.constant('read beside' as const), strategy, token }),
);
const fault = fc.oneof(
  fc.record({ do: fc.constant('throw' as const) }),
  fc.record({ do: fc.constant('fail commit' as const) }),
  fc.record({ do: fc.constant('lose transaction' as const) }),
);
const step = fc.oneof(
  { weight: 6, arbitrary: write },
  { weight: 5, arbitrary: look },
  { weight: 2, arbitrary: fault },
);
type Valued<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;
type Step = Valued<typeof step>;
type Write = Valued<typeof write>;
const work = fc.array(step, { minLength: 1, maxLength: 4 });

/** What begins together: works and, among them, reads that may outlive their commit. */
const moment = fc.record({
  works: fc.array(work, { minLength: 1, maxLength: 4 }),
  reads: fc.array(fc.record({ strategy, token, turns: fc.nat(3) }), { maxLength: 2 }),
});

/** All that is cached, of one strategy and one token. */
const find = async (stores: ReadStores, names: Names, strategy: number, token: number) => {
  const strategyId = names.strategy(strategy);
  return {
    token: await stores.tokens.findByDigest(names.token(token).digest),
    strategy: await stores.strategies.find(strategyId),
    last: await stores.valueHistory.last(strategyId),
    head: await stores.track.head(strategyId),
    subscribers: await stores.subscriptions.countSubscribers([strategyId]),
    book: await stores.books.find(strategyId),
    trades: await stores.trades.list(strategyId, { limit: 3 }),
    bot: await stores.bots.find(names.bot(strategy)),
    mirrors: await stores.bots.mirroring(strategyId),
    halts: await stores.halts.on({ scope: 'bot', target: names.bot(strategy) }),
    outstanding: await stores.botOrders.outstanding(names.bot(strategy)),
    late: await stores.botOrders.since(names.bot(strategy), NOON + token * MINUTE),
    lastAccount: await stores.botHistory.last(names.bot(strategy)),
    brokerAccount: await stores.brokerAccounts.find(names.bot(strategy)),
    subscription: await stores.subscriptions.findCurrent(strategyId, id(`user-${token}`)),
    splits: await stores.stockActions.lastSplits(),
    newestAction: await stores.stockActions.newest(),
  };
};

const findAll = async (stores: ReadStores, names: Names) => {
  const found = [];
  for (const n of TOKENS) found.push(await find(stores, names, n % STRATEGIES.length, n));
  return [
    found,
    await stores.strategies.list(STRATEGIES.map(names.strategy)),
    await stores.valueHistory.lastOfEach(STRATEGIES.map(names.strategy)),
    await stores.tokens.listOf(names.user),
  ];
};

async function perform(stores: Stores, names: Names, step: Write): Promise<void> {
  switch (step.do) {
    case 'save token':
      return stores.tokens.save({ ...names.token(step.token), name: `name ${step.figure}` });
    case 'remove token':
      return stores.tokens.remove(names.token(step.token).id);
    case 'save strategy': {
      const strategyId = names.strategy(step.strategy);
      const name = `name ${step.figure}`;
      return stores.strategies.save(aStrategy({ id: strategyId, productId: strategyId, name }));
    }
    case 'save bucket': {
      const start = NOON + step.minute * MINUTE;
      const bucket = aBucket({ start, last: decimal(String(step.figure)) });
      return stores.valueHistory.save(names.strategy(step.strategy), bucket);
    }
    case 'remove buckets': {
      const starts = step.minutes.map((n) => NOON + n * MINUTE);
      return stores.valueHistory.remove(names.strategy(step.strategy), starts);
    }
    case 'add entry': {
      const strategyId = names.strategy(step.strategy);
      const { seq, hash } = (await stores.track.head(strategyId)) ?? { seq: 0, hash: '' };
      const link = { seq: seq + 1, previousHash: hash, hash: `hash ${seq + 1}` };
      return stores.track.save({ strategyId, kind: 'value', at: NOON, body: '', ...link });
    }
    case 'save subscription': {
      const strategyId = names.strategy(step.strategy);
      const { status } = step;
      const key = { id: id<'subscription'>(`${strategyId}-${step.figure}`), strategyId };
      const userId = id<'user'>(`user-${step.figure}`);
      return stores.subscriptions.save(aSubscription({ ...key, userId, status }));
    }
    case 'save book': {
      const strategyId = names.strategy(step.strategy);
      const stored = await stores.books.find(strategyId);
      const version = stored ? stored.version + 1 : 0;
      const cash = decimal(String(step.figure));
      return stores.books.save(aBook({ strategyId, version, cash }), []);
    }
    case 'fill an order': {
      const strategyId = names.strategy(step.strategy);
      const stored = await stores.books.find(strategyId);
      const version = stored ? stored.version + 1 : 0;
      const order = aFilledOrder({ id: id(`${strategyId}-${version}`), strategyId });
      const fills = stored ? [filled(order)] : [];
      return stores.books.save(aBook({ strategyId, version }), fills);
    }
    case 'save bot': {
      const strategyId = names.strategy(step.strategy);
      const percent = decimal(`0.${step.figure}`);
      return stores.bots.save(
        aBot({ id: names.bot(step.bot), allocations: [{ strategyId, percent }] }),
      );
    }
    case 'wake bot': {
      const bot = await stores.bots.find(names.bot(step.bot));
      return bot && stores.bots.save({ ...bot, nextRunAt: NOON + step.figure });
    }
    case 'remove bot':
      return stores.bots.remove(names.bot(step.bot));
    case 'save order of bot': {
      const createdAt = NOON + step.minute * MINUTE;
      const botId = names.bot(step.bot);
      const { status } = step;
      return stores.botOrders.save(
        aBotOrder({ id: id(`${botId}-${step.minute}`), botId, status, createdAt }),
      );
    }
    case 'save account': {
      const start = NOON + step.minute * MINUTE;
      const equity = decimal(String(step.figure));
      return stores.botHistory.save(names.bot(step.bot), anAccountBucket({ start, equity }));
    }
    case 'remove accounts':
      return stores.botHistory.remove(names.bot(step.bot), [NOON + step.minute * MINUTE]);
    case 'save broker account':
      // The last one is too long to be kept.
      return stores.brokerAccounts.save(names.bot(step.bot), 'x'.repeat(step.figure * 3_000));
    case 'split': {
      const createdAt = NOON + step.minute * MINUTE;
      const actionId = id<'stock_action'>(`${names.user}-${step.minute}`);
      return stores.stockActions.save({
        id: actionId,
        stockId: id(`stock-${step.figure}`),
        kind: 'split',
        figure: decimal('2'),
        newShares: null,
        oldShares: null,
        status: 'done',
        createdAt,
      });
    }
    case 'halt':
      return stores.halts.save(
        aHalt({ id: names.halt(step.figure), scope: 'bot', target: names.bot(step.bot) }),
      );
    case 'resume':
      return stores.halts.remove(names.halt(step.figure));
  }
}

const outcomes = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)));

/** All that works and reads of the moment are answered. */
async function live(storage: Faulty, names: Names, { works, reads }: Valued<typeof moment>) {
  const beside: Promise<unknown>[] = [];
  const read = (strategy: number, token: number, turns: number) =>
    storage.read(async (stores) => {
      // The moment of a read is that of its first statement: here it is the same with and without what is in memory.
      await stores.users.find(id('nobody'));
      const before = await find(stores, names, strategy, token);
      for (let n = 0; n < turns; n += 1) await turn();
      return [before, await find(stores, names, strategy, token)];
    });
  const doWork = (steps: readonly Step[]) =>
    storage.run(async (stores) => {
      const found: unknown[] = [];
      for (const step of steps) {
        if (step.do === 'find') found.push(await find(stores, names, step.strategy, step.token));
        else if (step.do === 'read beside') beside.push(read(step.strategy, step.token, 1));
        else if (step.do === 'throw') throw new Error('no');
        else if (step.do === 'fail commit') storage.failCommit(true);
        else if (step.do === 'lose transaction') storage.loseTransaction();
        else await perform(stores, names, step);
      }
      return found;
    });
  const asked = works.map(doWork);
  const reading = reads.map(({ strategy, token, turns }) => read(strategy, token, turns));
  const answers = outcomes(await Promise.allSettled([...asked, ...reading]));
  answers.push(outcomes(await Promise.allSettled(beside)));
  storage.failCommit(false);
  answers.push(await storage.read((stores) => findAll(stores, names)));
  return answers;
}

/** Everything that is kept in memory of the first strategy and the first token: what is looked for then needs no statement. */
const everything: Valued<typeof moment> = {
  works: [
    [
      { do: 'save token', token: 0, figure: 1 },
      { do: 'save strategy', strategy: 0, figure: 1 },
      { do: 'add entry', strategy: 0 },
      { do: 'save book', strategy: 0, figure: 1 },
    ],
  ],
  reads: [],
};

/** A work that lost its transaction went on from memory, and did what comes after a look. */
const goesOnAfterLoss: Valued<typeof moment> = {
  works: [
    [
      { do: 'lose transaction' },
      { do: 'find', strategy: 0, token: 0 },
      { do: 'read beside', strategy: 0, token: 0 },
    ],
  ],
  reads: [],
};

describe('records in memory', () => {
  it('equal the tables after any concurrent saves, rollbacks and reads', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { minLength: 1, maxLength: 8 }), async (moments) => {
        runs += 1;
        const names = namesOf(runs);
        for (const each of [everything, ...moments]) {
          const told = await live(plain, names, each);
          expect(await live(cached, names, each)).toEqual(told);
          expect(await live(small, names, each)).toEqual(told);
        }
      }),
      { numRuns: 32 * MORE, examples: [[[goesOnAfterLoss]]] },
    );
  });

  describe('of a bucket that was saved without a read', () => {
    const names = namesOf(0);
    const strategyId = names.strategy(0);
    const last = () => cached.read(({ valueHistory }) => valueHistory.last(strategyId));

    it('do not come from a concurrent reader', async () => {
      const beside: Promise<unknown>[] = [];
      await cached.run(async ({ valueHistory }) => {
        await valueHistory.save(strategyId, aBucket());
        beside.push(last());
        await beside[0];
      });
      expect(await Promise.all(beside)).toEqual([undefined]);
      expect(await last()).toEqual(aBucket());
    });

    it('do not come from a transaction that was rolled back', async () => {
      const other = names.strategy(1);
      const taken = cached.run(async ({ valueHistory }) => {
        await valueHistory.save(other, aBucket());
        expect(await valueHistory.last(other)).toEqual(aBucket());
        throw new Error('no');
      });
      await expect(taken).rejects.toThrow('no');
      expect(await cached.read(({ valueHistory }) => valueHistory.last(other))).toBeUndefined();
    });
  });

  it('that a commit took back are read again, and the others of their kind wait for no commit', () => {
    const records = recordCache();
    const [first, second] = [records.openGroup(), records.openGroup()];
    first.written('books', 'kept', aBook());
    first.promote(1);
    second.written('books', 'taken back', aBook());
    second.promote(2);
    second.forget();
    const seen: number[] = [];
    const read = records.forRead(
      () => true,
      (commit) => seen.push(commit),
    );
    expect([read.get('books', 'kept'), read.get('books', 'taken back')]).toEqual([
      aBook(),
      undefined,
    ]);
    expect(seen).not.toContain(2);
  });
});
