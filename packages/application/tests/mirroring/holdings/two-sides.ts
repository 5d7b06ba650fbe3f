import {
  type Action,
  type Bot,
  type BrokerAccount,
  type StockAction,
  type StockId,
  decimal,
  divide,
  id,
  sum,
} from '@slipstream/domain';
import { anAccess } from '@slipstream/port-contracts';
import { ACME, BOLT, STEADY, aBotWorld, follower } from '../bot-world.js';

export const STOCKS = [ACME, BOLT] as const;
/** Who has a split first; the other one has it later. */
export type Side = 'broker' | 'service';

export interface Ratio {
  readonly newShares: number;
  readonly oldShares: number;
}

const quotient = ({ newShares, oldShares }: Ratio): number => newShares / oldShares;
const written = (value: number): string => value.toFixed(12);

/**
 * A bot and its owner with holdings of the same stocks in one account, whose broker has splits, new symbols and delistings at other moments
 * than this service. Prices change by splits alone, and nothing is sent in a stock that both sides know otherwise.
 */
export async function twoSides(existingPositions: Bot['existingPositions']) {
  const world = await aBotWorld();
  const { broker, clock, unitOfWork } = world;
  const prices = new Map<StockId, number>(STOCKS.map((stockId) => [stockId, 100]));
  /** What is truly the owner's, as the broker counts it. */
  const kept = new Map<StockId, number>(STOCKS.map((stockId) => [stockId, 0]));
  const oneSided = new Map<StockId, { readonly ratio: Ratio; readonly first: Side }>();
  const renamed = new Set<StockId>();
  const delisted = new Set<StockId>();
  const priceOf = (stockId: StockId): number => prices.get(stockId) ?? 0;
  let [weights, made]: [readonly number[], number] = [[0.5, 0], 0];

  const seenAtBroker = (position: BrokerAccount['positions'][number]) => {
    const { stockId, amount, price } = position;
    const split = oneSided.get(stockId);
    const [more, fewer] = split
      ? [split.ratio.newShares, split.ratio.oldShares].map((shares) => decimal(`${shares}`))
      : [];
    // The price of one of the shares that its broker has: the simulated one knows no price but ours.
    const own =
      more && fewer
        ? split?.first === 'broker'
          ? divide(price.times(fewer), more)
          : divide(price.times(more), fewer)
        : price;
    const told = renamed.has(stockId) ? id<'stock'>(`new-${stockId}`) : stockId;
    return { stockId: told, amount, price: own, value: amount.times(own) };
  };
  world.brokers.set('simulated', {
    ...broker,
    place: (access, order) => {
      const stockId = order.stock.id;
      if (oneSided.has(stockId) || renamed.has(stockId) || delisted.has(stockId))
        throw new Error(`${order.action} ${stockId} was sent`);
      return broker.place(access, order);
    },
    account: async (...given) => {
      const whole = await broker.account(...given);
      const positions = whole.positions.map(seenAtBroker);
      const equity = whole.cash.plus(sum(positions.map(({ value }) => value)));
      return { ...whole, positions, equity };
    },
  });

  const trade = async (): Promise<void> => {
    const amounts = STOCKS.map(
      (stockId, at) => [stockId, (weights[at] ?? 0) / priceOf(stockId)] as const,
    );
    const held = amounts.filter(([, amount]) => amount > 0);
    const cash = weights.reduce((left, weight) => left - weight, 1);
    await world.hold(
      STEADY,
      written(cash),
      Object.fromEntries(held.map(([stockId, amount]) => [stockId, written(amount)])),
    );
  };
  const setPrice = (stockId: StockId, price: number): void => {
    prices.set(stockId, price);
    world.price(stockId, written(price));
  };
  for (const stockId of STOCKS) setPrice(stockId, 100);
  await trade();
  const bot = await world.aNewBot({
    existingPositions,
    // Nothing is lost but costs.
    limits: { maxDailyLoss: decimal('0.02'), maxDrawdown: decimal('0.02') },
  });
  const access = anAccess({ accountId: bot.accountId, credentials: { user_id: follower } });
  const atBroker = async (stockId: StockId): Promise<number> => {
    const { positions } = await broker.account(access, world.deps.instruments);
    return Number(positions.find((one) => one.stockId === stockId)?.amount.toFixed() ?? 0);
  };
  const actionOf = (stockId: StockId, kind: StockAction['kind'], ratio: Ratio | undefined) => ({
    ...{ id: id<'stock_action'>(`action-${(made += 1)}`), stockId, kind },
    figure: decimal(written(ratio ? quotient(ratio) : priceOf(stockId))),
    newShares: ratio ? decimal(`${ratio.newShares}`) : null,
    oldShares: ratio ? decimal(`${ratio.oldShares}`) : null,
    ...{ status: 'done' as const, createdAt: clock.now() },
  });
  const apply = async (side: Side, stockId: StockId, ratio: Ratio): Promise<void> => {
    clock.advance(1000);
    const action = actionOf(stockId, 'split', ratio);
    if (side === 'broker') {
      await broker.adjust?.(action);
      kept.set(stockId, (kept.get(stockId) ?? 0) * quotient(ratio));
      return;
    }
    setPrice(stockId, priceOf(stockId) / quotient(ratio));
    await unitOfWork.run(({ stockActions }) => stockActions.save(action));
    await trade();
  };
  const other = (side: Side): Side => (side === 'broker' ? 'service' : 'broker');

  return {
    ...{ world, bot, oneSided, renamed, delisted, kept, atBroker },
    async check(minutes = 1): Promise<void> {
      clock.advance(minutes * 60_000);
      await world.run();
    },
    /** By hand: what the owner sells is the bot's first. */
    async byHand(stockId: StockId, action: Action, usd: number): Promise<void> {
      const [before, amount] = [await atBroker(stockId), usd / priceOf(stockId)];
      if (action === 'sell' && amount > before) return;
      const clientOrderId = `by hand ${(made += 1)}`;
      const order = { clientOrderId, stock: world.stockOf(stockId), action, closes: false };
      await broker.place(access, { ...order, amount: decimal(amount.toFixed(3)), limit: null });
      const after = await atBroker(stockId);
      const own = kept.get(stockId) ?? 0;
      kept.set(stockId, action === 'buy' ? own + after - before : Math.min(own, after));
    },
    async follow(next: readonly number[]): Promise<void> {
      weights = next.map((weight, at) => (delisted.has(STOCKS[at] ?? ACME) ? 0 : weight));
      await trade();
    },
    /** A split that one side has, or both. */
    async split(stockId: StockId, ratio: Ratio, first: Side | 'both'): Promise<void> {
      await apply(first === 'both' ? 'broker' : first, stockId, ratio);
      if (first === 'both') await apply('service', stockId, ratio);
      else oneSided.set(stockId, { ratio, first });
    },
    /** The other side has it, too. */
    async catchUp(stockId: StockId): Promise<void> {
      const split = oneSided.get(stockId);
      if (split) await apply(other(split.first), stockId, split.ratio);
      oneSided.delete(stockId);
    },
    /** Delisted here, at its last price. */
    async delist(stockId: StockId): Promise<void> {
      delisted.add(stockId);
      world.delisted.add(stockId);
      weights = weights.map((weight, at) => (STOCKS[at] === stockId ? 0 : weight));
      await trade();
    },
    async payOut(stockId: StockId): Promise<void> {
      clock.advance(1000);
      await broker.adjust?.(actionOf(stockId, 'delisting', undefined));
      kept.set(stockId, 0);
    },
    /** The shares of the owner as the broker counts them, or as they count here while only this side has a split. */
    keptHere(stockId: StockId): number {
      const split = oneSided.get(stockId);
      const scale = split?.first === 'service' ? quotient(split.ratio) : 1;
      return (kept.get(stockId) ?? 0) * scale;
    },
  };
}
