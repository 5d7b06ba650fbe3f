import {
  type AccountActivity,
  type Bot,
  type BrokerAccount,
  type BrokerPosition,
  type Decimal,
  type HeldParts,
  type OwnersChange,
  type Quote,
  type Splits,
  type StockId,
  type TargetMark,
  type Timestamp,
  DAY,
  decimalText,
  isOfPresentAccount,
  managedAccount,
  atPriceOfNewShares,
  attributeHoldings,
  cashTakenByHand,
  inSharesOfToday,
  keptShortsOf,
  positionOf,
  stocksInTransit,
  sum,
  takenOver,
  underKnownNames,
  withToldNames,
  ZERO,
} from '@slipstream/domain';
import type { ReadStores, Stores } from '@slipstream/ports';
import { type BotDeps, notifyOwner } from './bot-deps.js';
import { isNewMinute, recordReading } from './history/account-history.js';
import type { BotStep, HeldUpOrders } from './bot-step.js';
import { requireNotEmptied } from './checks/emptied-account.js';
import { LARGEST_FEE, besideItsFills } from './checks/late-fills.js';
import { reportOf } from './limits/broker-report.js';
import { type ReadAccount, bookedFor, judgeReading, measuresLosses } from './limits/losses.js';

/** An account as its bot may see it (contract 10). */
export interface ManagedAccount extends ReadAccount {
  /** All that the broker reports, each holding under the name by which it is known here and in shares of now. */
  readonly whole: BrokerAccount;
  /** To store: the next reading is compared with them. */
  readonly heldParts: HeldParts;
  /** Stocks that the broker tells by a new symbol, which is not known here yet. */
  readonly renamed: ReadonlySet<StockId>;
  /** Stocks whose broker is still to apply a split that is booked here: they are not traded. */
  readonly late: ReadonlySet<StockId>;
  /** The owner's trades by hand since the parts were last read. */
  readonly changes: readonly OwnersChange[];
}

/** An account that a check of its bot has read. */
export interface SeenAccount extends ManagedAccount {
  /** What was kept with this reading; undefined when this reading is not kept. */
  readonly kept?: {
    readonly targetMark: TargetMark;
    /** When the newest corporate action of then was made. */
    readonly newestAction: Timestamp;
  };
}

/** What is the owner's and is not traded: all that the broker reports, less the bot's part. */
export function keptHoldings({
  whole,
  account,
}: Pick<ManagedAccount, 'whole' | 'account'>): readonly Pick<
  BrokerPosition,
  'stockId' | 'amount'
>[] {
  const own = new Map(account.positions.map(({ stockId, amount }) => [stockId, amount]));
  return whole.positions
    .map(({ stockId, amount }) => ({ stockId, amount: amount.minus(own.get(stockId) ?? ZERO) }))
    .filter(({ amount }) => !amount.eq(ZERO));
}

/**
 * The account with what the bot has seen in it before and its broker has no price of any more, at the last price known here: a market that
 * went away is no sale.
 */
function withUnpriced(
  { market }: Pick<BotDeps, 'market'>,
  { heldParts, lossWatch }: Pick<Bot, 'heldParts' | 'lossWatch'>,
  account: BrokerAccount,
): BrokerAccount {
  const found = (account.unpriced ?? []).flatMap(({ stockId, amount }) => {
    const known = lossWatch?.holdings.get(stockId) ?? lossWatch?.keptShorts?.get(stockId);
    const price = market().quote(stockId)?.bid ?? known?.price;
    if (!heldParts.has(stockId) || !price?.gt(ZERO)) return [];
    return [{ stockId, amount, price, value: amount.times(price) }];
  });
  if (found.length === 0) return account;
  return {
    ...account,
    equity: account.equity.plus(sum(found.map(({ value }) => value))),
    positions: [...account.positions, ...found],
  };
}

/** The account with what its broker reports of splits that are not booked here. */
function withReportedSplits(
  { clock, market }: Pick<BotDeps, 'clock' | 'market'>,
  { heldParts }: Pick<Bot, 'heldParts'>,
  account: BrokerAccount,
  splits: Splits,
  activities: readonly AccountActivity[],
): BrokerAccount {
  const quoteOf = (stockId: StockId): Quote | undefined => market().quote(stockId);
  return atPriceOfNewShares(account, heldParts, { now: clock.now(), splits, quoteOf, activities });
}

/** Subtracts kept positions from the account that the broker reports. `splits` are those of `splitsFor`. */
export function managedBy(
  { clock, ...deps }: Pick<BotDeps, 'clock' | 'market'>,
  bot: Bot,
  reported: BrokerAccount,
  splits: Splits,
  heldUp: HeldUpOrders = new Map(),
): ManagedAccount {
  const market = deps.market();
  const now = clock.now();
  const quoteOf = (stockId: StockId): Quote | undefined => market.quote(stockId);
  const isListed = (stockId: StockId): boolean => market.stock(stockId) !== undefined;
  const lastPriceOf = (stockId: StockId): Decimal | undefined =>
    bot.lossWatch?.holdings.get(stockId)?.price;
  const known = { now, splits, quoteOf, lastPriceOf, isListed };
  const named = underKnownNames(reported, bot.heldParts, known);
  const { account: whole, late } = inSharesOfToday(named, bot.heldParts, { now, splits, quoteOf });
  const account = withUnpriced(deps, bot, whole);
  const divided = attributeHoldings(bot.heldParts, {
    account,
    now,
    splits,
    quoteOf,
    late,
    heldUp,
  });
  const { parts, present, changes, inDoubt } =
    bot.existingPositions === 'take_over'
      ? { ...divided, present: takenOver({ account, now }), changes: [], inDoubt: [] }
      : divided;
  const byHand = [...changes, ...inDoubt];
  const priceOf = (stockId: StockId): Decimal | undefined =>
    positionOf(account, stockId)?.price ?? market.quote(stockId)?.bid;
  return {
    whole,
    renamed: new Set(
      named.positions
        .map(({ stockId }) => stockId)
        .filter((stockId) => !positionOf(reported, stockId)),
    ),
    late,
    account: managedAccount(account, present, isListed),
    parts: present,
    keptShorts: keptShortsOf(account, present, isListed),
    heldParts: withToldNames(parts, named, reported),
    changes,
    inTransit: stocksInTransit({ account, quoteOf }),
    takenByHand: cashTakenByHand(byHand, priceOf),
    cameToKept: new Map(
      byHand.flatMap(({ stockId, keptMore }) => {
        const price = priceOf(stockId);
        return keptMore.gt(ZERO) && price ? [[stockId, { amount: keptMore, price }]] : [];
      }),
    ),
  };
}

const isSame = (before: HeldParts, after: HeldParts): boolean =>
  before.size === after.size &&
  [...after].every(([stockId, { kept, own, toldAs }]) => {
    const part = before.get(stockId);
    return part?.toldAs === toldAs && part?.kept.eq(kept) === true && part.own.eq(own);
  });

const SAID = 'Not from orders of this bot, so kept and not traded:';
const SOLD = 'Its own orders traded as much away in the last day:';
const IF_BUSTED =
  'If its broker cancelled such a trade afterwards, trade that again by hand; the bot does not.';
const GONE = 'Gone from the account without an order of this bot:';
const WHAT_FOLLOWS = 'It buys again what its strategies hold; pause it if it should not.';

/** What is gone of the bot's own. What a broker keeps of the coins that were bought is their fee. */
function goneFrom(
  { type, heldParts }: Pick<Bot, 'type' | 'heldParts'>,
  changes: readonly OwnersChange[],
): readonly { readonly stockId: StockId; readonly amount: Decimal }[] {
  const feeOf = (stockId: StockId): Decimal =>
    type === 'stock' ? ZERO : (heldParts.get(stockId)?.own ?? ZERO).abs().times(LARGEST_FEE);
  return changes
    .filter(({ stockId, ownLess }) => ownLess.gt(feeOf(stockId)))
    .map(({ stockId, ownLess }) => ({ stockId, amount: ownLess }));
}

/**
 * What came back of what the bot sold, or bought to cover, since a day: its owner traded it by hand, or a broker took a trade back. No
 * broker says which.
 */
async function cameBack(
  { clock }: Pick<BotDeps, 'clock'>,
  { botOrders }: Pick<ReadStores, 'botOrders'>,
  bot: Bot,
  added: readonly OwnersChange[],
): Promise<readonly OwnersChange[]> {
  if (added.length === 0) return [];
  const orders = await botOrders.since(bot.id, clock.now() - DAY);
  return added.filter(({ stockId, amount, keptMore }) => {
    const action = keptMore.gt(ZERO) ? 'sell' : 'buy';
    const alike = orders.filter(
      (order) =>
        order.stockId === stockId && order.action === action && isOfPresentAccount(bot, order),
    );
    return sum(alike.map(({ filledAmount }) => filledAmount)).gte(amount);
  });
}

/** Tells the owner what came to the account, and what went, without an order of the bot. */
async function tellChanges(
  deps: BotDeps,
  stores: Stores,
  bot: Bot,
  changes: readonly OwnersChange[],
): Promise<void> {
  const market = deps.market();
  const listOf = (some: readonly Pick<OwnersChange, 'stockId' | 'amount'>[]): string =>
    some
      .map(
        ({ stockId, amount }) =>
          `${decimalText(amount)} ${market.stock(stockId)?.symbol ?? stockId}`,
      )
      .join(', ');
  const added = changes.filter(({ kind }) => kind === 'added');
  const back = await cameBack(deps, stores, bot, added);
  if (added.length > 0) {
    const kind = back.length > 0 ? 'warning' : 'info';
    const more = back.length > 0 ? ` ${SOLD} ${listOf(back)}. ${IF_BUSTED}` : '';
    await notifyOwner(deps, stores, bot, { kind, text: `${SAID} ${listOf(added)}.${more}` });
  }
  const gone = goneFrom(bot, changes);
  if (gone.length > 0) {
    const text = `${GONE} ${listOf(gone)}. ${WHAT_FOLLOWS}`;
    await notifyOwner(deps, stores, bot, { kind: 'warning', text });
  }
}

/**
 * Reads the account and stores which part of it is kept, before anything is planned. In the same transaction the owner is
 * notified of what else is kept now and of what is gone, and a loss beyond a limit is latched. Each reading that is stored is in the history of the account, at least one a minute; otherwise, when nothing changed and no loss is limited, it only reads.
 */
export async function readManagedAccount(step: BotStep): Promise<SeenAccount> {
  const { deps, bot, broker, access } = step;
  const account = await broker.account(access, deps.instruments);
  requireNotEmptied(bot, account);
  const compare = async (
    stores: Pick<ReadStores, 'bots' | 'stockActions' | 'botHistory'>,
    activities: readonly AccountActivity[] | null,
  ) => {
    const current = (await stores.bots.find(bot.id)) ?? bot;
    const booked = await bookedFor(deps, stores, current);
    const seen = activities
      ? withReportedSplits(deps, current, account, booked.splits, activities)
      : account;
    const managed = managedBy(deps, current, seen, booked.splits, step.heldUp);
    const isKnown =
      isSame(current.heldParts, managed.heldParts) && !(await isNewMinute(stores, deps, current));
    return { current, managed, booked, isKnown };
  };
  const seen = await besideItsFills(step, account, (stores) => compare(stores, null));
  if (seen.isKnown && !measuresLosses(seen.current)) return seen.managed;
  const activities = await reportOf(step, seen.current, seen.managed, seen.booked);
  const keep = async (stores: Stores) => {
    const { current, managed } = await compare(stores, activities);
    const read = { ...current, heldParts: managed.heldParts };
    const { bot: judged, flow } = await judgeReading(deps, stores, read, {
      ...managed,
      activities,
    });
    const { account: part } = managed;
    const recorded = await recordReading(deps, stores, judged, { account: part, flow });
    const { bot: saved, newestAction } = recorded;
    await stores.bots.save(saved);
    await tellChanges(deps, stores, current, managed.changes);
    return { saved, managed, newestAction };
  };
  const kept = await deps.unitOfWork.run(keep, { onCommit: ({ saved }) => deps.losses.put(saved) });
  const { newestAction } = kept;
  return { ...kept.managed, kept: { targetMark: kept.saved.targetMark, newestAction } };
}
