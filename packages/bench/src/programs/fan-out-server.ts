import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { eventBus } from '@slipstream/ports';
import {
  FULLY_TRADING,
  type OpenOrder,
  type StrategyId,
  decimal,
  id,
  newBook,
} from '@slipstream/domain';
import {
  jsonLogger,
  logFrom,
  tuneGarbageCollector,
  openServer,
  readSettings,
} from '@slipstream/server';
import { cpuAccounts } from '../measure/accounts.js';
import { cpuNow, heapNow } from '../measure/cpu.js';
import { answerQuestions } from '../program.js';

/** Publishes updates in bursts: `burst` updates in one turn of the event loop, then the network runs. */
export interface Publishing {
  readonly updates: number;
  readonly burst: number;
  /** The number of events of another strategy beside each update, for that strategy's subscribers. */
  readonly beside?: number;
}

/** How the server is started; by default in one process. */
export interface FanOutOptions {
  readonly fronts: number;
}

/** One event: a strategy's value, or an order. */
export interface FanOut {
  readonly kind: 'value' | 'order';
}

const VALUE = decimal('1.234567890123456789');
const VALUED_AT = 1_750_000_000_000;

const sockets = new Set<Socket>();
channel('net.server.socket').subscribe((message) => {
  const { socket } = message as { socket: Socket };
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
});

/** The complete server. The bench publishes its events, so the measurement starts after the commit. */
const log = logFrom(jsonLogger('info'));
const events = eventBus((error) => {
  throw error;
});
const { fronts } = JSON.parse(process.argv[2] ?? '{"fronts":0}') as FanOutOptions;
const settings = readSettings({
  PORT: '0',
  FRONTS: String(fronts),
  MARKET: 'push',
  TRADING_HOURS: 'always',
  DATABASE_URL: 'memory:',
  QUOTE_FRESH_SECONDS: '86400',
  RATE_LIMITS: 'reads=100000000',
  CONNECTION_LIMITS: 'total=100000,address=100000,streams=100000,user=100000,anonymous=100000',
});
tuneGarbageCollector();
const server = await openServer(settings, log, { events });
const { application } = server;
const { text: token } = await application.lifecycle.issueToken({
  email: 'bench@example.com',
  name: 'bench',
  scope: ['*'],
  createUser: true,
});
const caller = await application.requests.authenticate(token);
const newStrategyId = async () =>
  (await application.operations.newStrategy(caller, { type: 'stock', name: 'bench' })).strategy.id;
const [strategyId, otherId] = [await newStrategyId(), await newStrategyId()];
const [found] = await application.operations.getStocks(caller, { stocks: ['AAPL:NASDAQ'] });
if (!found) throw new Error('there is no AAPL');

const order: OpenOrder = {
  id: id('order-1'),
  strategyId,
  stockId: found.stock.id,
  action: 'buy',
  pricing: { type: 'limit', price: decimal('123.45') },
  size: { by: 'amount', amount: decimal('0.001234567890123456') },
  dependsOn: [],
  reduceOnly: false,
  origin: 'order',
  createdAt: 1_750_000_000_000,
  triggeredAt: null,
  status: 'open',
  restingSince: null,
};
const books = new Map([strategyId, otherId].map((each) => [each, newBook(each)]));
let fullest = 0;

function update(strategyId: StrategyId): void {
  const before = books.get(strategyId) ?? newBook(strategyId);
  const after = { ...before, version: before.version + 1 };
  books.set(strategyId, after);
  events.publish({
    kind: 'book_changed',
    strategyId,
    at: 1_750_000_000_000,
    before,
    after,
    changes: [{ kind: 'opened', order: { ...order, strategyId } }],
  });
}

answerQuestions(
  {
    facts: () => ({
      port: Number(new URL(server.url).port),
      token,
      channels: ['wsOrders', 'wsPositions', 'wsStrategyValue'].map(
        (kind) => `${kind}:${strategyId}`,
      ),
      otherChannel: `wsOrders:${otherId}`,
    }),
    async publish({ updates, burst, beside = 0 }: Publishing) {
      for (let sent = 0; sent < updates; sent += burst) {
        for (let one = 0; one < burst; one += 1) update(strategyId);
        for (let one = 0; one < burst * beside; one += 1) update(otherId);
        if (beside > 0) {
          for (const { writableLength } of sockets) fullest = Math.max(fullest, writableLength);
        }
        await turn();
      }
    },
    /** The most bytes that waited for one client since the last call. */
    fullest() {
      const most = fullest;
      fullest = 0;
      return most;
    },
    connections: () => sockets.size,
    heap: () => heapNow(),
    accounts: () => cpuAccounts(),
    /** Publishes one event to all subscribers: CPU microseconds, and milliseconds until the event loop is free again. */
    async fanOut({ kind }: FanOut) {
      const [begun, cpu] = [performance.now(), cpuNow()];
      if (kind === 'order') update(strategyId);
      else {
        const value = { at: VALUED_AT, value: VALUE, state: FULLY_TRADING };
        events.publish({ kind: 'value_changed', strategyId, ...value });
      }
      await turn();
      return { cpu: cpuNow() - cpu, held: performance.now() - begun };
    },
  },
  () => server.close(),
);
