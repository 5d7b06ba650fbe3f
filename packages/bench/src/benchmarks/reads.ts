import { benchmark, ratioAtLeast } from '../measure/benchmark.js';
import { newFolder } from '../folder.js';
import { type Program, startProgram } from '../program.js';
import type { HttpLoadResult } from '../programs/http-load.js';
import type { ProductFacts, ProductOptions } from '../programs/product-server.js';
import { got } from '../requests.js';

/** The request for a list as a client sends it to show the list. */
export const reads = benchmark(
  'P17',
  [
    {
      what: 'GET /getStrategies of 100 ids, answers a CPU-second',
      baseline: 'stock express, 2 kysely queries + stringify',
      gate: ratioAtLeast(4),
    },
  ],
  async ({ quick }) => {
    const folder = newFolder();
    const options: ProductOptions = { file: folder.file('product.db'), strategies: 100 };
    const product = await startProgram('product-server', JSON.stringify(options));
    const facts = await product.ask<ProductFacts>('facts');
    const baseline = await startProgram('express-reads', options.file);
    const load = await startProgram('http-load');
    const query = facts.strategyIds.map((id) => `strategy_id%5B%5D=${id}`).join('&');
    const request = got(`/getStrategies?${query}`, facts.token);
    const port = await baseline.ask<number>('port');
    for (const each of [port, facts.port]) {
      const answer = await fetch(`http://127.0.0.1:${each}/getStrategies?${query}`);
      const { response } = (await answer.json()) as { readonly response: readonly unknown[] };
      if (response.length !== facts.strategyIds.length)
        throw new Error(
          `${response.length} strategies were answered of ${facts.strategyIds.length}`,
        );
    }
    const cpuOf = async (server: Program, port: number): Promise<number> => {
      const before = await server.cpu();
      const { answered, refused, firstRefusal } = await load.ask<HttpLoadResult>('run', {
        port,
        seconds: quick ? 1 : 4,
        connections: Array.from({ length: 8 }, () => [request]),
      });
      if (refused > 0) throw new Error(firstRefusal);
      return ((await server.cpu()) - before) / answered;
    };
    return {
      async round() {
        const other = await cpuOf(baseline, port);
        const figure = await cpuOf(product, facts.port);
        return [{ figure: 1e6 / figure, baseline: 1e6 / other, cpu: { figure, baseline: other } }];
      },
      async close() {
        for (const program of [load, baseline, product]) await program.end();
        folder.remove();
      },
    };
  },
);
