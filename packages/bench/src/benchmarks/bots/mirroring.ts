import { setTimeout as pause } from 'node:timers/promises';
import { newFolder } from '../../folder.js';
import type { Hold } from '../../hold/watched-loop.js';
import { benchmark, figureAtMost, ratioAtMost } from '../../measure/benchmark.js';
import { type Program, startProgram } from '../../program.js';
import type { AccountsOptions, Asked } from '../../programs/alpaca-accounts.js';
import type { HttpLoadResult } from '../../programs/http-load.js';
import type { MirroringFacts, MirroringOptions } from '../../programs/mirroring-server.js';
import { alertsOf } from '../../requests.js';

const LATENCY = 150;
/** Alerts of others in each second. */
const ALERTS = 50;
const LONGEST = 120_000;

/** Asks until the answer is enough. */
async function until<Answer>(ask: () => Promise<Answer>, isEnough: (answer: Answer) => boolean) {
  const begun = Date.now();
  for (;;) {
    const answer = await ask();
    if (isEnough(answer)) return answer;
    if (Date.now() - begun > LONGEST) throw new Error(`not within two minutes: ${String(answer)}`);
    await pause(100);
  }
}

/** How soon every bot that mirrors a strategy has sent its order, to a broker that takes its time to answer. */
export const mirroring = benchmark(
  'P20',
  [
    {
      what: 'ms from a trade to the last order of 1,000 bots, each at an account that answers in 150 ms',
      baseline: 'none: the figure itself',
      gate: figureAtMost(8000),
    },
    {
      what: 'p99 in ms of the alerts of others meanwhile',
      baseline: 'the same alerts alone',
      gate: ratioAtMost(3),
    },
    {
      what: 'longest hold of the event loop meanwhile in ms, without garbage collection',
      baseline: 'none: the figure itself',
      gate: figureAtMost(20),
    },
  ],
  async ({ quick }, tell) => {
    const bots = quick ? 300 : 1000;
    const folder = newFolder();
    const accounts: AccountsOptions = { accounts: bots, latency: LATENCY };
    const venue = await startProgram('alpaca-accounts', JSON.stringify(accounts));
    const options: MirroringOptions = {
      file: folder.file('product.db'),
      alpacaUrl: await venue.ask<string>('url'),
      bots,
      others: 16,
    };
    tell(`linking and starting ${bots} bots`);
    const product = await startProgram('mirroring-server', JSON.stringify(options));
    const load = await startProgram('http-load');
    const programs: Program[] = [venue, product, load];
    const { port, token, otherIds } = await product.ask<MirroringFacts>('facts');
    const settled = () =>
      until(
        () => product.ask<number>('inLine'),
        (count) => count === bots,
      );
    const asked = () => venue.ask<Asked>('asked');
    const alerts = (seconds: number) =>
      load.ask<HttpLoadResult>('run', {
        port,
        seconds,
        perSecond: ALERTS,
        connections: alertsOf(1, otherIds, token),
      });
    /** Trades; resolves when all bots have sent their order, with the time that it took. */
    const mirror = async (percent: string): Promise<number> => {
      const before = await asked();
      const begun = await product.ask<number>('trade', percent);
      const after = await until(asked, ({ placed }) => placed >= before.placed + bots);
      return after.lastPlacedAt - begun;
    };
    let note = '';
    await settled();
    await alerts(2);
    return {
      async round(number) {
        const [more, less] = number % 2 === 0 ? ['0.6', '0.3'] : ['0.7', '0.4'];
        const cpu = await product.cpu();
        const before = await asked();
        const quiet = await mirror(more);
        await settled();
        const spent = (await product.cpu()) - cpu;
        const { requests } = await asked();
        const alone = await alerts(5);
        await product.ask('watch');
        const meanwhile = alerts(5);
        const last = await mirror(less);
        const hold = await product.ask<Hold>('held');
        const beside = await meanwhile;
        await settled();
        const each = (value: number): string => (value / bots).toFixed(1);
        note = `P20: ${Math.round(quiet)} ms without alerts, ${each(spent / 1000)} ms of CPU and ${each(requests - before.requests)} requests a bot until it is in line again; the longest turn has ${hold.garbage.toFixed(1)} ms of garbage collection, ${beside.refused} alerts were refused`;
        return [
          { figure: last },
          { figure: beside.p99, baseline: alone.p99 },
          { figure: hold.held },
        ];
      },
      notes: () => [note],
      async close() {
        for (const program of programs.reverse()) await program.end();
        folder.remove();
      },
    };
  },
);
