import { makeFullDatabase } from '../baselines/full-database.js';
import type { Folder } from '../folder.js';
import { manyStrategies, strategyIdOf } from '../many-strategies.js';
import type { Scale } from '../measure/benchmark.js';
import { type Program, startProgramIn } from '../program.js';
import type { HttpLoadResult } from '../programs/http-load.js';
import type { ProductFacts, ProductOptions } from '../programs/product-server.js';
import type { QuoteLoad } from '../programs/quote-load.js';
import { alertsOf } from '../requests.js';

const CONNECTIONS = 8;
const WATCHED = 100;

/** The complete product with many strategies, and its loads. */
export interface MixedServer {
  /** A load of alerts, by itself. */
  alerts(connections?: number): Promise<HttpLoadResult>;
  /** The same load while prices move and many clients watch, and how many quotes were accepted a second. */
  together(): Promise<{ readonly alerts: HttpLoadResult; readonly quotesPerSecond: number }>;
  close(): Promise<void>;
}

/** Starts it over a new database, in that environment. */
export async function mixedServer(
  { quick }: Scale,
  folder: Folder,
  name: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<MixedServer> {
  const many = manyStrategies(quick ? 2000 : 10_000);
  const options: ProductOptions = { file: folder.file(`${name}.db`), strategies: 64 };
  makeFullDatabase(options.file, many);
  const product = await startProgramIn(environment, 'product-server', JSON.stringify(options));
  const facts = await product.ask<ProductFacts>('facts');
  const { port, token } = facts;
  const programs: Program[] = [product];
  const start = async (program: string): Promise<Program> => {
    const started = await startProgramIn({}, program);
    programs.push(started);
    return started;
  };
  const [load, quotes] = [await start('http-load'), await start('quote-load')];
  const seconds = quick ? 2 : 8;
  const alerts: MixedServer['alerts'] = (connections = CONNECTIONS) =>
    load.ask<HttpLoadResult>('run', {
      port,
      seconds,
      connections: alertsOf(connections, facts.strategyIds, token),
    });
  await alerts();
  const quoteLoad: QuoteLoad = {
    port,
    stockIds: many.stocks.map(({ id }) => id),
    quotesPerSecond: 1000,
  };
  return {
    alerts,
    async together() {
      const clients = await startProgramIn({}, 'stream-load');
      try {
        await clients.ask('open', {
          port,
          token,
          clients: quick ? 200 : 1000,
          channels: [],
          each: Array.from(
            { length: WATCHED },
            (_, index) => `wsStrategyValue:${strategyIdOf(index)}`,
          ),
        });
        await quotes.ask('start', quoteLoad);
        const answered = await alerts();
        const accepted = await quotes.ask<number>('stop');
        return { alerts: answered, quotesPerSecond: accepted / answered.seconds };
      } finally {
        await clients.end();
      }
    },
    async close() {
      for (const program of programs.reverse()) await program.end();
    },
  };
}
