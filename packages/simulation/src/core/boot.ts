import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { pushMarket } from '@slipstream/adapter-market';
import { LiveStreams } from '@slipstream/adapter-ws';
import { DEFAULT_SETTINGS, LiveState, createApplication } from '@slipstream/application';
import { id } from '@slipstream/domain';
import {
  type AnnouncedActions,
  type Broker,
  type Event,
  type Events,
  type Log,
  type Ports,
  type ReadStores,
  type Stores,
  type UnitOfWork,
  eventBus,
} from '@slipstream/ports';
import { gateOf } from './gate.js';
import { handTimers } from '../world/hand-timers.js';
import { checkEvent } from '../invariants/events.js';
import type { Client } from '../run/client.js';
import { type Life, never } from '../run/life.js';
import type { Process } from '../run/process.js';
import { alpacaOverHttp } from './alpaca-over-http.js';
import { wrappedBroker } from './wrapped-broker.js';
import { wrappedGateway } from './wrapped-gateway.js';
import { newFollower } from '../run/memory.js';
import { type Run, crash } from '../run/run.js';
import { REAL_MONEY } from '../world/accounts.js';
import type { AlpacaSide } from '../world/alpaca/alpaca-side.js';
import type { BrokerName } from '../story/story.js';
import type { World } from '../world/world.js';

/** Stores whose every call waits for its turn, so that other tasks run in between. */
function withTurns<AnyStores extends object>(stores: AnyStores, world: World): AnyStores {
  if (!world.interleaves) return stores;
  return new Proxy(stores, {
    get: (target, name) => {
      const store: unknown = Reflect.get(target, name);
      if (typeof store !== 'object' || store === null) return store;
      return new Proxy(store, {
        get: (methods, method) => {
          const call = Reflect.get(methods, method) as (...given: unknown[]) => Promise<unknown>;
          return async (...given: unknown[]) => {
            await world.schedule.turn();
            return call.apply(methods, given);
          };
        },
      });
    },
  });
}

/** Never answers calls of a process that has ended. */
function answersWhileAlive(storage: UnitOfWork, world: World, life: Life): UnitOfWork {
  const ask = async <Answer>(effect: () => Promise<Answer>): Promise<Answer> => {
    if (!life.alive) return never();
    try {
      const answer = await effect();
      return life.alive ? answer : await never<Answer>();
    } catch (error) {
      if (!life.alive) return never();
      throw error;
    }
  };
  return {
    run: (work, options) =>
      ask(() =>
        storage.run((stores: Stores) => work(withTurns(stores, world)), {
          ...options,
          onCommit: (answer) => {
            if (life.alive) options?.onCommit?.(answer);
          },
        }),
      ),
    read: (work) => ask(() => storage.read((stores: ReadStores) => work(withTurns(stores, world)))),
    subscribe: (listener) =>
      storage.subscribe((event) => {
        if (life.alive) listener(event);
      }),
  };
}

/** Asks the operator for a decision; nothing has failed. */
const FOR_THE_OPERATOR = /^a (corporate action is not booked|dividend was announced after its day)/;

const MATCHING_FAILED = 'could not match orders with a quote; will retry';

function worldLog({ world, memory }: Run, life: Life): Log {
  return {
    info: () => undefined,
    warn: (_, message) => world.reach(`log: ${message}`),
    error(fields, message) {
      if (!life.alive) return;
      world.reach(`log: ${message}`);
      if (message === MATCHING_FAILED) memory.behind.add(String(fields['strategyId']));
      if (FOR_THE_OPERATOR.test(message)) return;
      memory.errors.push(`${message} (${String(fields['error'])})`);
    },
  };
}

function checkedEvents(world: World, life: Life, log: Log): Events {
  const bus = eventBus((error, { kind }) => log.error({ error, kind }, 'a listener failed'));
  return {
    publish(event: Event) {
      if (!life.alive) return;
      checkEvent(world, event);
      bus.publish(event);
    },
    subscribe: bus.subscribe,
  };
}

/** The source of announced actions as the core reaches it. */
const announcedBy = ({ world }: Run, life: Life): AnnouncedActions => ({
  ...world.announcements.source,
  async between(...asked) {
    await world.schedule.turn();
    if (!life.alive) return never();
    return world.announcements.source.between(...asked);
  },
});

/** The simulated broker once more, as one that trades real money. */
const realMoney = (name: BrokerName | AlpacaSide['name'], broker: Broker): readonly Broker[] =>
  name !== 'simulated'
    ? []
    : [
        {
          ...broker,
          name: REAL_MONEY,
          live: true,
          link: async (request) => ({ ...(await broker.link(request)), live: true }),
        },
      ];

/** Each second start is on the other kind of market, so that records get segments. */
const MARKETS = ['push', 'live'] as const;

/** Constructs the core over the present storage, without starting it. */
export function boot(run: Run): Process {
  const { world, memory } = run;
  const life = { alive: true };
  const gate = gateOf(run);
  const opened = world.database.open({
    gate,
    turn: world.schedule.turn,
    carries: world.carries,
    async sync() {
      if (world.interleaves) await world.schedule.turn();
      gate('SYNC', () => undefined);
    },
    onLost: () => {
      if (life.alive) crash(run, 'because the disk kept nothing');
    },
  });
  const storage = world.storageLog?.recorded(opened) ?? opened;
  const log = worldLog(run, life);
  const side = world.broker;
  const broker =
    side.name === 'simulated'
      ? wrappedBroker(run, life, side)
      : alpacaOverHttp(run, life, side, {
          find: (stockId) => live.stocks.find(stockId),
          all: () => live.stocks.all(),
        });
  const { bug } = run;
  const own: Ports = {
    ...memoryPorts({ clock: world.clock, log }),
    ...world.secrets,
    unitOfWork: answersWhileAlive(storage, world, life),
    ids: world.ids,
    events: checkedEvents(world, life, log),
    tradingHours: world.hours,
    marketFeed: pushMarket(),
    announcedActions: announcedBy(run, life),
    brokers: new Map(
      [broker, ...realMoney(side.name, broker)].map((one) => [one.name, one] as const),
    ),
    paymentGateway: wrappedGateway(run, life),
    log,
  };
  const ports = bug?.wrapPorts?.(own, world) ?? own;
  memory.market = MARKETS[Math.floor(memory.boots / 2) % MARKETS.length] ?? 'push';
  memory.boots += 1;
  const given = { ...DEFAULT_SETTINGS, market: memory.market };
  const settings = bug?.changeSettings?.(given) ?? given;
  const live = new LiveState(ports.tradingHours, settings.quoteFreshFor, {
    books: memory.followed,
    marketKind: settings.market,
  });
  const followed = (memory.followed = newFollower());
  const made = createApplication(ports, settings, live);
  const application = bug?.wrapApplication?.(made, world) ?? made;
  // Timers go on when the clock is set back.
  const timers = handTimers({ now: () => world.clock.now() + world.setBackBy });
  const streams = new LiveStreams({
    application: bug?.streamApplication?.(application, world) ?? application,
    events: ports.events,
    clock: ports.clock,
    log,
    timers,
    newId: () => ports.ids.next(),
    pause: ports.pause,
  });
  const clients: Client[] = [];
  return {
    application,
    streams,
    timers,
    clients,
    valueOf: (strategyId) => live.valueOf(id<'strategy'>(strategyId), world.clock.now()),
    follow: () => followed.catchUp(ports.unitOfWork, ports.pause),
    hidesQuotesOf: (stockId) => live.quotes.isHidden(id<'stock'>(stockId)),
    get alive() {
      return life.alive;
    },
    kill() {
      life.alive = false;
      storage.kill();
      for (const client of clients) client.socket.drop();
    },
  };
}
