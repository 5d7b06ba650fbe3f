import {
  type Decimal,
  ONE,
  ZERO,
  decimal,
  divide,
  max,
  min,
  round18,
  sum,
} from '../../numbers/decimal.js';
import type { StockId, Timestamp } from '../../ids.js';
import { DAY } from '../../time.js';
import type { AccountActivity } from './account-activity.js';
import { type AccountReading, expectedEquity, worthOfChange } from './expected-equity.js';
import { reserveMoved } from './kept-shorts.js';
import {
  type LossWatch,
  type Unreported,
  lastEquity,
  nothingUnreported,
  worthLeftToOwner,
} from './watched-account.js';

/** How long after a change its report may come. */
export const REPORTED_WITHIN = 3 * DAY;

const CENT = decimal('0.01');

/**
 * The cash that the owner spent by hand, and what the bot gave up for shares that are kept; no more than is missing. `exchanged` is the worth
 * of shares that came in a merger and are kept, as those of a purchase are.
 */
function spentByHand(before: LossWatch, reading: AccountReading, exchanged = ZERO): Decimal {
  const { cash, takenByHand } = reading;
  const more = cash.minus(before.cash).minus(reserveMoved(before, reading));
  return max(takenByHand, min(ZERO, more).minus(exchanged));
}

/** The exchanges among these activities that brought shares which are kept now, and what those are worth. */
function exchangedToKept(
  { cameToKept }: AccountReading,
  news: readonly AccountActivity[],
): { readonly worth: Decimal; readonly ids: readonly string[] } {
  const found = news.filter(
    ({ kind, stockId, amount }) =>
      kind === 'exchange' && amount.gt(ZERO) && stockId !== null && cameToKept.has(stockId),
  );
  const worth = [...cameToKept].map(([stockId, { amount, price }]) => {
    const reported = sum(found.filter((one) => one.stockId === stockId).map((one) => one.amount));
    return min(reported, amount).times(price);
  });
  return { worth: sum(worth), ids: found.map(({ id }) => id) };
}

/** The worth of what changed beside prices and fills. */
const changeOf = (before: LossWatch, reading: AccountReading): Decimal =>
  lastEquity(reading).minus(expectedEquity(before, reading)).minus(reserveMoved(before, reading));

/** Whether something changed beside trades by hand that only a report of the broker could explain. */
export const needsReport = (before: LossWatch, reading: AccountReading): boolean =>
  changeOf(before, reading).minus(spentByHand(before, reading)).abs().gte(CENT);

/** The broker is asked for what it booked since then. */
export const reportedSince = ({ since, readAt }: LossWatch): Timestamp =>
  Math.max(since, readAt - REPORTED_WITHIN);

interface Reported {
  readonly transfers: Decimal;
  readonly income: Decimal;
  /** Of the transfers what came in and what went out, neither negative. */
  readonly transferredIn: Decimal;
  readonly transferredOut: Decimal;
}

const NOT_REPORTED: Reported = {
  transfers: ZERO,
  income: ZERO,
  transferredIn: ZERO,
  transferredOut: ZERO,
};

/** What these activities are worth: shares as far as they are the bot's, and what a dividend pays on the owner's as a transfer. */
function reportedBy(
  before: LossWatch,
  reading: AccountReading,
  activities: readonly AccountActivity[],
): Reported {
  const transfers = activities.filter(({ kind }) => kind === 'transfer');
  const income = activities.filter(({ kind }) => kind === 'income');
  const moved = new Map<StockId, Decimal[]>();
  for (const { stockId, amount } of transfers)
    if (stockId !== null) moved.set(stockId, [...(moved.get(stockId) ?? []), amount]);
  const shares = [...moved].map(([stockId, amounts]) =>
    worthOfChange(before, reading, stockId, amounts),
  );
  const earned = income.map(({ cash, stockId }) =>
    cash.times(stockId === null ? ONE : reading.ownPartOf(stockId)),
  );
  const cashOf = (some: readonly AccountActivity[]): Decimal => sum(some.map(({ cash }) => cash));
  const ownersIncome = cashOf(income).minus(sum(earned));
  const moves = [...transfers.map(({ cash }) => cash), ...shares, ownersIncome];
  const transferredIn = sum(moves.map((move) => max(ZERO, move)));
  return {
    transfers: sum(moves),
    income: sum(earned),
    transferredIn,
    transferredOut: transferredIn.minus(sum(moves)),
  };
}

/** How a reading differs from what was expected, explained as far as it can be. */
export interface Explained extends Pick<LossWatch, 'counted' | 'unreported'> {
  /** What came in less what went out, which is neither gain nor loss. */
  readonly flows: Decimal;
}

/** The worth once an account has grown from `before` to `now`; the same where it had nothing. */
const inProportion = (worth: Decimal, now: Decimal, before: Decimal): Decimal =>
  worth.eq(ZERO) || !before.gt(ZERO) || !now.gt(ZERO)
    ? worth
    : round18(divide(worth.times(now), before));

/** How far a sum is from what is reported. */
const besideReport = ({ transfers, income }: Reported, some: Decimal): Decimal =>
  some.minus(transfers).minus(income).abs();

/** What changed beside prices, fills and trades by hand, and what was spent by hand. */
function changeBesideHand(
  before: LossWatch,
  reading: AccountReading,
  reported: Reported,
  exchanged: Decimal,
): { readonly change: Decimal; readonly byHand: Decimal } {
  const whole = changeOf(before, reading);
  const spent = spentByHand(before, reading, min(exchanged, max(ZERO, ZERO.minus(whole))));
  // Shares that are kept may have come without taking cash: then the report alone explains what the cash went for.
  const isReported = besideReport(reported, whole).lt(besideReport(reported, whole.minus(spent)));
  const byHand = isReported ? ZERO : spent;
  return { change: whole.minus(byHand), byHand };
}

/** What a report is of: of nothing that is known, of what changed now, or of all that came and went before as well. */
type Explains = 'nothing' | 'now' | 'before';

function explainsOf(change: Decimal, { came, went }: Unreported, reported: Reported): Explains {
  const brings = (some: Decimal): boolean => besideReport(reported, some).lt(some.abs());
  const isExact = (some: Decimal): boolean => besideReport(reported, some).eq(ZERO);
  const together = change.plus(came).minus(went);
  // To the cent, and not by chance: all that came and went before is in the report, with what changed now or without it.
  const isBefore =
    !(came.eq(ZERO) && went.eq(ZERO)) &&
    reported.transferredIn.plus(reported.income).gte(came) &&
    reported.transferredOut.gte(went) &&
    (isExact(together) || (isExact(came.minus(went)) && !isExact(change)));
  if (isBefore) return 'before';
  const isNow = brings(change) || brings(together) || (!change.eq(ZERO) && isExact(together));
  return isNow ? 'now' : 'nothing';
}

/** Of what came and went before, the parts that are reported beside what goes or comes now. */
function reportedLate(
  change: Decimal,
  { came, went }: Unreported,
  { transfers, income, transferredIn, transferredOut }: Reported,
): Pick<Unreported, 'came' | 'went'> {
  const rest = change.minus(transfers).minus(income);
  const lateOut = max(ZERO, min(rest, min(went, transferredOut)));
  const lateIn = max(ZERO, min(ZERO.minus(rest), min(came, transferredIn.plus(income))));
  return { came: lateIn, went: lateOut };
}

/** What the report has left in both ways is what came and went before where it is just as much as went. */
function reportedBothWays(
  change: Decimal,
  { came, went }: Unreported,
  { transferredIn, transferredOut }: Reported,
  late: Pick<Unreported, 'came' | 'went'>,
): Decimal {
  const leftIn = transferredIn.minus(late.came).minus(max(ZERO, change));
  const leftOut = transferredOut.minus(late.went).minus(max(ZERO, ZERO.minus(change)));
  const goneBefore = went.minus(late.went);
  const isLeft = leftOut.eq(goneBefore) && min(leftIn, came.minus(late.came)).gte(goneBefore);
  return isLeft ? goneBefore : ZERO;
}

/**
 * Explains a reading by what the broker reports (contract 10). Activities count once, and only when they bring the account nearer to
 * what was expected: a report may come before or after the change itself. What stays unexplained is a flow when it came in, and no
 * flow, so a loss, when it went; a later report of it makes good for that.
 */
export function explained(before: LossWatch, reading: AccountReading): Explained {
  const { activities, at } = reading;
  const known = new Set(before.counted);
  const unknown = (activities ?? []).filter(
    ({ id, at: bookedAt }) => bookedAt >= before.since && !known.has(id),
  );
  const news = unknown.filter(({ kind }) => kind === 'transfer' || kind === 'income');
  const exchanged = exchangedToKept(reading, unknown);
  const isOld = at - before.unreported.since > REPORTED_WITHIN;
  const unreported = isOld ? nothingUnreported(at) : before.unreported;
  const { since, came, went, lost } = unreported;
  const report = reportedBy(before, reading, news);
  const { change, byHand } = changeBesideHand(before, reading, report, exchanged.worth);
  const explains = explainsOf(change, unreported, report);
  const counted = explains === 'nothing' ? NOT_REPORTED : report;
  const late = explains === 'before' ? unreported : reportedLate(change, unreported, counted);
  const bothWays = reportedBothWays(change, unreported, counted, late);
  const lateIn = late.came.plus(bothWays);
  const lateOut = late.went.plus(bothWays);
  const { transfers, income, transferredIn } = counted;
  const unexplained = change.minus(transfers).minus(income).minus(lateOut).plus(lateIn);
  const cameNow = max(ZERO, unexplained);
  const wentNow = max(ZERO, ZERO.minus(unexplained));
  const givenUp = worthLeftToOwner(before);
  const explainedFlows = byHand
    .minus(givenUp)
    .plus(reserveMoved(before, reading))
    .plus(transfers)
    .plus(cameNow)
    .minus(min(lateIn, transferredIn))
    .plus(lateOut);
  const equity = lastEquity(reading);
  // What was known before is worth that now.
  const kept = equity.minus(explainedFlows).plus(wentNow);
  const lostBefore = inProportion(lost, kept, lastEquity(before).plus(givenUp));
  // Of what went before, the part that is explained now is made good for as the loss that it was.
  const madeGood = went.gt(ZERO) ? divide(lostBefore.times(lateOut), went) : ZERO;
  const flows = explainedFlows.minus(madeGood);
  const listed = activities && new Set(activities.map(({ id }) => id));
  return {
    flows,
    counted: [
      ...before.counted.filter((id) => !listed || listed.has(id)),
      ...(explains === 'nothing' ? [] : news.map(({ id }) => id)),
      ...exchanged.ids,
    ],
    unreported: {
      since: came.eq(ZERO) && went.eq(ZERO) ? at : since,
      came: came.minus(lateIn).plus(cameNow),
      went: went.minus(lateOut).plus(wentNow),
      lost: inProportion(lostBefore.minus(madeGood).plus(wentNow), equity, equity.minus(flows)),
    },
  };
}
