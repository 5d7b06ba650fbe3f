import { setTimeout as pause } from 'node:timers/promises';
import { newFolder } from '../../folder.js';
import type { Hold } from '../../hold/watched-loop.js';
import { benchmark, figureAtMost } from '../../measure/benchmark.js';
import { startProgram } from '../../program.js';
import type { MirroringOptions } from '../../programs/mirroring-server.js';
import { openHandle } from '@slipstream/adapter-sql/testing';

const LONGEST = 600_000;

/** How many bots came into line since that moment, and when the last one did. */
interface InLine {
  readonly count: number;
  readonly last: number;
}

/** Reads from the server's file, so that counting costs the server nothing. */
function watchedFile(path: string) {
  const file = openHandle(path, { readonly: true });
  const inLine = file.prepare<[number], InLine>(
    `SELECT count(*) AS count, max(last_rebalanced_at) AS last FROM bots
     WHERE status = 'running' AND last_rebalanced_at >= ?`,
  );
  return {
    /** When all bots were in line again after that moment. */
    async allInLine(bots: number, since: number): Promise<number> {
      for (const asked = Date.now(); Date.now() - asked < LONGEST; await pause(250)) {
        const found = inLine.get(since);
        if (found && found.count >= bots) return found.last;
      }
      throw new Error('not all bots came into line within ten minutes');
    },
    close: () => file.close(),
  };
}

/** How soon very many bots of one strategy follow its trade, where the broker costs nothing but the work of this process. */
export const manyBots = benchmark(
  'bots',
  [
    {
      what: 'ms from a trade until 10,000 bots of the simulated broker are in line',
      baseline: 'none: the figure itself',
      gate: figureAtMost(8000),
    },
    {
      what: 'longest hold of the event loop meanwhile in ms, without garbage collection',
      baseline: 'none: the figure itself',
      gate: figureAtMost(20),
    },
  ],
  async ({ quick }, tell) => {
    const bots = quick ? 500 : 10_000;
    const folder = newFolder();
    const options: MirroringOptions = { file: folder.file('product.db'), bots, others: 0 };
    tell(`linking and starting ${bots} bots`);
    const product = await startProgram('mirroring-server', JSON.stringify(options));
    const file = watchedFile(options.file);
    await file.allInLine(bots, 0);
    let note = '';
    /** How long it takes, and the CPU of each bot, in milliseconds. */
    const follow = async (percent: string) => {
      const cpu = await product.cpu();
      const begun = await product.ask<number>('trade', percent);
      const last = await file.allInLine(bots, begun);
      return { took: last - begun, cpu: ((await product.cpu()) - cpu) / 1000 / bots };
    };
    return {
      async round() {
        const { took, cpu } = await follow('0.6');
        // Another trade: to watch every turn takes a sixth of the time.
        await product.ask('watch');
        await follow('0.4');
        const hold = await product.ask<Hold>('held');
        note = `bots: ${cpu.toFixed(2)} ms of CPU a bot until it is in line; the longest turn has ${hold.garbage.toFixed(1)} ms of garbage collection`;
        return [{ figure: took }, { figure: hold.held }];
      },
      notes: () => [note],
      async close() {
        file.close();
        await product.end();
        folder.remove();
      },
    };
  },
);
