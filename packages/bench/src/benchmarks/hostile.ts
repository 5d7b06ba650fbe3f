import { benchmark, ratioAtMost } from '../measure/benchmark.js';
import { newFolder } from '../folder.js';
import { startProgram } from '../program.js';
import type { HostileLoad, HostileResult } from '../programs/hostile-load.js';
import type { HttpLoadResult } from '../programs/http-load.js';
import type { ProductFacts, ProductOptions } from '../programs/product-server.js';
import { alertsOf } from '../requests.js';

const CONNECTIONS = 8;

/** The latency of an alert while another user does the worst that the limits allow. */
export const hostile = benchmark(
  'hostile',
  [
    {
      what: 'p99 of an alert in ms while a hostile user has silent sockets, streams, guesses, lists, exports, chains and refusals',
      baseline: 'the same alerts alone',
      gate: ratioAtMost(3),
    },
  ],
  async ({ quick }, tell) => {
    const folder = newFolder();
    const options: ProductOptions = {
      file: folder.file('product.db'),
      strategies: 64,
      neighbour: true,
    };
    tell('starting the server with its own limits');
    const product = await startProgram('product-server', JSON.stringify(options));
    const { port, token, strategyIds, neighbour } = await product.ask<ProductFacts>('facts');
    if (!neighbour) throw new Error('the server has no hostile user');
    const load = await startProgram('http-load');
    const seconds = quick ? 2 : 10;
    const connections = alertsOf(CONNECTIONS, strategyIds, token);
    const alerts = () => load.ask<HttpLoadResult>('run', { port, seconds, connections });
    const worst: HostileLoad = {
      port,
      ...neighbour,
      silentSockets: quick ? 100 : 900,
      streams: 100,
      guesses: quick ? 100 : 1_100,
    };
    await alerts();
    let note = '';
    return {
      async round() {
        const alone = await alerts();
        const attack = await startProgram('hostile-load');
        try {
          await attack.ask('start', worst);
          const together = await alerts();
          const { opened, released, streams, channels, statuses } =
            await attack.ask<HostileResult>('stop');
          const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
          note = `hostile: ${opened} silent sockets, ${released} of them released, ${streams} streams of ${channels} channels, ${counts.join(', ')}; ${together.refused} alerts refused`;
          return [{ figure: together.p99, baseline: alone.p99 }];
        } finally {
          await attack.end();
        }
      },
      notes: () => [note],
      async close() {
        await load.end();
        await product.end();
        folder.remove();
      },
    };
  },
);
