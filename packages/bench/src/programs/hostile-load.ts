import { type Socket, connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { WebSocket } from 'ws';
import { answerQuestions } from '../program.js';
import type { Neighbour } from './product-server.js';

/** A user who loads a server as badly as possible. */
export interface HostileLoad extends Neighbour {
  readonly port: number;
  readonly silentSockets: number;
  readonly streams: number;
  readonly guesses: number;
}

/** The result. */
export interface HostileResult {
  readonly opened: number;
  readonly released: number;
  readonly streams: number;
  readonly channels: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** The number of requests that are repeated at the same time. */
const AT_ONCE = 4;
const CHANNELS = 100;
/** Milliseconds between two rounds of opening sockets and subscribing again. */
const ROUND = 1_000;
/** A request without an answer for so many milliseconds is broken. */
const LONGEST_WAIT = 60_000;

let running = false;
let rounds: Promise<unknown> = Promise.resolve();
const silent = new Set<Socket>();
const clients: WebSocket[] = [];
let [opened, released] = [0, 0];
const statuses: Record<string, number> = {};

const noted = (status: number | string): void => {
  statuses[status] = (statuses[status] ?? 0) + 1;
};

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, ROUND));

/** Silent connections; a connection that the server closes is opened again. */
async function openSilently({ port, silentSockets }: HostileLoad): Promise<void> {
  while (running) {
    while (silent.size < silentSockets) {
      const socket = connect({ port, host: '127.0.0.1' });
      opened += 1;
      silent.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        released += 1;
        silent.delete(socket);
      });
    }
    await rest();
  }
}

const channelsOf = new Map<WebSocket, number>();

/** As many streams as the server allows, each with all its channels; each round subscribes to the first channel again. */
async function watch({ port, token, strategyIds, streams }: HostileLoad): Promise<void> {
  const kinds = ['wsOrders', 'wsPositions', 'wsStrategyValue'];
  for (let count = 0; count < streams; count += 1) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
      headers: { authorization: token },
    });
    socket.on('error', () => noted('stream refused'));
    socket.on('message', (text: Buffer) => {
      const frame = JSON.parse(text.toString()) as { response?: { channels?: string[] } };
      const { length } = frame.response?.channels ?? [];
      if (length > 1) channelsOf.set(socket, length);
    });
    clients.push(socket);
  }
  const channels = strategyIds
    .flatMap((strategyId) => kinds.map((kind) => `${kind}:${strategyId}`))
    .slice(0, CHANNELS);
  while (running) {
    for (const socket of clients) {
      if (socket.readyState !== socket.OPEN) continue;
      socket.send(JSON.stringify({ action: 'unsubscribe', channels: channels.slice(0, 1) }));
      socket.send(JSON.stringify({ action: 'subscribe', channels }));
    }
    await rest();
  }
}

type Asked = readonly [path: string, body?: object];

/** The largest lists, exports and plans, the deepest dependencies, and refused requests, some of which write. */
function worst({ token, strategyIds, orderIds, stockIds }: HostileLoad): readonly Asked[] {
  const named = (name: string, ids: readonly string[]) =>
    ids
      .slice(0, 100)
      .map((id) => `${name}[]=${id}`)
      .join('&');
  const percent = 1 / 64;
  const strategy_id = strategyIds[0] ?? '';
  const size = { strategy_id, stock_id: 'AAPL:NASDAQ', action: 'buy' };
  return [
    ['/getUserExport?limit=100'],
    ['/getRecommendedStrategies?limit=100'],
    [`/getStocks?${named('stock_id', stockIds)}`],
    [`/getStrategies?${named('strategy_id', strategyIds)}`],
    [
      `/getMaxOrderSize?${new URLSearchParams(size).toString()}&${named('order_dependencies', orderIds)}`,
    ],
    [
      '/previewOrderAllocations',
      {
        strategy_id,
        allocations: stockIds.slice(0, 100).map((stock_id) => ({ stock_id, percent })),
      },
    ],
    ['/updateStrategy', { strategy_id, name: 'renamed' }],
    ['/newOrder', { ...size, amount: 0.001, order_dependencies: orderIds.slice(-1) }],
    ['/newOrder', { ...size, stock_id: 'nothing', amount: 1 }],
    // Refused, and stored in the inbox.
    ['/newOrderWebhook', { ...size, stock_id: 'nothing', api_token: token }],
  ];
}

async function askOne({ port, token }: HostileLoad, [path, body]: Asked): Promise<void> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      // Node's client can wait for ever when the server refuses the connection before it has sent its request.
      signal: AbortSignal.timeout(LONGEST_WAIT),
    });
    await answer.arrayBuffer();
    noted(answer.status);
  } catch {
    noted('broken');
  }
}

async function requestAll(load: HostileLoad): Promise<void> {
  const all = worst(load);
  const loop = async (): Promise<void> => {
    while (running) for (const asked of all) await askOne(load, asked);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
}

/** Many guesses of passwords at the same time. */
async function guess(load: HostileLoad): Promise<void> {
  const guesses = Array.from({ length: load.guesses }, (_, index): Asked => [
    '/newSession',
    { email: 'bench@example.com', password: `guess number ${index}` },
  ]);
  await Promise.all(guesses.map((asked) => askOne(load, asked)));
}

answerQuestions({
  start(load: HostileLoad) {
    running = true;
    // An attacker has another machine, so this load must not take the server's cores.
    setPriority(constants.priority.PRIORITY_LOW);
    rounds = Promise.all([openSilently(load), watch(load), requestAll(load), guess(load)]);
  },
  async stop(): Promise<HostileResult> {
    running = false;
    const streams = clients.filter(({ readyState, OPEN }) => readyState === OPEN).length;
    await rounds;
    const channels = [...channelsOf.values()].reduce((sum, count) => sum + count, 0);
    for (const socket of silent) socket.destroy();
    for (const client of clients.splice(0)) client.terminate();
    return { opened, released, streams, channels, statuses };
  },
});
