import { benchmark, figureAtMost, ratioAtMost } from '../measure/benchmark.js';
import { makeFullDatabase } from '../baselines/full-database.js';
import { makeUsedDatabase } from '../baselines/used-database.js';
import { newFolder } from '../folder.js';
import { manyStrategies } from '../many-strategies.js';
import { startProgram } from '../program.js';

/** The time until a server with much data serves again. */
export const restart = benchmark(
  'P18',
  [
    {
      what: 'ms from start to serving, 10k strategies of 20 positions',
      baseline: 'stmt.all() of the same tables, decimals parsed',
      gate: ratioAtMost(3),
    },
  ],
  async ({ quick }, tell) => {
    const folder = newFolder();
    const file = folder.file('full.db');
    tell('writing the database');
    makeFullDatabase(file, manyStrategies(quick ? 1000 : 10_000));
    const timed = async (question: 'product' | 'bare'): Promise<number> => {
      const program = await startProgram('restart');
      try {
        return await program.ask<number>(question, file);
      } finally {
        await program.end();
      }
    };
    return {
      round: async () => [{ baseline: await timed('bare'), figure: await timed('product') }],
      close: folder.remove,
    };
  },
);

/** The same with as many strategies as one process holds. */
export const largeRestart = benchmark(
  'P26',
  [
    {
      what: 'ms from start to serving, 100,000 strategies of 20 positions, each with a week of history',
      baseline: 'none: the figure itself',
      gate: figureAtMost(5000),
    },
  ],
  async ({ quick }, tell) => {
    const folder = newFolder();
    const file = folder.file('full.db');
    tell('writing the database');
    makeUsedDatabase(file, manyStrategies(quick ? 1000 : 100_000), Date.now());
    return {
      async round() {
        const program = await startProgram('restart');
        try {
          return [{ figure: await program.ask<number>('product', file) }];
        } finally {
          await program.end();
        }
      },
      close: folder.remove,
    };
  },
);
