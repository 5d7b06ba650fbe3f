import {
  type Benchmark,
  type Line,
  type Sample,
  type Scale,
  benchmark,
  figureAtMost,
  ratioAtLeast,
  ratioAtMost,
} from '../measure/benchmark.js';
import { type Program, startProgram } from '../program.js';

interface Facts {
  readonly port: number;
  readonly token: string;
  readonly channels: readonly string[];
  /** Events of a strategy to which the clients do not subscribe; only the product's server has them. */
  readonly otherChannel?: string;
}

const CLIENTS = 1000;
const FIRST = 500;
const RAW = 'raw ws: for (client) send(text)';

/** A server and its clients, each in its own process. */
interface Side {
  readonly server: Program;
  readonly load: Program;
  readonly facts: Facts;
  readonly clients: number;
  end(): Promise<void>;
}

async function openSide(program: string, clients: number, channels?: number): Promise<Side> {
  const [server, load] = await Promise.all([startProgram(program), startProgram('stream-load')]);
  const end = async () => {
    await load.end();
    await server.end();
  };
  try {
    const facts = await server.ask<Facts>('facts');
    const subscribed = { ...facts, channels: facts.channels.slice(0, channels) };
    if (clients > 0) await load.ask('open', { ...subscribed, clients });
    return { server, load, facts: subscribed, clients, end };
  } catch (error) {
    await end();
    throw error;
  }
}

interface Delivered {
  /** Delivered frames per second. */
  readonly rate: number;
  /** The server's CPU microseconds for each frame. */
  readonly cpu: number;
}

/** Publishes for this long, in windows: the next window starts when the last one has arrived completely. */
async function deliver(
  { server, load, clients }: Side,
  seconds: number,
  burst: number,
  text: string,
  beside = 0,
): Promise<Delivered> {
  const updates = 8 * 6;
  const [begun, cpu] = [performance.now(), await server.cpu()];
  let frames = 0;
  while (performance.now() - begun < seconds * 1000) {
    const arrived = load.ask('frames', clients * updates);
    await server.ask('publish', { updates, burst, text, beside });
    await arrived;
    frames += clients * updates;
  }
  return {
    rate: (frames * 1000) / (performance.now() - begun),
    cpu: ((await server.cpu()) - cpu) / frames,
  };
}

const compared = (figure: Delivered, baseline: Delivered): Sample => ({
  figure: figure.rate,
  baseline: baseline.rate,
  cpu: { figure: figure.cpu, baseline: baseline.cpu },
});

const fanOutBenchmark = (id: string, line: Omit<Line, 'benchmark'>, burst: number): Benchmark =>
  benchmark(id, [line], async ({ quick }) => {
    const clients = quick ? 200 : CLIENTS;
    const product = await openSide('fan-out-server', clients, 1);
    const raw = await openSide('raw-broadcast', clients);
    const seconds = quick ? 1 : 5;
    await deliver(product, seconds / 4, burst, '');
    const text = await product.load.ask<string>('text');
    await deliver(raw, seconds / 4, burst, text);
    return {
      async round() {
        const baseline = await deliver(raw, seconds, burst, text);
        return [compared(await deliver(product, seconds, burst, ''), baseline)];
      },
      notes: () => [`${id}: an event has ${Buffer.byteLength(text)} bytes`],
      async close() {
        await product.end();
        await raw.end();
      },
    };
  });

const slowConsumer = benchmark(
  'P15',
  [
    {
      what: 'deliveries a second to the others while 1 client stalls for 30 s',
      baseline: 'the same without it',
      gate: ratioAtLeast(0.9),
    },
    {
      what: 'most bytes that waited for the stalled client',
      baseline: 'contract 6: at most 1 MiB',
      gate: figureAtMost(1024 * 1024),
    },
  ],
  async ({ quick }) => {
    const product = await openSide('fan-out-server', quick ? 200 : CLIENTS, 1);
    const { server, load, facts } = product;
    const seconds = quick ? 4 : 30;
    // Only the stalled client gets this much more, because the buffers of the system take some MiB before any byte waits.
    const beside = quick ? 32 : 10;
    const connections = () => server.ask<number>('connections');
    await deliver(product, 0.5, 1, '');
    return {
      async round() {
        const baseline = await deliver(product, seconds / 3, 1, '', beside);
        const others = await connections();
        await load.ask('stall', { ...facts, clients: 1, channels: [facts.otherChannel] });
        await server.ask('fullest');
        const figure = await deliver(product, seconds, 1, '', beside);
        const waited = await server.ask<number>('fullest');
        if ((await connections()) > others)
          throw new Error(`too little came for the stalled client: at most ${waited} bytes waited`);
        await load.ask('unstall');
        return [compared(figure, baseline), { figure: waited }];
      },
      close: product.end,
    };
  },
);

/** Resident bytes that one idle client adds to a fresh server. */
async function bytesPerClient(program: string, clients: number): Promise<number> {
  const side = await openSide(program, 0);
  try {
    // The first clients load code and fill memory left free by the start-up, so they are not counted.
    await side.load.ask('open', { ...side.facts, clients: FIRST });
    const before = await side.server.ask<number>('memory');
    await side.load.ask('open', { ...side.facts, clients: clients + FIRST });
    return ((await side.server.ask<number>('memory')) - before) / clients;
  } finally {
    await side.end();
  }
}

const idleMemory = benchmark(
  'P16',
  [
    {
      what: 'resident bytes of an idle connection with 3 channels',
      baseline: 'raw ws, no channels',
      gate: ratioAtMost(2.5),
    },
  ],
  async ({ quick }: Scale) => ({
    async round() {
      const clients = quick ? 1000 : 3000;
      const baseline = await bytesPerClient('raw-broadcast', clients);
      return [{ figure: await bytesPerClient('fan-out-server', clients), baseline }];
    },
    close: () => undefined,
  }),
);

export const fanOutBenchmarks: readonly Benchmark[] = [
  fanOutBenchmark(
    'P13',
    {
      what: 'deliveries a second, one update to 1,000 subscribers',
      baseline: RAW,
      gate: ratioAtLeast(0.9),
    },
    1,
  ),
  fanOutBenchmark(
    'P14',
    {
      what: 'deliveries a second, 8 updates at once to 1,000 subscribers',
      baseline: `${RAW}, 8 times`,
      gate: ratioAtLeast(3),
    },
    8,
  ),
  slowConsumer,
  idleMemory,
];
