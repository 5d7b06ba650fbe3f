import { benchmark, figureAtMost, ratioAtMost } from '../measure/benchmark.js';
import { makeFullDatabase } from '../baselines/full-database.js';
import { newFolder } from '../folder.js';
import { manyStrategies, strategyIdOf } from '../many-strategies.js';
import { type Program, startProgram } from '../program.js';
import type { HttpLoadResult } from '../programs/http-load.js';
import type { ProductFacts, ProductOptions } from '../programs/product-server.js';
import type { QuoteLoad } from '../programs/quote-load.js';
import { alertsOf } from '../requests.js';

const CONNECTIONS = 8;
const WATCHED = 100;

/** The latency of an alert while prices move and many clients watch. */
export const mixed = benchmark(
  'P19',
  [
    {
      what: 'p99 of an alert in ms while 1,000 quotes/s x 200 holders and 1,000 ws clients run',
      baseline: 'the same alerts alone',
      gate: ratioAtMost(3),
    },
    {
      what: 'the same p99 in ms',
      baseline: 'a tenth of the 3 s that charting platforms wait',
      gate: figureAtMost(300),
    },
  ],
  async ({ quick }, tell) => {
    const folder = newFolder();
    const many = manyStrategies(quick ? 2000 : 10_000);
    const options: ProductOptions = { file: folder.file('product.db'), strategies: 64 };
    tell('writing the database');
    makeFullDatabase(options.file, many);
    const product = await startProgram('product-server', JSON.stringify(options));
    const facts = await product.ask<ProductFacts>('facts');
    const programs: Program[] = [product];
    const start = async (name: string): Promise<Program> => {
      const program = await startProgram(name);
      programs.push(program);
      return program;
    };
    const [load, quotes] = [await start('http-load'), await start('quote-load')];
    const seconds = quick ? 2 : 8;
    const alerts = () =>
      load.ask<HttpLoadResult>('run', {
        port: facts.port,
        seconds,
        connections: alertsOf(CONNECTIONS, facts.strategyIds, facts.token),
      });
    await alerts();
    const quoteLoad: QuoteLoad = {
      port: facts.port,
      stockIds: many.stocks.map(({ id }) => id),
      quotesPerSecond: 1000,
    };
    let pace = '';
    return {
      async round() {
        const alone = await alerts();
        const clients = await startProgram('stream-load');
        try {
          await clients.ask('open', {
            port: facts.port,
            token: facts.token,
            clients: quick ? 200 : 1000,
            channels: [],
            each: Array.from(
              { length: WATCHED },
              (_, index) => `wsStrategyValue:${strategyIdOf(index)}`,
            ),
          });
          await quotes.ask('start', quoteLoad);
          const together = await alerts();
          const accepted = await quotes.ask<number>('stop');
          pace = `P19: ${Math.round(accepted / together.seconds)} quotes a second were accepted beside ${Math.round(together.answered / together.seconds)} alerts a second`;
          return [{ figure: together.p99, baseline: alone.p99 }, { figure: together.p99 }];
        } finally {
          await clients.end();
        }
      },
      notes: () => [pace],
      async close() {
        for (const program of programs.reverse()) await program.end();
        folder.remove();
      },
    };
  },
);
