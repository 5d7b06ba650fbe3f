import { benchmark, ratioAtMost } from '../../measure/benchmark.js';
import { type BenchNode, openNodes } from '../../nodes.js';
import { startProgram } from '../../program.js';
import type { HttpLoadResult } from '../../programs/http-load.js';
import { alertsOf } from '../../requests.js';

const CONNECTIONS = 32;

/** What it costs that a server which does not own the database takes an alert. */
export const forwarding = benchmark(
  'P30',
  [
    {
      what: 'CPU us of both servers for a forwarded alert, 32 connections',
      baseline: 'the same alerts at the server that owns the database',
      gate: ratioAtMost(1.15),
    },
  ],
  async ({ quick }) => {
    const nodes = await openNodes(256);
    const load = await startProgram('http-load');
    const owner = await nodes.start();
    await nodes.quote(owner);
    const other = await nodes.start();
    const connections = alertsOf(CONNECTIONS, nodes.facts.strategyIds, nodes.facts.token);
    const cpu = async (): Promise<number> => (await owner.cpu()) + (await other.cpu());
    const cost = async ({ port }: BenchNode, seconds: number): Promise<number> => {
      const before = await cpu();
      const result = await load.ask<HttpLoadResult>('run', { port, seconds, connections });
      if (result.refused > 0) throw new Error(`${result.refused}: ${result.firstRefusal}`);
      return ((await cpu()) - before) / result.answered;
    };
    for (const node of [owner, other]) await cost(node, quick ? 0.5 : 3);
    const seconds = quick ? 1 : 5;
    return {
      async round(number) {
        const [first, second] = number % 2 === 0 ? [owner, other] : [other, owner];
        const costs = new Map([
          [first, await cost(first, seconds)],
          [second, await cost(second, seconds)],
        ]);
        const [figure = NaN, baseline = NaN] = [costs.get(other), costs.get(owner)];
        return [{ figure, baseline, cpu: { figure, baseline } }];
      },
      async close() {
        await load.end();
        await nodes.close();
      },
    };
  },
);
