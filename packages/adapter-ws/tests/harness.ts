import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from '@slipstream/application';
import type { OrderView, PositionsView } from '@slipstream/domain';
import {
  type AlertRecord,
  type Bot,
  type BotAccountView,
  type Decimal,
  FULLY_TRADING,
  type OpenOrder,
  Refusal,
  decimal,
  id,
} from '@slipstream/domain';
import { anOrder as openOrder, aBot as someBot, aStock } from '@slipstream/port-contracts';
import type { Event } from '@slipstream/ports';
import { type StreamedApplication, LiveStreams } from '../src/index.js';
import { Client } from './client.js';
import { manualTimers } from './control.js';

export const anOrder = (name: string): OpenOrder =>
  openOrder({ id: id(name), strategyId: id('s') });

const viewed = (order: OrderView['order']): OrderView => ({
  stock: aStock(),
  quote: undefined,
  order,
  waitingReason: null,
});

export const aBot = (name: string, status: Bot['status'] = 'running'): Bot =>
  someBot({ id: id(name), status });

const positions = (version: number, cash: Decimal): PositionsView => ({
  strategyId: id<'strategy'>('s'),
  strategyValue: null,
  cash,
  version,
  positions: [],
});

const user = (userId: string, ...scope: string[]): Caller => ({
  kind: 'user',
  userId: id<'user'>(userId),
  tokenId: id<'token'>(`${userId}-token`),
  tokenType: 'api',
  scope,
  strategyIds: null,
  limits: null,
  expiresAt: null,
});

/** What the stand-in for the application knows; tests change it. */
export function world() {
  return {
    tokens: new Map<string, Caller>([
      ['ada', user('ada', '*')],
      ['bob', user('bob', '*')],
      ['narrow', user('ada', 'getOrders')],
      ['bots', user('ada', 'getBots')],
      ['orders of bots', user('ada', 'getBots', 'getBotOrders')],
      ['bound', { ...user('ada', '*'), strategyIds: [id<'strategy'>('mine')] } as Caller],
    ]),
    /** Strategies and bots that nobody may see. */
    hidden: new Set<string>(),
    orders: [anOrder('o1')] as OpenOrder[],
    version: 5,
    cash: decimal('1'),
    value: decimal('1.5') as Decimal | null,
    account: {
      ...{ equity: decimal('10'), cash: decimal('10'), managedEquity: decimal('10') },
      ...{ positions: [], missing: [], kept: [], drift: null },
    } as BotAccountView,
    /** How often a broker was asked, and what it waits for. */
    accountReads: 0,
    beforeAccount: (): Promise<void> => Promise.resolve(),
    watched: [] as string[],
    priced: [] as string[],
    /** How often positions were valued for the streams. */
    valuations: 0,
    /** How many orders were made ready for events. */
    presented: 0,
    /** What the audit log was told of denied access. */
    denied: [] as unknown[],
    /** What the authentication of a token waits for after it has looked. */
    authenticated: (_text: string): Promise<void> => Promise.resolve(),
    /** What the read of that number (from 1) waits for before it looks. */
    before: (_read: number): Promise<void> => Promise.resolve(),
    reads: 0,
    /** Those of every strategy, newest first. */
    alerts: [] as AlertRecord[],
    /** What a read of alerts waits for after it has looked. */
    alertsListed: (): Promise<void> => Promise.resolve(),
  };
}

type World = ReturnType<typeof world>;

function standIn(known: World): StreamedApplication {
  const see = async (named: string): Promise<void> => {
    await known.before(++known.reads);
    if (known.hidden.has(named)) throw new Refusal('not_found', `${named} does not exist`);
  };
  return {
    requests: {
      async authenticate(text) {
        if (text === undefined) return { kind: 'anonymous' };
        const caller = known.tokens.get(text);
        await known.authenticated(text);
        if (!caller) throw new Refusal('unauthenticated', 'no such token');
        return caller;
      },
      denied: (...denial) => void known.denied.push(denial),
    },
    operations: {
      async getStrategyValues(_, { strategyIds }) {
        const [strategyId = ''] = strategyIds;
        await see(strategyId);
        return [
          {
            strategyId: id<'strategy'>(strategyId),
            strategyValue: known.value,
            state: FULLY_TRADING,
          },
        ];
      },
      async getPositions(_, { strategyId }) {
        await see(strategyId);
        return positions(known.version, known.cash);
      },
      async getOrders(_, { strategyId, limit = 100, cursor }) {
        await see(strategyId);
        const from = known.orders.findIndex((order) => order.id === cursor) + 1;
        return known.orders.slice(from, from + limit).map(viewed);
      },
      async getBots(_, { botIds = [] }) {
        const [botId = ''] = botIds;
        await see(botId);
        return [aBot(botId)];
      },
      async getBotAccount(_, { botId }) {
        known.accountReads += 1;
        await known.beforeAccount();
        if (known.hidden.has(botId)) throw new Refusal('broker_access', 'the broker is away');
        return known.account;
      },
      getNotifications: async () => [],
      async getAlerts(caller, { strategyId }) {
        if (strategyId !== undefined) await see(strategyId);
        if (caller.kind === 'user' && caller.userId !== 'ada')
          throw new Refusal('not_owner', 'only the owner of the strategy may do this');
        const listed = [...known.alerts];
        await known.alertsListed();
        return listed;
      },
    },
    streams: {
      requireFollower: (_, strategyId) => see(strategyId),
      watchValue(strategyId) {
        known.watched.push(strategyId);
        return () => void known.watched.splice(known.watched.indexOf(strategyId), 1);
      },
      watchPrices(strategyId) {
        known.priced.push(strategyId);
        return () => void known.priced.splice(known.priced.indexOf(strategyId), 1);
      },
      valuedPositions() {
        known.valuations += 1;
        return positions(known.version, known.cash);
      },
      presentableOrder(order) {
        known.presented += 1;
        return viewed(order);
      },
      presentableBotOrder: (order) => ({ ...order, symbol: 'ACME', slippage: null }),
      changedPositions: ({ after, changes }) =>
        changes.some(({ kind }) => kind === 'filled')
          ? positions(after.version, after.cash)
          : undefined,
    },
  };
}

/** The streams on a port of their own, with what drives them. */
export async function serve(
  known: World = world(),
  options: Partial<ConstructorParameters<typeof LiveStreams>[0]> = {},
) {
  const listeners = new Set<(event: Event) => void>();
  const clock = manualTimers();
  let now = 0;
  let upgrades = 0;
  const logged: unknown[] = [];
  const note = (fields: unknown): void => void logged.push(fields);
  const streams = new LiveStreams({
    application: standIn(known),
    events: {
      publish: () => undefined,
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    clock: { now: () => now },
    newId: () => `request-${++upgrades}`,
    log: { info: note, warn: note, error: note },
    timers: clock.timers,
    ...options,
  });
  const server: Server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  streams.attach(server);
  const { port } = server.address() as AddressInfo;
  const clients: Client[] = [];
  return {
    known,
    streams,
    port,
    logged,
    ring: clock.ring,
    /** Lets so many milliseconds go by. */
    pass: (milliseconds: number) => void (now += milliseconds),
    publish(event: Event) {
      for (const listener of listeners) listener(event);
    },
    /** Connections that the server has open. */
    sockets: () =>
      new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    /** A client; with a token in the header, or none. */
    async connect(token?: string): Promise<Client> {
      const client = new Client(port, token === undefined ? {} : { Authorization: token });
      clients.push(client);
      await once(client.socket, 'open');
      return client;
    },
    async stop() {
      for (const { socket } of clients) socket.terminate();
      await streams.close();
      server.close();
      await once(server, 'close');
    },
  };
}

type BookChanged = Event & { kind: 'book_changed' };

/** The event of a command that left the book at `version`. */
export const bookChanged = (
  version: number,
  changes: readonly { kind: string; order: unknown }[],
): Event =>
  ({
    kind: 'book_changed',
    strategyId: id<'strategy'>('s'),
    at: 1000,
    before: {},
    after: { version, cash: decimal('0.5') },
    changes,
  }) as unknown as BookChanged;

export const valueChanged = (value: string): Event => ({
  kind: 'value_changed',
  strategyId: id<'strategy'>('s'),
  at: 1000,
  value: decimal(value),
  state: FULLY_TRADING,
});
