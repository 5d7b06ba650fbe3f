import { type Decimal, ZERO, decimal, divide, max, min, sum } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import type { Splits } from '../../market/split.js';
import type { Quote } from '../../market/stock.js';
import type { BrokerAccount, BrokerPosition } from '../bot-account.js';
import {
  type HeldPart,
  type HeldParts,
  type Parts,
  type UnexplainedChange,
  inSharesOfNow,
} from './held-part.js';

/** An amount that the owner of an account brought in or took out by hand, seen when the account was read. */
export interface OwnersChange {
  readonly stockId: StockId;
  /** `added` is kept; `taken` left the bot's part or, below it, what was kept. */
  readonly kind: 'added' | 'taken';
  /** Positive, in the account's own units. */
  readonly amount: Decimal;
  /** How much more is kept long, signed. Trades of a kept short are not in it: the cash to buy it back is kept, too. */
  readonly keptMore: Decimal;
}

const NOTHING: Parts = { kept: ZERO, own: ZERO };

const signOf = (amount: Decimal): -1 | 0 | 1 => {
  if (amount.eq(ZERO)) return 0;
  return amount.gt(ZERO) ? 1 : -1;
};

const turned = (amount: Decimal, side: -1 | 1): Decimal =>
  side === 1 ? amount : ZERO.minus(amount);

/** The parts once a bot that took over a holding traded what was there before: what it sold of it is kept no more. */
function netted(part: Parts): Parts {
  const { kept, own } = part;
  if (signOf(kept) * signOf(own) >= 0) return part;
  const left = kept.plus(own);
  return kept.abs().gt(own.abs()) ? { kept: left, own: ZERO } : { kept: ZERO, own: left };
}

/** The parts of a holding when the broker says that `held` (signed) is there. */
function partsOf(part: Parts, held: Decimal): Parts {
  const { kept, own } = netted(part);
  const side = signOf(kept) || signOf(own) || signOf(held);
  if (side === 0) return NOTHING;
  const there = turned(held, side);
  // Beyond zero nothing is left of either part: what is there now is the owner's doing.
  if (there.lt(ZERO)) return { kept: held, own: ZERO };
  const [theirs, mine] = [turned(kept, side), turned(own, side)];
  const keptNow = there.gte(theirs.plus(mine)) ? there.minus(mine) : min(theirs, there);
  return { kept: turned(keptNow, side), own: turned(there.minus(keptNow), side) };
}

/** What the parts of an account are compared with. */
export interface SeenAccount {
  readonly account: Pick<BrokerAccount, 'positions'>;
  readonly now: Timestamp;
  /** Every split since the parts were last compared. */
  readonly splits: Splits;
  /**
   * Our latest quote, however old: splits reach a broker before the market opens, so that an old quote is the one that shows them.
   * While it and the broker's price are of different shares, the stored parts wait.
   */
  readonly quoteOf: (stockId: StockId) => Prices | undefined;
  /** Stocks whose amounts are told in new shares though their broker is still to apply a split: the stored parts wait. */
  readonly late?: ReadonlySet<StockId>;
  /** What open orders of the bot may still fill, signed, by stock: their parts are compared once they ended. */
  readonly heldUp?: ReadonlyMap<StockId, Decimal>;
}

type Prices = Pick<Quote, 'bid' | 'ask'>;

const [LEAST_SHARE, LARGEST_SHARE] = [decimal('0.9'), decimal('1.1')];

/** Whether a broker values a stock by our price: beyond a tenth, a split has reached one of both alone, or the mapping is wrong. */
export const isSamePrice = (broker: Decimal, { bid, ask }: Prices): boolean =>
  broker.gte(bid.times(LEAST_SHARE)) && broker.lte(ask.times(LARGEST_SHARE));

/**
 * The parts of a holding while its prices are of different shares. If its amount changed as its price did, a split scaled both
 * parts. Otherwise whatever there is beyond the bot's part is kept.
 */
function partsInTransit(
  { kept, own }: Parts,
  { amount, price }: Pick<BrokerPosition, 'amount' | 'price'>,
  quote: Prices,
): { readonly parts: Parts; readonly isSplit: boolean } {
  const total = kept.plus(own);
  const isSplit = !total.eq(ZERO) && isSamePrice(divide(price.times(amount), total), quote);
  if (!isSplit) return { parts: partsOf({ kept, own }, amount), isSplit };
  const scaled = divide(kept.times(amount), total);
  return { parts: { kept: scaled, own: amount.minus(scaled) }, isSplit };
}

/** The stocks whose amounts at the broker and whose quotes belong to different shares: a split has reached one side alone. */
export const stocksInTransit = ({
  account,
  quoteOf,
}: Pick<SeenAccount, 'account' | 'quoteOf'>): ReadonlySet<StockId> =>
  new Set(
    account.positions
      .filter(({ stockId, price }) => {
        const quote = quoteOf(stockId);
        return quote !== undefined && !isSamePrice(price, quote);
      })
      .map(({ stockId }) => stockId),
  );

/** The parts of a holding that an open order may still change by `open` (signed): as much of a change that way is the bot's. */
function partsBesideOrder({ kept, own }: Parts, held: Decimal, open: Decimal): Parts {
  const change = held.minus(kept).minus(own);
  const isThatWay = change.times(open).gt(ZERO);
  const filled = !isThatWay ? ZERO : change.abs().lt(open.abs()) ? change : open;
  return partsOf({ kept, own: own.plus(filled) }, held);
}

/** A reading of an account, divided between the owner and the bot. */
export interface DividedAccount {
  /** To compare the next reading with. */
  readonly parts: HeldParts;
  /** What the account holds at this moment; it differs from `parts` while a split is in transit. */
  readonly present: HeldParts;
  readonly changes: readonly OwnersChange[];
  /** Changes of stocks that are in transit: they are in `changes` too once the shares are clear. */
  readonly inDoubt: readonly OwnersChange[];
}

/** The owner's change of a holding; undefined when there is none. */
function changeBetween(stockId: StockId, part: Parts, seen: Parts): OwnersChange | undefined {
  const amount = seen.kept.plus(seen.own).minus(part.kept).minus(part.own).abs();
  if (amount.eq(ZERO)) return undefined;
  const kind = seen.kept.abs().gt(part.kept.abs()) ? 'added' : 'taken';
  const keptMore = max(ZERO, seen.kept).minus(max(ZERO, part.kept));
  return { stockId, kind, amount, keptMore };
}

const unexplainedBetween = (before: Parts, seen: Parts, at: Timestamp): UnexplainedChange => ({
  before: { kept: before.kept, own: before.own },
  more: { kept: seen.kept.minus(before.kept), own: seen.own.minus(before.own) },
  at,
});

/**
 * Divides each holding between the owner and the bot (contract 10). `before` has every fill of the bot's orders (`withFill`),
 * and the account shows them, as the port of brokers says. An increase that no order explains is the owner's. A decrease that
 * no order explains reduces the bot's part first, then the kept part. Without parts the whole account is kept. Splits scale both.
 */
export function attributeHoldings(
  before: HeldParts,
  { account, now, splits, quoteOf, late = new Set(), heldUp = new Map() }: SeenAccount,
): DividedAccount {
  const shifting = stocksInTransit({ account, quoteOf });
  const held = new Map(account.positions.map((position) => [position.stockId, position]));
  const parts = new Map<StockId, HeldPart>();
  const inTransit = new Map<StockId, HeldPart>();
  const changes: OwnersChange[] = [];
  const inDoubt: OwnersChange[] = [];
  for (const stockId of new Set([...before.keys(), ...held.keys()])) {
    const known = before.get(stockId);
    const [position, quote] = [held.get(stockId), quoteOf(stockId)];
    if (known && position && late.has(stockId)) {
      parts.set(stockId, known);
      const scaled = inSharesOfNow(known, position.amount, splits.get(stockId) ?? [], now);
      const divided = partsOf(scaled, position.amount);
      inTransit.set(stockId, { seenAt: now, ...divided });
      const doubted = changeBetween(stockId, scaled, divided);
      if (doubted) inDoubt.push(doubted);
      continue;
    }
    const open = heldUp.get(stockId);
    if (open) {
      if (known) parts.set(stockId, known);
      const divided = partsBesideOrder(known ?? NOTHING, position?.amount ?? ZERO, open);
      inTransit.set(stockId, { seenAt: now, ...divided });
      continue;
    }
    if (position && quote && shifting.has(stockId)) {
      if (known) parts.set(stockId, known);
      const divided = partsInTransit(known ?? NOTHING, position, quote);
      inTransit.set(stockId, { seenAt: now, ...divided.parts });
      const doubted = divided.isSplit
        ? undefined
        : changeBetween(stockId, known ?? NOTHING, divided.parts);
      if (doubted) inDoubt.push(doubted);
      continue;
    }
    const there = position?.amount ?? ZERO;
    const made = splits.get(stockId) ?? [];
    const part = known ? inSharesOfNow(known, there, made, now) : NOTHING;
    const seen = partsOf(part, there);
    const isSame = known && seen.kept.eq(known.kept) && seen.own.eq(known.own);
    if (isSame) parts.set(stockId, known);
    const change = changeBetween(stockId, part, seen);
    if (!isSame && (!seen.kept.eq(ZERO) || !seen.own.eq(ZERO))) {
      const seenAt = Math.max(now, made.at(-1)?.at ?? now);
      const unexplained = known && change && unexplainedBetween(part, seen, seenAt);
      const { toldAs } = known ?? {};
      parts.set(stockId, {
        seenAt,
        ...seen,
        ...(unexplained && { unexplained }),
        ...(toldAs !== undefined && { toldAs }),
      });
    }
    if (change) changes.push(change);
  }
  return { parts, present: new Map([...parts, ...inTransit]), changes, inDoubt };
}

/**
 * The cash (never positive) that the owner's trades by hand took from the bot: what he bought is kept, less what he sold of it. A
 * sale beyond that brings cash in, which is no gain anyhow; as a flow it would make a loss of shares that he moved elsewhere.
 */
export const cashTakenByHand = (
  changes: readonly OwnersChange[],
  priceOf: (stockId: StockId) => Decimal | undefined,
): Decimal =>
  min(
    ZERO,
    ZERO.minus(
      sum(changes.map(({ stockId, keptMore }) => keptMore.times(priceOf(stockId) ?? ZERO))),
    ),
  );

/** What a bot trades when all that an account holds is its own (`take_over`). What it bought itself is stored all the same. */
export const takenOver = ({ account, now }: Pick<SeenAccount, 'account' | 'now'>): HeldParts =>
  new Map(
    account.positions.map(({ stockId, amount }) => [
      stockId,
      { kept: ZERO, own: amount, seenAt: now },
    ]),
  );

/** The parts after the bot's orders traded so much more (signed) of a stock, in its shares of the moment `at`. */
export function withFill(
  parts: HeldParts,
  stockId: StockId,
  { filled, at }: { readonly filled: Decimal; readonly at: Timestamp },
): HeldParts {
  const part = parts.get(stockId) ?? { ...NOTHING, seenAt: at };
  return new Map([...parts, [stockId, { ...part, own: part.own.plus(filled) }]]);
}

/**
 * The target without stocks that the owner holds on the other side: a broker nets both, so that the bot would trade what is kept.
 */
export function besideKept(
  target: ReadonlyMap<StockId, Decimal>,
  parts: HeldParts,
): { readonly weights: ReadonlyMap<StockId, Decimal>; readonly leftOut: readonly StockId[] } {
  const isAgainst = ([stockId, weight]: readonly [StockId, Decimal]): boolean =>
    signOf(weight) * signOf(parts.get(stockId)?.kept ?? ZERO) < 0;
  return {
    weights: new Map([...target].filter((entry) => !isAgainst(entry))),
    leftOut: [...target].filter(isAgainst).map(([stockId]) => stockId),
  };
}

/**
 * The account without what is kept: the only account that a plan, its drift and a closure may see (contract 10). Positions of
 * instruments that the service does not list are always kept. A long holding that is kept leaves with its value. A short one
 * that is kept must be bought back one day: its value stays reserved, out of the cash.
 */
export function managedAccount(
  account: BrokerAccount,
  parts: HeldParts,
  isListed: (stockId: StockId) => boolean,
): BrokerAccount {
  const keptAmount = (position: BrokerPosition): Decimal =>
    isListed(position.stockId) ? (parts.get(position.stockId)?.kept ?? ZERO) : position.amount;
  const keptValues = account.positions.map((position) =>
    keptAmount(position).eq(position.amount)
      ? position.value
      : keptAmount(position).times(position.price),
  );
  const reserved = sum(keptValues.filter((value) => value.lt(ZERO)));
  const longs = sum(keptValues.filter((value) => value.gt(ZERO)));
  const positions = account.positions.flatMap((position): BrokerPosition[] => {
    const amount = position.amount.minus(keptAmount(position));
    if (amount.eq(ZERO)) return [];
    const value = position.value.minus(keptAmount(position).times(position.price));
    return [{ ...position, amount, value }];
  });
  return {
    ...account,
    equity: account.equity.minus(longs),
    cash: account.cash.plus(reserved),
    positions,
  };
}
