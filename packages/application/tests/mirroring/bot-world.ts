import { expect } from '@jest/globals';
import { type MemoryPorts, memoryPorts } from '@slipstream/adapter-memory/testing';
import {
  type ScriptedFaults,
  type SimulatedOptions,
  scriptedFaults,
  simulatedBroker,
} from '@slipstream/adapter-broker-simulated';
import {
  type BotDeps,
  type NewBot,
  BotReconciler,
  deleteBot,
  getBotAccount,
  getBotOrders,
  getBots,
  newBot,
  resetBot,
  startBot,
  stopBot,
  updateBot,
  updateBotNotifications,
} from '../../src/mirroring/index.js';
import { type Caller, type Caps, DEFAULT_CAPS, DEFAULT_SETTINGS } from '../../src/index.js';
import {
  getTradingHalts,
  haltTrading,
  resumeTrading,
} from '../../src/mirroring/restraints/halts.js';
import { LossIndex } from '../../src/mirroring/limits/loss-index.js';
import type { PageRequest } from '../../src/page.js';
import { systemActor } from '../../src/audit/actor.js';
import { requestUnitOfWork } from '../../src/transaction.js';
import {
  BOT_NOTIFICATIONS,
  type Bot,
  type Decimal,
  type Halt,
  type HaltScope,
  type Market,
  ONE,
  type Quote,
  type Security,
  type Stock,
  type StockId,
  type Trade,
  type UserId,
  decimal,
  decimalText,
  id,
} from '@slipstream/domain';
import {
  NOON,
  aBook,
  aFilledOrder,
  aPosition,
  aQuote,
  aStock,
  aStrategy,
  aSubscription,
  aUser,
  filled,
  positionsOf,
} from '@slipstream/port-contracts';
import type { Broker } from '@slipstream/ports';

export const owner: UserId = id('user-1');
export const follower: UserId = id('user-2');
export const ACME: StockId = id('acme');
export const BOLT: StockId = id('bolt');
export const COIN: StockId = id('coin');
export const STEADY = id<'strategy'>('steady');
export const DARING = id<'strategy'>('daring');
export const MINTED = id<'strategy'>('minted');

/** A stock of that symbol; its id is the symbol too, in small letters. */
export const stockNamed = (symbol: string): Stock =>
  aStock({ id: id(symbol.toLowerCase()), symbol, slippage: decimal('0.0005') });

const STOCKS: readonly Stock[] = [
  stockNamed('ACME'),
  stockNamed('BOLT'),
  aStock({ id: COIN, symbol: 'COINUSD', security: 'cryptocurrency', fee: decimal('0.0025') }),
];

type Holdings = Readonly<Record<string, string>>;

/** A user who follows strategies of another one, and a simulated broker with faults to order. Every stock costs 100. */
export async function aBotWorld(
  options: SimulatedOptions = {},
  caps: Partial<Caps> = {},
  others: readonly Broker[] = [],
  moreStocks: readonly Stock[] = [],
) {
  const stocks: ReadonlyMap<StockId, Stock> = new Map(
    [...STOCKS, ...moreStocks].map((stock) => [stock.id, stock]),
  );
  const quotes = new Map<StockId, Quote>(
    [...stocks.keys()].map((stockId) => [stockId, aQuote({ stockId, ask: decimal('100.02') })]),
  );
  const closed = new Set<StockId>();
  /** Stocks whose quote is old. */
  const stale = new Set<StockId>();
  const delisted = new Set<StockId>();
  /** Stocks that are halted here; their broker would trade them. */
  const halted = new Set<StockId>();
  const ports: MemoryPorts = memoryPorts();
  const { unitOfWork, clock } = ports;
  clock.set(NOON);
  const market = (): Market<Stock> => ({
    now: clock.now(),
    stock: (stockId) => {
      const stock = stocks.get(stockId);
      if (stock && delisted.has(stockId)) return { ...stock, status: 'delisted' };
      return stock && halted.has(stockId) ? { ...stock, status: 'halted' } : stock;
    },
    quote: (stockId) => quotes.get(stockId),
    freshQuote: (stockId) => (stale.has(stockId) ? undefined : quotes.get(stockId)),
    session: (stock) =>
      closed.has(stock.id) || delisted.has(stock.id)
        ? undefined
        : { opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER },
  });
  const faults: ScriptedFaults = scriptedFaults();
  const broker = simulatedBroker({ unitOfWork, ids: ports.ids, market, options, faults });
  const stockOf = (stockId: StockId): Stock => {
    const stock = stocks.get(stockId);
    if (!stock) throw new Error(`no stock ${stockId}`);
    return stock;
  };
  const sent: string[] = [];
  /** Hears every order that is sent, whatever becomes of it. */
  const heard: Broker = {
    ...broker,
    place: (access, order) => {
      sent.push(order.clientOrderId);
      return broker.place(access, order);
    },
  };
  const brokers = new Map([heard, ...others].map((each) => [each.name, each]));
  const notices: string[] = [];
  const deps: BotDeps = {
    ...ports,
    unitOfWork: requestUnitOfWork(unitOfWork, {
      audit: { ...ports, actor: systemActor('runBots') },
    }),
    settings: { ...DEFAULT_SETTINGS, caps: { ...DEFAULT_CAPS, ...caps } },
    brokers,
    losses: new LossIndex(),
    instruments: {
      find: (stockId) => stocks.get(stockId),
      all: () => [...stocks.values()],
      resolve: (name) => stockOf(id(name)),
    },
    market,
  };
  unitOfWork.subscribe((event) => {
    if (event.kind !== 'notification_added') return;
    const { type, text } = event.notification;
    notices.push(`${type}: ${text.replace(/^Bot .+?: /, '')}`);
  });
  const engine = new BotReconciler(deps);

  await unitOfWork.run(async ({ users, strategies, subscriptions, books }) => {
    await users.save(aUser({ id: follower }));
    await users.save(aUser({ id: owner, email: 'owner@example.com' }));
    const kinds: readonly (readonly [typeof STEADY, Security])[] = [
      [STEADY, 'stock'],
      [DARING, 'stock'],
      [MINTED, 'cryptocurrency'],
    ];
    for (const [strategyId, type] of kinds) {
      await strategies.save(aStrategy({ id: strategyId, userId: owner, type }));
      const subscriptionId = id<'subscription'>(`of-${strategyId}`);
      await subscriptions.save(aSubscription({ id: subscriptionId, strategyId, userId: follower }));
      await books.save(aBook({ strategyId }), []);
    }
  });

  const bots = {
    new: newBot(deps),
    update: updateBot(deps),
    updateNotifications: updateBotNotifications(deps),
    delete: deleteBot(deps),
    list: (userId: UserId) => getBots(deps)(userId, {}),
    orders: getBotOrders(deps),
    account: getBotAccount(deps),
    start: startBot(deps),
    stop: stopBot(deps),
    reset: resetBot(deps),
  };

  const callerBy = (by: Halt['by']): Caller =>
    by === 'operator'
      ? { kind: 'operator' }
      : {
          kind: 'user',
          userId: by,
          tokenId: id('token-1'),
          tokenType: 'api',
          scope: ['*'],
          strategyIds: null,
          limits: null,
          expiresAt: null,
        };
  /** Halts trading; the bots hear of it as from the event of the commit. */
  const halt = async (by: Halt['by'], scope: HaltScope, target?: string): Promise<Halt> => {
    const reason = 'prices look wrong';
    const set = await haltTrading(deps)(callerBy(by), { scope, target, reason });
    await engine.haltChanged(set);
    return set;
  };
  const resume = async (by: Halt['by'], set: Halt): Promise<void> => {
    await resumeTrading(deps)(callerBy(by), { haltId: set.id });
    await engine.haltChanged(set);
  };
  const haltsSeenBy = (by: Halt['by'], page: PageRequest = {}): Promise<Halt[]> =>
    getTradingHalts(deps)(callerBy(by), page);

  const find = async (botId: string): Promise<Bot> => {
    const bot = await unitOfWork.read((stores) => stores.bots.find(id<'bot'>(botId)));
    if (!bot) throw new Error(`no bot ${botId}`);
    return bot;
  };

  /** Ticks until nothing is due, as a server does. */
  const run = async (): Promise<void> => {
    for (let ticks = 0; ticks < 20; ticks += 1) {
      const due = await unitOfWork.read(async (stores) => [
        ...(await stores.bots.due(clock.now(), 100, 'well')),
        ...(await stores.bots.due(clock.now(), 100, 'failed')),
      ]);
      if (due.length === 0) return;
      await engine.runDueBots();
    }
    throw new Error('the bots do not come to rest');
  };

  /** The strategy trades: it now holds this, in normalized units, and the rest in cash. */
  const hold = async (
    strategyId: typeof STEADY,
    cash: string,
    holdings: Holdings,
    /** The trades that led there, oldest first; without any the holdings just change. */
    trades: readonly Partial<Trade>[] = [],
  ): Promise<void> => {
    const positions = Object.entries(holdings).map(([stockId, amount]) =>
      aPosition({ stockId: id<'stock'>(stockId), amount: decimal(amount) }),
    );
    await unitOfWork.run(async ({ books }) => {
      const book = await books.find(strategyId);
      if (!book) throw new Error(`no book of ${strategyId}`);
      const changes = trades.map((trade, index) => {
        const orderId = id<'order'>(`order-of-${trade.id ?? index}`);
        const createdAt = clock.now();
        return filled(aFilledOrder({ id: orderId, strategyId, createdAt }), {
          orderId,
          strategyId,
          createdAt,
          ...trade,
        });
      });
      const version = trades.length > 0 ? book.version + 1 : book.version;
      const next = { ...book, version, cash: decimal(cash), positions: positionsOf(...positions) };
      await books.save(next, changes);
    });
    await engine.wakeBots(strategyId);
  };

  const aNewBot = (change: Partial<NewBot> = {}): Promise<Bot> =>
    bots.new(follower, {
      type: 'stock',
      broker: 'simulated',
      allocations: [{ strategyId: STEADY, percent: ONE }],
      notifications: BOT_NOTIFICATIONS,
      ...change,
    });

  const start = async (change: Partial<NewBot> = {}): Promise<Bot> => {
    const bot = await aNewBot(change);
    return bots.start(follower, { botId: bot.id });
  };

  const drift = async (bot: Bot): Promise<Decimal | null> =>
    (await bots.account(bot.userId, { botId: bot.id })).drift;

  return {
    aNewBot,
    bots,
    broker,
    brokers,
    clock,
    closed,
    delisted,
    halted,
    deps,
    drift,
    engine,
    faults,
    find,
    halt,
    haltsSeenBy,
    hold,
    notices,
    ports,
    quotes,
    resume,
    run,
    sent,
    stale,
    stockOf,
    start,
    unitOfWork,

    /** Half in ACME, half in cash, and a bot that is in line with it. */
    async running(change: Partial<NewBot> = {}): Promise<Bot> {
      await hold(STEADY, '0.5', { acme: '0.005' });
      const bot = await start(change);
      await run();
      expect(await find(bot.id)).toMatchObject({ status: 'running' });
      return bot;
    },

    async expectInLine(bot: Bot): Promise<void> {
      const inLine = { status: 'running', condition: 'active', attempts: 0 };
      expect(await find(bot.id)).toMatchObject(inLine);
      expect((await drift(bot))?.lt(decimal('0.006'))).toBe(true);
    },

    /** Nothing was ever sent to the broker twice. */
    expectSentOnce(): void {
      expect(sent.length).toBeGreaterThan(0);
      expect(new Set(sent).size).toBe(sent.length);
    },

    price(stockId: StockId, price: string): void {
      const quote = decimal(price);
      quotes.set(stockId, aQuote({ stockId, bid: quote, ask: quote, last: quote }));
    },

    async holdings(bot: Bot): Promise<Holdings> {
      const { positions } = await bots.account(bot.userId, { botId: bot.id });
      return Object.fromEntries(
        positions.map(({ stockId, amount }) => [stockId, decimalText(amount)]),
      );
    },

    async orders(bot: Bot): Promise<string[]> {
      const orders = await bots.orders(bot.userId, { botId: bot.id, limit: 100 });
      return orders.map(
        ({ status, action, stockId, filledAmount }) =>
          `${status}: ${action} ${decimalText(filledAmount)} ${stockId}`,
      );
    },
  };
}

export type BotWorld = Awaited<ReturnType<typeof aBotWorld>>;
