import { benchmark, ratioAtLeast, ratioAtMost } from '../../measure/benchmark.js';
import { newFolder } from '../../folder.js';
import { startPostgres } from '../../postgres.js';
import { type Program, startProgram } from '../../program.js';
import type { HttpLoadResult } from '../../programs/http-load.js';
import type { ProductFacts, ProductOptions } from '../../programs/product-server.js';
import { alertsOf } from '../../requests.js';

const CONNECTIONS = 64;
const STRATEGIES = 512;
const BASELINE = 'the same server over SQLite with synchronous=FULL';

/** One server over PostgreSQL, which syncs each commit. Its own CPU counts, not that of PostgreSQL. */
export const onPostgres = benchmark(
  'P28',
  [
    {
      what: 'alerts a second over PostgreSQL, 64 connections',
      baseline: BASELINE,
      gate: ratioAtLeast(0.6),
    },
    {
      what: 'CPU us of the server for an alert over PostgreSQL',
      baseline: BASELINE,
      gate: ratioAtMost(1.4),
    },
  ],
  async ({ quick }) => {
    const folder = newFolder();
    const postgres = await startPostgres();
    const load = await startProgram('http-load');
    const start = async (storage: Omit<ProductOptions, 'strategies'>) => {
      const options: ProductOptions = { ...storage, strategies: STRATEGIES };
      const program = await startProgram('product-server', JSON.stringify(options));
      const { port, token, strategyIds } = await program.ask<ProductFacts>('facts');
      const connections = alertsOf(CONNECTIONS, strategyIds, token);
      return {
        ...program,
        loaded: (seconds: number) => on(program, { port, seconds, connections }),
      };
    };
    const on = async (program: Program, asked: object) => {
      const before = await program.cpu();
      const result = await load.ask<HttpLoadResult>('run', asked);
      if (result.refused > 0) throw new Error(`${result.refused}: ${result.firstRefusal}`);
      const cpu = ((await program.cpu()) - before) / result.answered;
      return { rate: result.answered / result.seconds, cpu };
    };
    const sqlite = await start({ file: folder.file('product.db') });
    const other = await start({ file: '', database: postgres.url });
    for (const one of [sqlite, other]) await one.loaded(quick ? 0.5 : 3);
    const seconds = quick ? 1 : 5;
    return {
      async round(number) {
        const before = number % 2 === 0 ? undefined : await other.loaded(seconds);
        const baseline = await sqlite.loaded(seconds);
        const figure = before ?? (await other.loaded(seconds));
        return [
          {
            ...{ figure: figure.rate, baseline: baseline.rate },
            cpu: { figure: figure.cpu, baseline: baseline.cpu },
          },
          { figure: figure.cpu, baseline: baseline.cpu },
        ];
      },
      async close() {
        for (const one of [load, other, sqlite, postgres]) await one.end();
        folder.remove();
      },
    };
  },
);
