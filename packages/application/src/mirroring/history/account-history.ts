import {
  type AccountBucket,
  type Bot,
  type BrokerAccount,
  type Decimal,
  HOUR,
  MINUTE,
  TIMEFRAME_LENGTHS,
  type StockAction,
  type StockId,
  type Timeframe,
  type Timestamp,
  type Unheld,
  type UserId,
  ZERO,
  addAccount,
  compactAccounts,
  mergeAccounts,
  nextMark,
  revaluedUnheld,
  strategyValue,
} from '@slipstream/domain';
import { type ReadStores, type Stores, isSure } from '@slipstream/ports';
import { aged } from '../../performance/aged.js';
import { chunksOf } from '../../chunks-of.js';
import { type BotDeps, ownBot } from '../bot-deps.js';
import { mirroredBy } from '../mirrored-strategies.js';

/** Whether the present minute has no reading in the history yet. */
export async function isNewMinute(
  { botHistory }: Pick<ReadStores, 'botHistory'>,
  { clock }: Pick<BotDeps, 'clock'>,
  bot: Bot,
): Promise<boolean> {
  const last = await botHistory.last(bot.id);
  const now = clock.now();
  if (!last) return true;
  const minute = Math.floor(last.at / MINUTE) * MINUTE;
  // The last one may be of a moment in which the clock was ahead.
  return now < minute || now >= minute + MINUTE;
}

/** Merges what has grown old, once an hour; not by a clock that is in doubt, because what is merged stays so. */
async function mergeOld(
  { botHistory }: Pick<Stores, 'botHistory'>,
  { clock }: Pick<BotDeps, 'clock'>,
  { id }: Bot,
  last: AccountBucket | undefined,
  added: AccountBucket,
): Promise<void> {
  if (!last || Math.floor(last.start / HOUR) === Math.floor(added.start / HOUR)) return;
  if (!isSure(clock)) return;
  const shorterBefore = (before: number, length: number) =>
    botHistory.shorterBefore(id, before, length);
  const { removed, saved } = compactAccounts(await aged(shorterBefore, added.start), added.start);
  if (removed.length > 0) await botHistory.remove(id, removed);
  for (const bucket of saved) await botHistory.save(id, bucket);
}

/** The corporate actions in what is not held since it was last valued: most of the time none is so new. */
async function actionsOf(
  { stockActions }: Pick<ReadStores, 'stockActions'>,
  unheld: Unheld,
  newest: Timestamp,
): Promise<ReadonlyMap<StockId, readonly StockAction[]>> {
  const found = new Map<StockId, readonly StockAction[]>();
  for (const [stockId, { at }] of unheld)
    if (newest > at) found.set(stockId, await stockActions.ofStock(stockId, at));
  return found;
}

/**
 * Adds a reading of the account to the bot's history, in the transaction that keeps the reading. Answers the bot, with the mark of its
 * target, and when the newest corporate action was made. `flow` since the reading before is null when it is not known.
 */
export async function recordReading(
  { clock, market }: Pick<BotDeps, 'clock' | 'market'>,
  stores: Pick<Stores, 'books' | 'botHistory' | 'stockActions' | 'strategies' | 'subscriptions'>,
  bot: Bot,
  { account, flow }: { readonly account: BrokerAccount; readonly flow: Decimal | null },
): Promise<{ readonly bot: Bot; readonly newestAction: Timestamp }> {
  const quotes = market();
  const values = new Map<string, Decimal | undefined>();
  for (const { strategyId, isFollowed } of await mirroredBy(stores, bot, clock)) {
    // The target tells what a strategy holds, also while the bot closes what it holds itself.
    const book = isFollowed ? await stores.books.find(strategyId) : undefined;
    values.set(strategyId, book && strategyValue(book, quotes));
  }
  const { target, mark } = nextMark(bot.targetMark, bot, (strategyId) => values.get(strategyId));
  const before = mark.unheld;
  const newestAction = (await stores.stockActions.newest())?.createdAt ?? 0;
  const { unheld, gain } = revaluedUnheld(before, {
    at: newestAction,
    quoteOf: (stockId) => quotes.quote(stockId),
    actions: await actionsOf(stores, before, newestAction),
  });
  const last = await stores.botHistory.last(bot.id);
  const { equity, cash } = account;
  const bucket = addAccount(last, {
    at: clock.now(),
    equity,
    cash,
    // Nothing flowed since a reading that there was not.
    flow: last ? flow : ZERO,
    target,
    unheld: gain,
  });
  await stores.botHistory.save(bot.id, bucket);
  await mergeOld(stores, { clock }, bot, last, bucket);
  return { bot: { ...bot, targetMark: { ...mark, unheld } }, newestAction };
}

/** The most rows in an answer of getBotHistory. */
const MAX_ROWS = 500;

/** At most so many buckets over the same span, neighbours merged evenly. */
const downsample = (buckets: readonly AccountBucket[], most: number): AccountBucket[] =>
  chunksOf(buckets, Math.max(1, Math.ceil(buckets.length / most))).map((some) =>
    some.reduce((earlier, later) => mergeAccounts(earlier, later)),
  );

/** The account's history over the timeframe, oldest first: longer ones with neighbours merged. */
export const getBotHistory =
  ({ unitOfWork, clock }: Pick<BotDeps, 'unitOfWork' | 'clock'>) =>
  (
    userId: UserId,
    command: { readonly botId: string; readonly timeframe?: Timeframe | undefined },
  ): Promise<AccountBucket[]> =>
    unitOfWork.read(async (stores) => {
      const bot = await ownBot(stores, userId, command.botId);
      const from = clock.now() - TIMEFRAME_LENGTHS[command.timeframe ?? 'month'];
      const buckets = await stores.botHistory.list(bot.id, from);
      return downsample(buckets, MAX_ROWS);
    });
