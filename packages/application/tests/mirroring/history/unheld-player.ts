import {
  type Bot,
  type Decimal,
  type Quote,
  type StockAction,
  type StockId,
  ZERO,
  decimal,
  decimalText,
  id,
  round18,
  splitAmount,
  splitRatio,
  sum,
} from '@slipstream/domain';
import { aQuote, anAccess, positionsOf } from '@slipstream/port-contracts';
import { BotReconciler } from '../../../src/mirroring/index.js';
import { DARING, STEADY, type BotWorld, aBotWorld, follower } from '../bot-world.js';
import { type Setting, type Step, STOCKS } from './unheld-stories.js';

type Doing<Of extends Step['do']> = Extract<Step, { readonly do: Of }>;

export const numberOf = (value: Decimal): number => Number(decimalText(value));

const found = <One>(one: One | undefined): One => {
  if (one === undefined) throw new Error('not there');
  return one;
};

/** A world with a bot that plays stories in it, step by step. */
export async function aPlayer(setting: Setting) {
  const { wholeShares, acceptsFirst, dryRun, isOfTwo } = setting;
  const world: BotWorld = await aBotWorld({ wholeShares, acceptsFirst });
  const strategies = isOfTwo ? ([STEADY, DARING] as const) : ([STEADY] as const);
  let engine = world.engine;
  let [trades, actions] = [0, 0];
  const middles = new Map<StockId, { readonly price: number; readonly spread: number }>();

  const setPrice = (stockId: StockId, price: number, spread: number): void => {
    middles.set(stockId, { price, spread });
    const [bid, ask] = [1 - spread / 2, 1 + spread / 2].map((part) =>
      decimal((price * part).toFixed(6)),
    );
    world.quotes.set(stockId, aQuote({ stockId, bid: found(bid), ask: found(ask) }));
  };
  const middleOf = (stockId: StockId) => found(middles.get(stockId));
  const valuing = (stockId: StockId, amount: Decimal): Decimal => {
    const { bid, ask } = found(world.quotes.get(stockId));
    return amount.lt(ZERO) ? ask : bid;
  };

  /** Ticks until nothing is due. */
  const run = async (): Promise<void> => {
    for (let ticks = 0; ticks < 30; ticks += 1) {
      const due = await world.unitOfWork.read(async ({ bots }) => [
        ...(await bots.due(world.clock.now(), 100, 'well')),
        ...(await bots.due(world.clock.now(), 100, 'failed')),
      ]);
      if (due.length === 0) return;
      await engine.runDueBots();
    }
    throw new Error('the bots do not come to rest');
  };

  /** The strategy's value stays, its parts are these from now on. Only a trade takes it to the other side. */
  const hold = async ({ strategy, weights, trades: hasTrades }: Doing<'hold'>): Promise<void> => {
    const strategyId = [STEADY, DARING][strategy] ?? STEADY;
    const book = found(await world.unitOfWork.read(({ books }) => books.find(strategyId)));
    const held = [...book.positions.values()].map(({ stockId, amount }) =>
      amount.times(valuing(stockId, amount)),
    );
    const value = sum([book.cash, ...held]);
    if (value.lte(decimal('0.05'))) return;
    let cash = value;
    const holdings: Record<string, string> = {};
    const made = [];
    for (const [index, stockId] of STOCKS.entries()) {
      const before = book.positions.get(stockId)?.amount ?? ZERO;
      const wanted = world.delisted.has(stockId) ? 0 : (weights[index] ?? 0);
      const weight = hasTrades ? wanted : Math.abs(wanted) * (before.lt(ZERO) ? -1 : 1);
      const { price } = middleOf(stockId);
      const amount = decimal(((weight * numberOf(value)) / price).toFixed(12));
      if (!amount.eq(ZERO)) holdings[stockId] = decimalText(amount);
      cash = cash.minus(amount.times(valuing(stockId, amount)));
      const change = amount.minus(before);
      if (change.eq(ZERO)) continue;
      trades += 1;
      const action = change.gt(ZERO) ? ('buy' as const) : ('sell' as const);
      const figures = { price: decimal(price.toFixed(6)), amount: change.abs() };
      made.push({ id: id<'trade'>(`trade-${trades}`), stockId, action, ...figures });
    }
    await world.hold(strategyId, decimalText(round18(cash)), holdings, hasTrades ? made : []);
  };

  /** Books it at the strategies and at the broker. A dividend is half in the price. */
  const act = async ({ kind, stock, figure }: Doing<'action'>): Promise<void> => {
    const stockId = STOCKS[stock];
    if (world.delisted.has(stockId)) return;
    const { price, spread } = middleOf(stockId);
    const next = {
      split: price / Number(figure),
      cash_dividend: price - Number(figure) / 2,
      delisting: price,
    }[kind];
    if (next < 0.5) return;
    world.clock.advance(1_000);
    actions += 1;
    const action: StockAction = {
      ...{ id: id(`action-${actions}`), stockId, kind, figure: decimal(figure) },
      ...{ newShares: null, oldShares: null, status: 'done', createdAt: world.clock.now() },
    };
    setPrice(stockId, next, spread);
    if (kind === 'delisting') world.delisted.add(stockId);
    await world.unitOfWork.run(async ({ books }) => {
      for (const strategyId of [STEADY, DARING]) {
        const book = found(await books.find(strategyId));
        const held = book.positions.get(stockId);
        if (!held) continue;
        const others = [...book.positions.values()].filter((one) => one !== held);
        const paid = kind === 'split' ? ZERO : held.amount.times(action.figure);
        const amount =
          kind === 'split' ? splitAmount(held.amount, splitRatio(action)).amount : held.amount;
        const left = kind === 'delisting' ? [] : [{ ...held, amount }];
        const positions = positionsOf(...others, ...left);
        await books.save({ ...book, cash: book.cash.plus(paid), positions }, []);
      }
    });
    await world.broker.adjust?.(action);
    await world.unitOfWork.run(({ stockActions }) => stockActions.save(action));
  };

  const perform = async (bot: Bot, step: Step): Promise<void> => {
    switch (step.do) {
      case 'price': {
        const stockId = STOCKS[step.stock];
        if (world.delisted.has(stockId)) return;
        const price = middleOf(stockId).price * (1 + step.percent / 100);
        return setPrice(stockId, Math.max(1, price), step.spread);
      }
      case 'hold':
        return hold(step);
      case 'update':
        return void (await world.bots.update(bot.userId, { botId: bot.id, ...step.change }));
      case 'halted':
      case 'closed': {
        const [set, stockId] = [world[step.do], STOCKS[step.stock]];
        return void (set.delete(stockId) || set.add(stockId));
      }
      case 'flow': {
        const { accountId } = await world.find(bot.id);
        const access = anAccess({ accountId, credentials: { user_id: follower } });
        const cash = decimal(step.usd);
        return world.broker.transfer(access, { cash, stockId: null, amount: ZERO });
      }
      case 'action':
        return act(step);
      case 'restart':
        engine = new BotReconciler(world.deps);
        return;
      case 'pass':
        world.clock.advance((step.seconds - 1) * 1_000);
    }
  };

  for (const stockId of STOCKS) setPrice(stockId, 100, 0);
  await hold({ do: 'hold', strategy: 0, weights: [0.5, 0.4], trades: true });
  await hold({ do: 'hold', strategy: 1, weights: [0.8, -0.5], trades: true });
  const percent = decimal(isOfTwo ? '0.5' : '1');
  const bot = await world.start({
    dryRun,
    limits: {
      maxDrawdown: decimal('0.95'),
      ...{ maxDailyLoss: null, maxOrdersPerDay: null, maxTurnoverPerDay: null },
    },
    rebalance: setting.hasBand ? { band: decimal('0.03') } : 'every_trade',
    join: setting.joinsNew ? 'new_only' : 'all',
    existingPositions: setting.keeps ? 'keep' : 'take_over',
    allocations: strategies.map((strategyId) => ({ strategyId, percent })),
  });
  await run();

  return {
    /** What the bot and its account are now, with all that its history tells so far. */
    async seen() {
      const rows = await world.unitOfWork.read(({ botHistory }) => botHistory.list(bot.id, 0));
      const orders = await world.bots.orders(bot.userId, { botId: bot.id, limit: 100 });
      const { status, following } = await world.find(bot.id);
      const { at, equity, target } = found(rows.at(-1));
      const gains = rows.map(({ unheld }) =>
        unheld ? unheld.notHeld.plus(unheld.leverageAndCaps) : ZERO,
      );
      return {
        ...{ at, status, equity: numberOf(equity), target: target && numberOf(target) },
        flows: numberOf(sum(rows.map(({ flow }) => flow ?? ZERO))),
        isKnown: rows.every(({ flow }) => flow !== null),
        gains: numberOf(sum(gains)),
        orders: orders
          .map((order) => `${order.id} ${order.status} ${decimalText(order.filledAmount)}`)
          .join('\n'),
        isFollowing: following.open.size > 0,
      };
    },

    quotes: (): ReadonlyMap<StockId, Quote> => new Map(world.quotes),

    /** Does it, and lets the bot come to rest a second later. */
    async play(step: Step): Promise<void> {
      await perform(bot, step);
      world.clock.advance(1_000);
      for (const strategyId of strategies) await engine.wakeBots(strategyId);
      await run();
    },
  };
}
