import { newFolder } from '../../folder.js';
import { costOnTwoCores } from '../../measure/accounts.js';
import { type Sample, benchmark, ratioAtLeast } from '../../measure/benchmark.js';
import { type Program, startProgram } from '../../program.js';
import type { FanOutOptions, Publishing } from '../../programs/fan-out-server.js';
import type { HttpLoadResult } from '../../programs/http-load.js';
import type { ProductFacts, ProductOptions } from '../../programs/product-server.js';
import { alertsOf } from '../../requests.js';

const FRONTS = 2;
const CONNECTIONS = 64;
const STRATEGIES = 512;
const BASELINE = 'the same server in one process';

/** A server with its load; `work` does pieces of work and counts them. */
interface Side {
  readonly server: Program;
  work(seconds: number): Promise<number>;
  end(): Promise<void>;
}

async function alerts(file: string, fronts: number): Promise<Side> {
  const options: ProductOptions = { file, strategies: STRATEGIES, fronts };
  const server = await startProgram('product-server', JSON.stringify(options));
  const load = await startProgram('http-load');
  const { port, strategyIds, token } = await server.ask<ProductFacts>('facts');
  const connections = alertsOf(CONNECTIONS, strategyIds, token);
  return {
    server,
    async work(seconds) {
      const { answered, refused, firstRefusal } = await load.ask<HttpLoadResult>('run', {
        ...{ port, seconds, connections },
      });
      if (refused > 0) throw new Error(`${refused} refused: ${firstRefusal}`);
      return answered;
    },
    async end() {
      await load.end();
      await server.end();
    },
  };
}

/** Events of one window; the next one begins when all clients have got them. */
const UPDATES = 48;

async function fanOut(clients: number, fronts: number): Promise<Side> {
  const options: FanOutOptions = { fronts };
  const server = await startProgram('fan-out-server', JSON.stringify(options));
  const load = await startProgram('stream-load');
  const facts = await server.ask<{ readonly channels: readonly string[] }>('facts');
  await load.ask('open', { ...facts, channels: facts.channels.slice(0, 1), clients });
  return {
    server,
    async work(seconds) {
      const begun = performance.now();
      let frames = 0;
      while (performance.now() - begun < seconds * 1000) {
        const arrived = load.ask('frames', clients * UPDATES);
        await server.ask('publish', { updates: UPDATES, burst: 1 } satisfies Publishing);
        await arrived;
        frames += clients * UPDATES;
      }
      return frames;
    },
    async end() {
      await load.end();
      await server.end();
    },
  };
}

/** Pieces a second that two free cores would allow, by the CPU that one takes in each process. */
async function capacity({ server, work }: Side, seconds: number): Promise<number> {
  const before = await server.ask<number[]>('accounts');
  const pieces = await work(seconds);
  return 1e6 / costOnTwoCores(before, await server.ask<number[]>('accounts'), pieces);
}

/** What processes that take the clients' connections add on two free cores, by CPU accounts: the load needs a core too. */
export const fronts = benchmark(
  'P21',
  [
    {
      what: 'alerts a second that two cores allow, two fronts, 64 connections',
      baseline: BASELINE,
      gate: ratioAtLeast(1.5),
    },
    {
      what: 'deliveries a second that two cores allow, two fronts, 1,000 clients',
      baseline: BASELINE,
      gate: ratioAtLeast(1.7),
    },
  ],
  async ({ quick }) => {
    const folder = newFolder();
    const clients = quick ? 200 : 1000;
    const opened: Side[] = [];
    const open = async (side: Promise<Side>): Promise<Side> => {
      opened.push(await side);
      return side;
    };
    const pairs = [
      {
        many: await open(alerts(folder.file('fronts.db'), FRONTS)),
        one: await open(alerts(folder.file('one.db'), 0)),
      },
      { many: await open(fanOut(clients, FRONTS)), one: await open(fanOut(clients, 0)) },
    ];
    const seconds = quick ? 1 : 5;
    for (const { work } of opened) await work(seconds / 2);
    return {
      async round(number) {
        const samples: Sample[] = [];
        for (const { many, one } of pairs) {
          const sides = number % 2 === 0 ? [many, one] : [one, many];
          const found = new Map<Side, number>();
          for (const side of sides) found.set(side, await capacity(side, seconds));
          samples.push({ figure: found.get(many) ?? NaN, baseline: found.get(one) ?? NaN });
        }
        return samples;
      },
      async close() {
        for (const { end } of opened.reverse()) await end();
        folder.remove();
      },
    };
  },
);
