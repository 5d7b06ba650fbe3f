import { newFolder } from '../folder.js';
import { benchmark, ratioAtLeast, ratioAtMost } from '../measure/benchmark.js';
import type { HttpLoadResult } from '../programs/http-load.js';
import { slowSyncs } from '../slow-sync.js';
import { type MixedServer, mixedServer } from './mixed-server.js';

/** Milliseconds that a sync takes: of a disk that waits for its plates or its network, and of a quick one. */
const SLOW = 5;
const QUICK = 0.2;

const BASELINE = `the same with an fsync of ${QUICK} ms`;

const rateOf = ({ answered, seconds }: HttpLoadResult): number => answered / seconds;

/** What a slow fsync costs. Both servers sync for as long as they are told, so that the machine's own disk counts for nothing. */
export const slowDisk = benchmark(
  'P27',
  [
    {
      what: `alerts a second, 64 connections, with an fsync of ${SLOW} ms`,
      baseline: BASELINE,
      gate: ratioAtLeast(0.9),
    },
    {
      what: `P19's p99 of an alert in ms with an fsync of ${SLOW} ms`,
      baseline: BASELINE,
      gate: ratioAtMost(3),
    },
  ],
  async (scale, tell) => {
    const folder = newFolder();
    const servers: MixedServer[] = [];
    const close = async (): Promise<void> => {
      for (const server of servers) await server.close();
      folder.remove();
    };
    try {
      const environment = slowSyncs(folder);
      tell('writing two databases');
      const open = async (name: string, milliseconds: number): Promise<MixedServer> => {
        const server = await mixedServer(scale, folder, name, environment(milliseconds));
        servers.push(server);
        return server;
      };
      const [slow, quick] = [await open('slow', SLOW), await open('quick', QUICK)];
      // Until both are compiled.
      for (const server of servers) await server.alerts(64);
      const measured = async (server: MixedServer) => ({
        rate: rateOf(await server.alerts(64)),
        p99: (await server.together()).alerts.p99,
      });
      return {
        async round(number) {
          const isSlowFirst = number % 2 === 1;
          const first = await measured(isSlowFirst ? slow : quick);
          const second = await measured(isSlowFirst ? quick : slow);
          const [figure, baseline] = isSlowFirst ? [first, second] : [second, first];
          return [
            { figure: figure.rate, baseline: baseline.rate },
            { figure: figure.p99, baseline: baseline.p99 },
          ];
        },
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  },
);
