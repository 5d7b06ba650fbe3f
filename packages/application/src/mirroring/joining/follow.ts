import {
  ALL_JOINED,
  type Book,
  type Bot,
  type BrokerAccount,
  FOLLOWS_NOTHING,
  type Following,
  type StrategyId,
  type Weights,
  ZERO,
  limitedTarget,
  targetWeights,
  unjoinedAtStart,
} from '@slipstream/domain';
import type { ReadStores } from '@slipstream/ports';
import type { BotDeps } from '../bot-deps.js';
import { readTrades } from '../history/followed-trades.js';

type Reads = Pick<ReadStores, 'books' | 'trades' | 'stockActions'>;

/** The books of the strategies that these allocations mirror. */
export async function mirroredBooks(
  stores: Pick<ReadStores, 'books'>,
  { allocations }: Pick<Bot, 'allocations'>,
): Promise<ReadonlyMap<StrategyId, Book>> {
  const books = new Map<StrategyId, Book>();
  for (const { strategyId, percent } of allocations) {
    const book = percent.eq(ZERO) ? undefined : await stores.books.find(strategyId);
    if (book) books.set(strategyId, book);
  }
  return books;
}

/** A bot that starts follows the trades from now on. By its `join` it takes what came of those before, or not. */
export async function followingAtStart(
  { market }: Pick<BotDeps, 'market'>,
  stores: Reads,
  bot: Bot,
  account: BrokerAccount,
): Promise<Following> {
  const following = await readTrades(stores, { ...bot, following: FOLLOWS_NOTHING });
  if (bot.join === 'all') return following;
  const books = await mirroredBooks(stores, bot);
  const target = targetWeights(bot, books, market());
  // Every check sizes by the capital anew. The caps bind no more once a part of the target is missing, so what they took is not held.
  const sized = (weights: Weights): Weights => {
    const { maxCapital } = bot.limits;
    const limits = { maxCapital, maxGross: null, maxPerStock: null };
    return limitedTarget(weights, account.equity, limits, String).weights;
  };
  const weights = target.kind === 'weights' ? sized(target.weights) : undefined;
  return { ...following, unjoined: unjoinedAtStart(bot.allocations, books, account, weights) };
}

const NOTHING_HELD = { positions: [], equity: ZERO };

/** After a change of its settings, what the strategies that an active bot mirrors anew hold counts as held before its start. */
export async function followingAfter(
  stores: Reads,
  before: Pick<Bot, 'allocations'>,
  changed: Bot,
): Promise<Following> {
  const { following, allocations, condition } = changed;
  if (changed.join === 'all') return { ...following, unjoined: ALL_JOINED };
  const known = before.allocations.filter(({ percent }) => !percent.eq(ZERO));
  const added = allocations.filter(
    ({ strategyId }) => !known.some((one) => one.strategyId === strategyId),
  );
  if (condition !== 'active' || added.length === 0) return following;
  const read = await readTrades(stores, changed);
  const books = await mirroredBooks(stores, { allocations: added });
  const unjoined = unjoinedAtStart(added, books, NOTHING_HELD);
  return { ...read, unjoined: new Map([...read.unjoined, ...unjoined]) };
}
