import { simulatedBroker } from '@slipstream/adapter-broker-simulated';
import { openMemory } from '@slipstream/adapter-memory';
import { fixedClock, memoryPorts } from '@slipstream/adapter-memory/testing';
import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, type Market, type Stock, decimal } from '@slipstream/domain';
import { aQuote } from '@slipstream/port-contracts';
import { type Broker, StorageUnavailable, type UnitOfWork } from '@slipstream/ports';
import type { Caller } from '../../src/index.js';
import { STOCKS, fixture, text } from '../fixture.js';

/** A strategy whose owner and followers can have bots with play money (`paper`) and with real money (`real`). */
async function world(unitOfWork: UnitOfWork = openMemory()) {
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses += 1;
  };
  const time = fixedClock(Date.UTC(2026, 0, 5, 15));
  let isSlow = false;
  /** On a slow machine time passes between two looks at it. */
  const now = (): number => {
    if (isSlow) time.advance(1);
    return time.now();
  };
  const clock = { ...time, now };
  const ports = memoryPorts({ unitOfWork, pause, clock });
  const { ids } = ports;
  const market = (): Market<Stock> => {
    const quoteOf = (stockId: Stock['id']) => aQuote({ stockId, at: clock.now() });
    return {
      now: clock.now(),
      stock: (stockId) => STOCKS.find((stock) => stock.id === stockId),
      quote: quoteOf,
      freshQuote: quoteOf,
      session: () => ({ opensAt: 0, closesAt: Number.MAX_SAFE_INTEGER }),
    };
  };
  const paper = { ...simulatedBroker({ unitOfWork, ids, market }), name: 'paper' };
  const real: Broker = {
    ...paper,
    name: 'real',
    live: true,
    link: async (request) => ({ ...(await paper.link(request)), live: true }),
  };
  const brokers = new Map<string, Broker>([paper, real].map((broker) => [broker.name, broker]));
  const made = await fixture({ ...ports, brokers });
  const { app } = made;
  const owner = await made.user('owner');
  const strategyId = await made.strategy(owner);

  /** Bots act for a few minutes on fresh quotes. */
  const settle = async () => {
    for (let minute = 0; minute < 4; minute += 1) {
      clock.advance(MINUTE);
      await made.quote('aapl', '100');
      await app.tick();
      await app.runBots();
    }
  };
  return {
    ...made,
    owner,
    settle,
    strategyId,
    pauses: () => pauses,
    becomeSlow: () => {
      isSlow = true;
    },
    async bot(user: Caller, name: 'paper' | 'real', percent = '1') {
      const bot = await app.newBot(user, {
        type: 'stock',
        broker: name,
        allocations: [{ strategyId, percent: decimal(percent) }],
      });
      await app.startBot(user, { botId: bot.id, live: name === 'real' });
      await settle();
      return bot;
    },
    /** The strategy then holds that part in AAPL, by one fill. */
    async hold(percent: string) {
      await app.newOrderAllocations(owner, {
        strategyId,
        allocations: percent === '0' ? [] : [{ stock: 'aapl', percent: decimal(percent) }],
        slippage: decimal('0'),
      });
      await settle();
    },
    async ownerTrades() {
      const [view] = await app.getStrategies({ kind: 'anonymous' }, { strategyIds: [strategyId] });
      const figure = view?.ownerTrades;
      return figure && { share: text(figure.share), since: figure.since, bots: figure.bots };
    },
    async stored() {
      return unitOfWork.read(
        async ({ strategies }) => (await strategies.find(strategyId))?.ownerTrades,
      );
    },
  };
}

describe('owner_trades of a strategy (contract 8)', () => {
  it("says which part its owner's live bot mirrored, computed once a day", async () => {
    const { app, owner, bot, hold, ownerTrades, ports, quote } = await world();
    await quote('aapl', '100');
    await app.measureOwnerTrades();
    await bot(owner, 'real');
    const since = ports.clock.now();
    await hold('0.5');
    await hold('0.2');
    await app.measureOwnerTrades();
    expect(await ownerTrades()).toBeNull();

    ports.clock.advance(DAY);
    await app.measureOwnerTrades();
    expect(await ownerTrades()).toEqual({ share: '1', since, bots: 1 });

    ports.clock.advance(2 * DAY);
    expect(await ownerTrades()).toBeNull();
    await app.measureOwnerTrades();
    expect(await ownerTrades()).toEqual({ share: '1', since, bots: 1 });
    ports.clock.advance(90 * DAY);
    await app.measureOwnerTrades();
    expect(await ownerTrades()).toBeNull();
  });

  it('counts neither play money nor the bots of others', async () => {
    const { app, owner, strategyId, user, bot, hold, stored, quote } = await world();
    await quote('aapl', '100');
    await bot(owner, 'paper');
    const follower = await user('follower');
    await app.newStrategySubscription(follower, { strategyId, price: 0 });
    await bot(follower, 'real');
    await hold('0.5');
    await app.measureOwnerTrades();
    expect(await stored()).toBeNull();
  });

  it('counts nothing that the bot did with play money before it was moved to real money', async () => {
    const { app, owner, bot, hold, settle, stored, quote, ports } = await world();
    await quote('aapl', '100');
    const { id: botId } = await bot(owner, 'paper');
    await hold('0.5');
    await app.stopBot(owner, { botId });
    await settle();
    await app.updateBot(owner, { botId, broker: 'real', credentials: {} });
    await app.measureOwnerTrades();
    expect(await stored()).toBeNull();

    await app.startBot(owner, { botId, live: true });
    await settle();
    const since = ports.clock.now();
    await hold('0.25');
    ports.clock.advance(DAY);
    await app.measureOwnerTrades();
    expect(await stored()).toMatchObject({ since, bots: 1 });
    expect(text((await stored())?.share)).toBe('0.333333333333333333');
  });

  it('counts every fill, also after the bot stopped, and is not shown below nine tenths', async () => {
    const { app, owner, bot, hold, ownerTrades, stored, quote, ports } = await world();
    await quote('aapl', '100');
    const { id: botId } = await bot(owner, 'real');
    await hold('0.5');
    await app.stopBot(owner, { botId });
    await app.measureOwnerTrades();
    expect(await ownerTrades()).toMatchObject({ share: '1' });

    await hold('0.25');
    ports.clock.advance(DAY);
    await app.measureOwnerTrades();
    expect(text((await stored())?.share)).toBe('0.666666666666666666');
    expect(await ownerTrades()).toBeNull();
  });

  it('reads long lists in pages, and lets other work run in between', async () => {
    const { app, owner, strategyId, bot, hold, settle, stored, quote, pauses, becomeSlow } =
      await world();
    await quote('aapl', '100');
    await bot(owner, 'real');
    await hold('0.5');
    for (let fill = 0; fill < 250; fill += 1)
      await app.newOrder(owner, {
        strategyId,
        stock: 'aapl',
        action: fill % 2 === 0 ? 'buy' : 'sell',
        pricing: { type: 'market' },
        size: { by: 'amount', amount: decimal('0.001') },
      });
    await settle();
    becomeSlow();
    const before = pauses();
    await app.measureOwnerTrades();
    // Three pages, and every five milliseconds of more than 250 rows.
    expect(pauses() - before).toBeGreaterThan(40);
    // 0.5 of the 25.5 in all: the bot saw that the others left nothing to do.
    expect(text((await stored())?.share)).toMatch(/^0\.0196/);
  });

  it('is tried again an hour after a failure', async () => {
    const storage = openMemory();
    let isDown = false;
    const read: typeof storage.read = (work) =>
      isDown ? Promise.reject(new StorageUnavailable('the disk is gone')) : storage.read(work);
    const { app, owner, bot, hold, ownerTrades, ports, quote } = await world({
      ...storage,
      read,
    });
    await quote('aapl', '100');
    await bot(owner, 'real');
    await hold('0.5');
    isDown = true;
    await expect(app.measureOwnerTrades()).rejects.toThrow('the disk is gone');
    isDown = false;
    await app.measureOwnerTrades();
    expect(await ownerTrades()).toBeNull();
    ports.clock.advance(HOUR);
    await app.measureOwnerTrades();
    expect(await ownerTrades()).toMatchObject({ share: '1' });
  });
});
