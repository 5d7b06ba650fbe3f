import { newFolder } from '../folder.js';
import { benchmark, figureAtMost, ratioAtMost } from '../measure/benchmark.js';
import { mixedServer } from './mixed-server.js';

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
  async (scale, tell) => {
    const folder = newFolder();
    tell('writing the database');
    const server = await mixedServer(scale, folder, 'product');
    let pace = '';
    return {
      async round() {
        const alone = await server.alerts();
        const { alerts, quotesPerSecond } = await server.together();
        pace = `P19: ${Math.round(quotesPerSecond)} quotes a second were accepted beside ${Math.round(alerts.answered / alerts.seconds)} alerts a second`;
        return [{ figure: alerts.p99, baseline: alone.p99 }, { figure: alerts.p99 }];
      },
      notes: () => [pace],
      async close() {
        await server.close();
        folder.remove();
      },
    };
  },
);
