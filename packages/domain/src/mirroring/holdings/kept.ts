import { type Decimal, ZERO, decimal, divide, max, min, sum } from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import type { Splits, StockSplit } from '../../market/split.js';
import type { Quote } from '../../market/stock.js';
import type { BrokerAccount, BrokerPosition } from '../bot-account.js';
import { TRANSIT } from '../limits/expected-equity.js';
import {
  type HeldPart,
  type HeldParts,
  type Parts,
  type UnexplainedChange,
  afterEarlySplit,
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
  /** How much less is the bot's, positive. */
  readonly ownLess: Decimal;
}

const NOTHING: Parts = { kept: ZERO, own: ZERO };

const signOf = (amount: Decimal): -1 | 0 | 1 => {
  if (amount.eq(ZERO)) return 0;
  return amount.gt(ZERO) ? 1 : -1;
};

const turned = (amount: Decimal, side: -1 | 1): Decimal =>
  side === 1 ? amount : ZERO.minus(amount);

/** The parts once a bot that took over a holding traded what was there before: what it sold of it is kept no more. */
export function netted(part: Parts): Parts {
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

/** A holding whose prices are of different shares. */
interface InTransit {
  readonly position: Pick<BrokerPosition, 'amount' | 'price'>;
  readonly quote: Prices;
  readonly now: Timestamp;
}

/** The parts where the last change that nothing explained was a split, as the price that followed it shows; undefined where it was not. */
function splitBefore(
  { kept, unexplained }: Pick<HeldPart, 'kept' | 'unexplained'>,
  { position: { amount, price }, quote, now }: InTransit,
): Parts | undefined {
  if (!unexplained || now - unexplained.at > TRANSIT) return undefined;
  const { before, more } = unexplained;
  const total = before.kept.plus(before.own);
  if (total.eq(ZERO)) return undefined;
  const made = total.plus(more.kept).plus(more.own);
  if (!isSamePrice(divide(price.times(made), total), quote)) return undefined;
  const keptNow = kept
    .minus(more.kept)
    .minus(before.kept)
    .plus(divide(before.kept.times(made), total));
  return { kept: keptNow, own: amount.minus(keptNow) };
}

/**
 * The parts of a holding while its prices are of different shares. If its amount changed as its price did, at once or before it, a split
 * scaled both parts. Otherwise whatever there is beyond the bot's part is kept.
 */
function partsInTransit(
  part: Pick<HeldPart, 'kept' | 'own' | 'unexplained'>,
  seen: InTransit,
): { readonly parts: Parts; readonly isSplit: boolean } {
  const { amount, price } = seen.position;
  const { kept, own } = part;
  const total = kept.plus(own);
  if (!total.eq(ZERO) && isSamePrice(divide(price.times(amount), total), seen.quote)) {
    const scaled = divide(kept.times(amount), total);
    return { parts: { kept: scaled, own: amount.minus(scaled) }, isSplit: true };
  }
  const before = splitBefore(part, seen);
  if (before) return { parts: before, isSplit: true };
  return { parts: partsOf({ kept, own }, amount), isSplit: false };
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
  const ownLess = max(ZERO, part.own.abs().minus(seen.own.abs()));
  return { stockId, kind, amount, keptMore, ownLess };
}

const unexplainedBetween = (before: Parts, seen: Parts, at: Timestamp): UnexplainedChange => ({
  before: { kept: before.kept, own: before.own },
  more: { kept: seen.kept.minus(before.kept), own: seen.own.minus(before.own) },
  at,
});

/** One holding, divided between the owner and the bot. */
interface DividedHolding {
  /** What the next reading is compared with; undefined when nothing is left of it. */
  readonly stored: HeldPart | undefined;
  /** What is there at this moment, while the stored parts wait. */
  readonly present?: Parts;
  readonly change?: OwnersChange | undefined;
  /** Whether the change waits with the stored parts. */
  readonly isInDoubt?: boolean;
}

/** The parts that are stored once a holding was seen as `seen`, which the known parts with their splits (`scaled`) led to. */
function storedParts(
  known: HeldPart | undefined,
  scaled: Parts,
  seen: Parts,
  { now, splits }: { readonly now: Timestamp; readonly splits: readonly StockSplit[] },
  change: OwnersChange | undefined,
): HeldPart | undefined {
  const isSame = known && seen.kept.eq(known.kept) && seen.own.eq(known.own);
  const splitAt = splits.at(-1)?.at ?? -Infinity;
  if (isSame && splitAt <= known.seenAt) return known;
  if (seen.kept.eq(ZERO) && seen.own.eq(ZERO)) return undefined;
  // A split that their broker had first must not explain what comes later; one that it is still to apply must.
  const isEarly = (_: StockSplit, count: number): boolean =>
    known !== undefined && afterEarlySplit(known, splits.slice(0, count + 1)) !== undefined;
  if (isSame && !splits.some(isEarly)) return known;
  const at = Math.max(now, splitAt);
  const { toldAs } = known ?? {};
  return {
    seenAt: at,
    ...seen,
    ...(known && change && { unexplained: unexplainedBetween(scaled, seen, at) }),
    ...(toldAs !== undefined && { toldAs }),
  };
}

/** Divides one holding. The stored parts wait while a split has reached one side alone, and while an order may still fill. */
function attributeHolding(
  stockId: StockId,
  known: HeldPart | undefined,
  position: BrokerPosition | undefined,
  { now, splits, quoteOf, late, heldUp }: SeenAccount,
): DividedHolding {
  const part = known ?? NOTHING;
  const there = position?.amount ?? ZERO;
  const made = splits.get(stockId) ?? [];
  if (known && position && late?.has(stockId)) {
    const scaled = inSharesOfNow(known, there, made, now);
    const present = partsOf(scaled, there);
    const change = changeBetween(stockId, scaled, present);
    return { stored: known, present, change, isInDoubt: true };
  }
  const open = heldUp?.get(stockId);
  if (open) return { stored: known, present: partsBesideOrder(part, there, open) };
  const quote = quoteOf(stockId);
  if (position && quote && !isSamePrice(position.price, quote)) {
    const { parts: present, isSplit } = partsInTransit(part, { position, quote, now });
    const change = isSplit ? undefined : changeBetween(stockId, part, present);
    return { stored: known, present, change, isInDoubt: true };
  }
  const scaled = known ? inSharesOfNow(known, there, made, now) : NOTHING;
  const seen = partsOf(scaled, there);
  const change = changeBetween(stockId, scaled, seen);
  const stored = storedParts(known, scaled, seen, { now, splits: made }, change);
  return { stored, change };
}

/**
 * Divides each holding between the owner and the bot (contract 10). `before` has every fill of the bot's orders (`withFill`),
 * and the account shows them, as the port of brokers says. An increase that no order explains is the owner's. A decrease that
 * no order explains reduces the bot's part first, then the kept part. Without parts the whole account is kept. Splits scale both.
 */
export function attributeHoldings(before: HeldParts, seen: SeenAccount): DividedAccount {
  const held = new Map(seen.account.positions.map((position) => [position.stockId, position]));
  const parts = new Map<StockId, HeldPart>();
  const waiting = new Map<StockId, HeldPart>();
  const changes: OwnersChange[] = [];
  const inDoubt: OwnersChange[] = [];
  for (const stockId of new Set([...before.keys(), ...held.keys()])) {
    const divided = attributeHolding(stockId, before.get(stockId), held.get(stockId), seen);
    const { stored, present, change, isInDoubt } = divided;
    if (stored) parts.set(stockId, stored);
    if (present) waiting.set(stockId, { seenAt: seen.now, ...present });
    if (change) (isInDoubt ? inDoubt : changes).push(change);
  }
  return { parts, present: new Map([...parts, ...waiting]), changes, inDoubt };
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
