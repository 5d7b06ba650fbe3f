import { describe, expect, it } from '@jest/globals';
import { simulatedBroker } from '@slipstream/adapter-broker-simulated';
import { openMemory } from '@slipstream/adapter-memory';
import { type MemoryPorts, memoryPorts } from '@slipstream/adapter-memory/testing';
import {
  type Market,
  ONE,
  type Quote,
  type StockId,
  ZERO,
  decimal,
  decimalText,
  id,
} from '@slipstream/domain';
import { aQuote } from '@slipstream/port-contracts';
import type { Broker } from '@slipstream/ports';
import type { Caller, Operations } from '../../../src/index.js';
import { userOf } from '../../accounts.js';
import type { App } from '../../app.js';
import { outcomesOf } from '../../crashes.js';
import { STOCKS, fixture } from '../../fixture.js';

const operator: Caller = { kind: 'operator' };
const PRICES = { aapl: '200', msft: '50' } as const;
const BALANCE = { starting_balance: '10000' };

type Needs = Pick<MemoryPorts, 'unitOfWork' | 'clock' | 'ids'>;

/** It fills orders later, and would take one twice. */
function brokerOver({ unitOfWork, clock, ids }: Needs, name: string) {
  const quote = (stockId: StockId): Quote => {
    const price = decimal(PRICES[stockId as keyof typeof PRICES]);
    return aQuote({ stockId, bid: price, ask: price, last: price, at: clock.now() });
  };
  const market = (): Market => ({
    now: clock.now(),
    stock: (stockId) => STOCKS.find((stock) => stock.id === stockId),
    quote,
    freshQuote: quote,
    session: () => ({ opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER }),
  });
  const options = { name, dedupes: false, acceptsFirst: true };
  return simulatedBroker({ unitOfWork, ids, market, options });
}

/** Such brokers; what is done there is noted. */
function brokersOver(ports: Needs) {
  const placed: string[] = [];
  const unlinked: string[] = [];
  const redeemed: string[] = [];
  const simulated = brokerOver(ports, 'simulated');
  const heard = (broker: Broker): Broker => ({
    ...broker,
    place: (access, order) => {
      placed.push(order.clientOrderId);
      return broker.place(access, order);
    },
    unlink: async ({ accountId }) => void unlinked.push(accountId),
  });
  const granting: Broker = {
    ...simulated,
    name: 'granting',
    consent: {
      page: ({ state }) => state,
      redeem: async (code) => {
        redeemed.push(code);
        return {};
      },
    },
    link: async ({ credentials }) => ({
      ...{ accountId: 'granted', credentials, label: 'granted', live: false },
      ...{ holdings: [], warnings: [] },
    }),
  };
  const other = brokerOver(ports, 'other');
  const brokers = [heard(simulated), heard(other), granting];
  return {
    simulated,
    brokers: new Map(brokers.map((broker) => [broker.name, broker])),
    did: { placed, unlinked, redeemed },
  };
}

/** A strategy with a quarter of its value in AAPL and one in MSFT, and a bot that mirrors it beside 10 AAPL of its owner. */
async function world() {
  const ports = { ...memoryPorts(), unitOfWork: openMemory() };
  const { simulated, brokers, did } = brokersOver(ports);
  const made = await fixture({ ...ports, brokers });
  const { app } = made;
  const [owner, follower] = [await made.user('owner'), await made.user('follower')];
  const strategyId = await made.strategy(owner);
  const quoted = (by: App) =>
    by.newQuotes(operator, {
      quotes: Object.entries(PRICES).map(([stock, text]) => {
        const price = decimal(text);
        return { stock, bid: price, ask: price, last: price };
      }),
    });
  const holds = (by: App, aapl: string, msft: string) =>
    by.newOrderAllocations(owner, {
      strategyId,
      allocations: [
        { stock: 'aapl', percent: decimal(aapl) },
        { stock: 'msft', percent: decimal(msft) },
      ],
      slippage: ZERO,
    });
  await quoted(app);
  await holds(app, '0.25', '0.25');
  await app.newStrategySubscription(follower, { strategyId });
  const bot = await app.newBot(follower, {
    type: 'stock',
    broker: 'simulated',
    allocations: [{ strategyId, percent: ONE }],
    credentials: BALANCE,
    existingPositions: 'keep',
  });
  const credentials = { user_id: userOf(follower) };
  const access = { accountId: bot.accountId, type: bot.type, credentials };
  await simulated.transfer(
    { ...access, renew: async () => undefined },
    { cash: ZERO, stockId: id('aapl'), amount: decimal('10') },
  );
  return { ...made, owner, follower, strategyId, botId: bot.id, did, quoted, holds };
}
type World = Awaited<ReturnType<typeof world>>;
type Act = (app: App, world: World) => Promise<unknown>;

/** Time goes by until nothing is in doubt any more. */
const rests: Act = async (app, { ports: { clock }, quoted }) => {
  for (const step of [0, 1_000, 5_000, 61_000, 61_000, 125_000, 61_000]) {
    clock.advance(step);
    await quoted(app);
    await app.tick();
    await app.runBots();
  }
};
const runs: Act = async (app, { quoted }) => {
  await quoted(app);
  await app.runBots();
};
const keyed =
  (ask: (operations: Operations, world: World) => Promise<unknown>): Act =>
  (app, made) =>
    app.idempotently(
      { caller: 'follower', route: 'route', key: 'key', body: '' },
      (operations) => ask(operations, made),
      (answer) => JSON.stringify(answer) ?? '',
    );

/** What the bots have, and what was done more than once. */
async function outcomeOf(app: App, { follower, did }: World) {
  const bots = await app.getBots(follower, {});
  const shown = await Promise.all(
    bots.map(async ({ id: botId, status }) => {
      const { cash, positions } = await app.getBotAccount(follower, { botId });
      const orders = await app.getBotOrders(follower, { botId, limit: 100 });
      const held = positions.map(({ stockId, amount }) => `${decimalText(amount)} ${stockId}`);
      const filled = orders.filter((order) => order.status === 'filled').length;
      const left = orders.filter((order) => ['new', 'open', 'unknown'].includes(order.status));
      return { status, cash: decimalText(cash), held, filled, left: left.length };
    }),
  );
  const told = (await app.getNotifications(follower, {})).map(({ text }) => text);
  const twice = Object.values(did).flatMap((all) => all.filter((one, n) => all.indexOf(one) !== n));
  return { bots: shown, twice, toldTwice: told.filter((one, n) => told.indexOf(one) !== n) };
}

const outcomes = (flow: Act, before: Act = async () => undefined, again: Act = rests) =>
  outcomesOf<World>({
    async begin() {
      const made = await world();
      await before(made.app, made);
      return made;
    },
    flow,
    async outcome(next, made) {
      await made.quoted(next);
      await again(next, made);
      await rests(next, made);
      return outcomeOf(next, made);
    },
  });

const nothingTwice = { twice: [], toldTwice: [] };
const withBots = (...bots: readonly object[]) => ({ bots, ...nothingTwice });
const aBot = (status: string, cash: string, filled: number, ...held: readonly string[]) => ({
  ...{ status, cash, held, filled, left: 0 },
});
const OFF = aBot('off', '10000', 0, '10 aapl');
const MIRRORING = aBot('running', '5000', 2, '22.5 aapl', '50 msft');

const starts: Act = (app, { follower, botId }) => app.startBot(follower, { botId });
const stops: Act = (app, { follower, botId }) =>
  app.stopBot(follower, { botId, closeOnStop: true });
const halves: Act = (app, { follower, botId }) =>
  app.updateBot(follower, { botId, leverage: decimal('0.5') });
const running: Act = async (app, made) => {
  await starts(app, made);
  await rests(app, made);
};

describe('a crash at any moment of a request for bots that its sender repeats', () => {
  it.each<[string, Act | undefined, Act, object]>([
    ['startBot', undefined, starts, withBots(MIRRORING)],
    ['stopBot', running, stops, withBots(aBot('off', '10000', 4, '10 aapl'))],
    ['updateBot', running, halves, withBots(aBot('running', '7500', 4, '16.25 aapl', '25 msft'))],
    [
      'updateBot with another broker',
      undefined,
      (app, { follower, botId }) =>
        app.updateBot(follower, { botId, broker: 'other', credentials: BALANCE }),
      withBots(aBot('off', '10000', 0)),
    ],
    [
      'newBot',
      undefined,
      (app, { follower }) =>
        app.newBot(follower, { type: 'stock', broker: 'other', credentials: BALANCE }),
      withBots(aBot('off', '10000', 0), OFF),
    ],
    [
      'deleteBot',
      undefined,
      (app, { follower, botId }) => app.deleteBot(follower, { botId }),
      withBots(),
    ],
    [
      'deleteStrategySubscription',
      running,
      (app, { follower, strategyId }) => app.deleteStrategySubscription(follower, { strategyId }),
      withBots({ ...MIRRORING, status: 'off' }),
    ],
  ])('leaves no bot half done: %s', async (_, before, ask, became) => {
    const request = keyed((operations, made) => ask(operations as App, made));
    expect(await outcomes(request, before, request)).toEqual([became]);
  });

  it('leaves a connection of finishConnection to be used, or to be made anew', async () => {
    const states = new Map<World, string>();
    const connects: Act = async (app, made) => {
      const { url } = await app.newConnection(made.follower, { broker: 'granting' });
      states.set(made, url);
    };
    const finishes = (code: string): Act =>
      keyed((operations, made) =>
        operations.finishConnection(made.follower, { code, state: states.get(made) ?? '' }),
      );
    const answers: string[] = [];
    const uses: Act = async (app, made) => {
      const granted = await finishes('first')(app, made).catch(async (error: unknown) => {
        answers.push((error as { code: string }).code);
        await connects(app, made);
        const { follower } = made;
        const state = states.get(made) ?? '';
        return JSON.stringify(await app.finishConnection(follower, { code: 'second', state }));
      });
      const { id: connectionId } = JSON.parse(String(granted)) as { id: string };
      await app.deleteBot(made.follower, { botId: made.botId });
      const credentials = { connection_id: connectionId };
      await app.newBot(made.follower, { type: 'stock', broker: 'granting', credentials });
      await app.deleteBot(made.follower, {
        botId: (await app.getBots(made.follower, {}))[0]?.id ?? '',
      });
    };
    expect(await outcomes(finishes('first'), connects, uses)).toEqual([withBots()]);
    expect(new Set(answers)).toEqual(new Set(['idempotency_interrupted']));
  });
});

describe('a crash at any moment of the work of a bot', () => {
  const trades: Act = async (app, made) => {
    await made.quoted(app);
    await made.holds(app, '0.5', '0');
    await app.runBots();
  };
  const after =
    (...acts: readonly Act[]): Act =>
    async (app, made) => {
      for (const act of acts) await act(app, made);
    };

  it.each<[string, Act, Act, readonly object[]]>([
    ['its first orders', starts, runs, [MIRRORING]],
    [
      'a trade of its strategy, and the orders after it',
      running,
      trades,
      // Before the strategy traded there was nothing to follow.
      [MIRRORING, aBot('running', '5000', 4, '35 aapl')],
    ],
    ['a closure', after(running, stops), runs, [aBot('off', '10000', 4, '10 aapl')]],
    [
      'orders after an update',
      after(running, halves),
      runs,
      [aBot('running', '7500', 4, '16.25 aapl', '25 msft')],
    ],
  ])('has each order sent once, and no position off: %s', async (_, before, flow, bots) => {
    expect(await outcomes(flow, before)).toEqual(bots.map((bot) => withBots(bot)));
  });
});
