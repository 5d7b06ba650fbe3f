import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { Caller } from '@slipstream/application';
import { type StrategyId, decimal } from '@slipstream/domain';
import { makeFullDatabase } from '../baselines/full-database.js';
import { type CoreAlone, inFlight, openCore, priced } from '../core-alone.js';
import { cpuOf, heapNow } from '../measure/cpu.js';
import { newFolder } from '../folder.js';
import { aStock, stockIdOf } from '../many-strategies.js';
import type { Dimension } from './dimension.js';
import { medianOf } from './median-of.js';

const STOCKS = 5;
/** The most active bots of one user (contract 4). */
const BOTS_A_USER = 10;
const IN_FLIGHT = 64;
const CHECK_EVERY = 60_000;

/** The mirrored strategy and its owner. */
interface Mirrored {
  readonly owner: Caller;
  readonly strategyId: StrategyId;
}

async function newCaller({ application }: CoreAlone, name: string): Promise<Caller> {
  const email = `${name}@example.com`;
  const { text } = await application.lifecycle.issueToken({
    email,
    name,
    scope: ['*'],
    createUser: true,
  });
  return application.requests.authenticate(text);
}

/** The first stock's weight in the strategy; it rises and falls in turn. */
async function trade(core: CoreAlone, { owner, strategyId }: Mirrored, share: string) {
  await core.application.operations.newOrderAllocations(owner, {
    strategyId,
    allocations: Array.from({ length: STOCKS }, (_, index) => ({
      stock: stockIdOf(index),
      percent: decimal(index === 0 ? share : '0.15'),
    })),
  });
}

/** Runs bots until none is due. */
async function settle(core: CoreAlone): Promise<void> {
  const due = () => core.unitOfWork.read(({ bots }) => bots.due(core.clock.now(), 1, 'well'));
  while ((await due()).length > 0) await core.application.background.runBots();
}

/** Creates the bots from one number to another: each follower of the strategy has 10 bots, each with its own account. */
async function startBots(
  core: CoreAlone,
  { strategyId }: Mirrored,
  from: number,
  end: number,
): Promise<void> {
  const { application } = core;
  await inFlight((end - from) / BOTS_A_USER, IN_FLIGHT, async (index) => {
    const caller = await newCaller(core, `follower-${from + index * BOTS_A_USER}`);
    await application.operations.newStrategySubscription(caller, { strategyId });
    for (let bot = 0; bot < BOTS_A_USER; bot += 1) {
      const { id: botId } = await application.operations.newBot(caller, {
        type: 'stock',
        broker: 'simulated',
        allocations: [{ strategyId, percent: decimal('1') }],
      });
      await application.operations.startBot(caller, { botId });
    }
  });
  await settle(core);
}

/** Trades, and resolves when every bot that mirrors the strategy is due. */
async function wake(core: CoreAlone, mirrored: Mirrored, share: string, size: number) {
  let awake = 0;
  await new Promise<void>((resolve, reject) => {
    const stop = core.events.subscribe(({ kind }) => {
      if (kind === 'bot_changed') awake += 1;
      if (awake < size) return;
      stop();
      resolve();
    });
    trade(core, mirrored, share).catch(reject);
  });
}

/** The longest time in milliseconds during `work` in which nothing else could run. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await work();
  // Lets the watching timer run once more.
  for (let turns = 0; turns < 3; turns += 1) await turn();
  delays.disable();
  return delays.max / 1e6;
}

export const bots: Dimension = {
  id: 'bots',
  title: 'bots that mirror one strategy of 5 stocks',
  sizes: [100, 1000, 10_000],
  quickSizes: [100, 300],
  costs: [
    {
      name: "a bot's cycle after a trade",
      unit: 'CPU us',
      grows: 'not',
      why: 'each bot reads its own account and places its own orders',
    },
    {
      name: 'a round of checks, none trades',
      unit: 'CPU s',
      grows: 'in proportion',
      why: 'every bot compares its account once a minute',
    },
    {
      name: "a trade's hold of the event loop",
      unit: 'ms',
      grows: 'not',
      why: 'its bots are made due 25 at a time, and others get their turn in between',
    },
    {
      name: 'the heap of a bot',
      unit: 'bytes',
      grows: 'not',
      why: 'it is a row of the database; memory keeps little but tokens that were used',
    },
  ],
  async measure(size, { quick, rounds }, tell) {
    const folder = newFolder();
    try {
      const file = folder.file('bots.db');
      const stocks = Array.from({ length: STOCKS }, (_, index) => aStock(index));
      makeFullDatabase(file, { stocks, books: [] });
      const core = await openCore(file);
      await core.quote(stocks.map(({ id }) => priced(id, '100')));
      const owner = await newCaller(core, 'owner');
      const { strategy } = await core.application.operations.newStrategy(owner, {
        type: 'stock',
        name: 'mirrored',
      });
      const mirrored: Mirrored = { owner, strategyId: strategy.id };
      await trade(core, mirrored, '0.2');
      // The first bots also load code. Only their heap is excluded.
      await startBots(core, mirrored, 0, BOTS_A_USER);
      const before = heapNow();
      tell('making the bots');
      await startBots(core, mirrored, BOTS_A_USER, size);
      const heap = (heapNow() - before) / (size - BOTS_A_USER);

      const costs = await medianOf(quick ? 1 : rounds, async (round) => {
        tell(`round ${round + 1}`);
        const share = round % 2 === 0 ? '0.3' : '0.2';
        let held = NaN;
        const cycles = await cpuOf(async () => {
          held = await longestHold(() => wake(core, mirrored, share, size));
          await settle(core);
        });
        core.clock.advance(CHECK_EVERY);
        const checks = await cpuOf(() => settle(core));
        return [cycles / size, checks / 1e6, held];
      });
      await core.close();
      return [...costs, heap];
    } finally {
      folder.remove();
    }
  },
};
