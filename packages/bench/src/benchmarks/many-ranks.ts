import { makeSampledDatabase, makeUsedDatabase } from '../baselines/used-database.js';
import { newFolder } from '../folder.js';
import { manyStrategies } from '../many-strategies.js';
import { benchmark, figureAtMost } from '../measure/benchmark.js';
import { type Program, startProgram } from '../program.js';
import type { RankedMinute } from '../programs/ranks-core.js';

const ITSELF = 'none: the figure itself';
const MILLION = 1e6;
/** Minutes in which each kind of bucket leaves a window at least once. */
const MINUTES = 16;
/** Minutes after which the program is compiled: with few strategies the first ones cost two to four times as much. */
const COMPILED = 6;

/** A core in a process of its own, over strategies that were in use. */
async function openRanked(size: number, makeDatabase = makeUsedDatabase) {
  const folder = newFolder();
  const file = folder.file('ranked.db');
  const many = manyStrategies(size);
  makeDatabase(file, many);
  const program: Program = await startProgram('ranks-core');
  await program.ask('open', file);
  let count = 0;
  /** CPU seconds of the ranks, after this share of the stocks got a new price. */
  const minute = (share: number): Promise<number> => {
    count += 1;
    const moved = Math.ceil(share * many.stocks.length);
    const price = (100 + (count % 7) / 4).toFixed(2);
    return program.ask('minute', { moved, price } satisfies RankedMinute);
  };
  // The first minute also does the work of once an hour and of once after a start.
  await minute(1);
  return {
    minute,
    program,
    async close() {
      await program.end();
      folder.remove();
    },
  };
}

/** What the ranks cost, by how many values moved. */
export const manyRanks = benchmark(
  'P22',
  [
    {
      what: 'CPU s a minute to rank 1,000 strategies, all values moved',
      baseline: ITSELF,
      gate: figureAtMost(0.05),
    },
    {
      what: 'CPU s a minute to rank 100,000 strategies, all values moved',
      baseline: ITSELF,
      gate: figureAtMost(3),
    },
    {
      what: 'CPU s a minute to rank 100,000 strategies, one stock of 2,000 moved',
      baseline: ITSELF,
      gate: figureAtMost(1),
    },
    {
      what: 'CPU us a minute to rank a strategy that was sampled each minute for a year, mean of 16 minutes',
      baseline: ITSELF,
      gate: figureAtMost(100),
    },
  ],
  async ({ quick }, tell) => {
    tell('writing the databases');
    const few = await openRanked(quick ? 100 : 1000);
    for (let minute = 0; minute < COMPILED; minute += 1) await few.minute(1);
    const many = await openRanked(quick ? 1000 : 100_000);
    const count = quick ? 20 : 200;
    const sampled = await openRanked(count, makeSampledDatabase);
    const sampledMinutes = async (): Promise<number> => {
      let seconds = 0;
      for (let minute = 0; minute < MINUTES; minute += 1) seconds += await sampled.minute(1);
      return (seconds * MILLION) / count / MINUTES;
    };
    return {
      round: async () => [
        { figure: await few.minute(1) },
        { figure: await many.minute(1) },
        { figure: await many.minute(1 / 2000) },
        { figure: await sampledMinutes() },
      ],
      async close() {
        await few.close();
        await many.close();
        await sampled.close();
      },
    };
  },
);

/** What a process holds that has ranked once. */
export const manyResident = benchmark(
  'P25',
  [
    {
      what: 'resident MB with 100,000 strategies of 20 positions, sampled and ranked, after a garbage collection',
      baseline: ITSELF,
      gate: figureAtMost(1000),
    },
  ],
  async ({ quick }, tell) => ({
    async round() {
      tell('writing the database');
      const many = await openRanked(quick ? 1000 : 100_000);
      try {
        return [{ figure: (await many.program.ask<number>('memory')) / MILLION }];
      } finally {
        await many.close();
      }
    },
    close: () => undefined,
  }),
);
