import { benchmark, figureAtMost, ratioAtMost } from '../measure/benchmark.js';
import { makeFullDatabase } from '../baselines/full-database.js';
import { makeUsedDatabase } from '../baselines/used-database.js';
import { newFolder } from '../folder.js';
import { manyStrategies } from '../many-strategies.js';
import { startProgram } from '../program.js';
import type { Restarted } from '../programs/restart.js';

/** What a program of its own measures of the file. */
async function asked<Answer>(question: 'product' | 'bare', file: string): Promise<Answer> {
  const program = await startProgram('restart');
  try {
    return await program.ask<Answer>(question, file);
  } finally {
    await program.end();
  }
}

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
    return {
      round: async () => [
        {
          baseline: await asked<number>('bare', file),
          figure: (await asked<Restarted>('product', file)).started,
        },
      ],
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
    {
      what: 'ms from the stop to the end of the same, amid the work of its first minute',
      baseline: 'none: the figure itself',
      gate: figureAtMost(1000),
    },
  ],
  async ({ quick }, tell) => {
    const folder = newFolder();
    const file = folder.file('full.db');
    tell('writing the database');
    makeUsedDatabase(file, manyStrategies(quick ? 1000 : 100_000), Date.now());
    return {
      async round() {
        const { started, ended } = await asked<Restarted>('product', file);
        return [{ figure: started }, { figure: ended }];
      },
      close: folder.remove,
    };
  },
);
