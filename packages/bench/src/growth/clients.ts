import { setTimeout as delay } from 'node:timers/promises';
import { NotAvailable } from '../measure/benchmark.js';
import { type Program, startProgram } from '../program.js';
import type { FanOut } from '../programs/fan-out-server.js';
import { median } from '../measure/statistics.js';
import type { Dimension } from './dimension.js';

/** The number of clients in one process. With more of them the process would limit the measurement. */
const CLIENTS_EACH = 2500;
/** The first clients load code: they connect and leave before the measurement. */
const FIRST = 50;
/** The file descriptors of a process besides its sockets. */
const SPARE = 100;
/** A strategy's value is published at most 10 times a second. */
const VALUE_INTERVAL = 120;

interface Facts {
  readonly port: number;
  readonly token: string;
  /** wsOrders, wsPositions, wsStrategyValue. */
  readonly channels: readonly string[];
}

/** Throws if this process, or a process that it starts, may not open so many sockets. */
function requireDescriptors(clients: number): void {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { hard?: number | 'unlimited' } };
  };
  const most = userLimits?.open_files?.hard;
  if (typeof most === 'number' && most < clients + SPARE)
    throw new NotAvailable(`needs ulimit -Hn of ${clients + SPARE}, it is ${most}`);
}

/** Clients in separate processes. */
class Load {
  private readonly programs: { readonly program: Program; readonly clients: number }[] = [];

  async open(facts: Facts, clients: number): Promise<void> {
    for (let left = clients; left > 0; left -= CLIENTS_EACH) {
      const program = await startProgram('stream-load');
      const share = Math.min(left, CLIENTS_EACH);
      this.programs.push({ program, clients: share });
      await program.ask('open', { ...facts, clients: share });
    }
  }

  /** Resolves when each client has received this many more frames. */
  async arrived(frames: number): Promise<void> {
    await Promise.all(
      this.programs.map(({ program, clients }) => program.ask('frames', clients * frames)),
    );
  }

  async end(): Promise<void> {
    await Promise.all(this.programs.map(({ program }) => program.end()));
  }
}

/** CPU microseconds of one delivered event, and milliseconds for which one fan-out blocks the event loop. */
async function fannedOut(
  server: Program,
  load: Load,
  kind: FanOut['kind'],
  clients: number,
  count: number,
): Promise<readonly [cpu: number, held: number]> {
  const seen: { readonly cpu: number; readonly held: number }[] = [];
  for (let one = 0; one < count; one += 1) {
    const arrived = load.arrived(1);
    seen.push(await server.ask('fanOut', { kind } satisfies FanOut));
    await arrived;
    if (kind === 'value') await delay(VALUE_INTERVAL);
  }
  return [median(seen.map(({ cpu }) => cpu)) / clients, median(seen.map(({ held }) => held))];
}

export const clients: Dimension = {
  id: 'clients',
  title: 'clients of wsStrategyValue and wsOrders',
  sizes: [10, 100, 1000, 5000],
  quickSizes: [10, 100],
  costs: [
    {
      name: 'a value that reaches a client',
      unit: 'CPU us',
      grows: 'not',
      why: 'the frame is made once for all, and each client costs one system call',
    },
    {
      name: 'an order that reaches a client',
      unit: 'CPU us',
      grows: 'not',
      why: 'it goes the way of values',
    },
    {
      name: "a value's hold of the event loop",
      unit: 'ms',
      grows: 'in proportion',
      why: 'all who listen are written to in one turn',
    },
    {
      name: "an order's hold of the event loop",
      unit: 'ms',
      grows: 'in proportion',
      why: 'it goes the way of values',
    },
    {
      name: 'the heap of a client',
      unit: 'bytes',
      grows: 'not',
      why: 'a connection knows its own channels only',
    },
  ],
  async measure(size, { quick, rounds }, tell) {
    requireDescriptors(size);
    const server = await startProgram('fan-out-server');
    const load = new Load();
    const first = new Load();
    try {
      const { channels, ...facts } = await server.ask<Facts>('facts');
      const both = { ...facts, channels: channels.filter((name) => !name.startsWith('wsPos')) };
      await first.open(both, FIRST);
      await first.end();
      while ((await server.ask<number>('connections')) > 0) await delay(10);
      const before = await server.ask<number>('heap');
      tell('connecting');
      await load.open(both, size);
      const heap = ((await server.ask<number>('heap')) - before) / size;
      tell('fan-outs');
      const count = quick ? 5 : rounds * 10;
      await fannedOut(server, load, 'order', size, count);
      const orders = await fannedOut(server, load, 'order', size, count);
      const values = await fannedOut(server, load, 'value', size, count);
      return [values[0], orders[0], values[1], orders[1], heap];
    } finally {
      await first.end();
      await load.end();
      await server.end();
    }
  },
};
