import { benchmark, figureAtMost } from '../../measure/benchmark.js';
import { median } from '../../measure/statistics.js';
import { answered, openNodes } from '../../nodes.js';

const BASELINE = 'the longest time between two answers of another server';

/** How long nobody answers for the strategies of a server that ends; each round kills one and stops one. */
export const failover = benchmark(
  'P29',
  [
    { what: 'ms without an answer after a kill, lease 2 s, median', limit: 3_000 },
    { what: 'ms without an answer after a kill, lease 2 s, worst', limit: 6_000 },
    { what: 'ms without an answer after a planned stop, worst', limit: 1_000 },
  ].map(({ what, limit }) => ({ what, baseline: BASELINE, gate: figureAtMost(limit) })),
  async ({ quick }) => {
    const nodes = await openNodes(quick ? 16 : 256);
    const { strategyIds, token } = nodes.facts;
    const path = `/getPositions?strategy_id=${strategyIds[0]}`;
    const headers = { authorization: `Bearer ${token}` };
    let owner = await nodes.start();
    let other = await nodes.start();
    const [kills, stops]: [number[], number[]] = [[], []];
    /** The longest time without an answer of the other one; then a new one is its follower. */
    const gap = async (end: () => Promise<void>): Promise<number> => {
      await answered(other, path, { headers });
      let longest = 0;
      let last = performance.now();
      let isOver = false;
      const ended = end().then(() => (isOver = true));
      for (let isLast = false; !isLast;) {
        isLast = isOver;
        await answered(other, path, { headers });
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
      }
      await ended;
      owner = other;
      other = await nodes.start();
      return longest;
    };
    return {
      async round() {
        kills.push(await gap(() => owner.kill()));
        stops.push(await gap(() => owner.end()));
        const [killed = NaN, stopped = NaN] = [kills.at(-1), stops.at(-1)];
        return [{ figure: killed }, { figure: killed }, { figure: stopped }];
      },
      judged: () => [
        { figure: median(kills) },
        { figure: Math.max(...kills) },
        { figure: Math.max(...stops) },
      ],
      notes: () => [`P29: after kills ${told(kills)} ms; after planned stops ${told(stops)} ms`],
      close: nodes.close,
    };
  },
);

const told = (all: readonly number[]): string => all.map((one) => one.toFixed(0)).join(', ');
