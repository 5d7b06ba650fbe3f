import {
  DAY,
  type Decimal,
  Refusal,
  type Strategy,
  TIMEFRAME_LENGTHS,
  type Timeframe,
  type Timestamp,
  ZERO,
  dayStart,
  decimalText,
  isoDay,
} from '@slipstream/domain';
import type { Core } from '../core.js';
import { sessionOn } from '../market/session-on.js';

const SESSIONS_A_YEAR = 252 as const;
const DAYS_A_YEAR = 365 as const;

/** The number of daily returns that a ratio needs, unless a request says another. */
const MIN_RETURNS = 30;

/** The number of days whose sessions are looked up in one turn of the event loop: about a millisecond. */
const DAYS_A_TURN = 100;

/** A month is a part one if a day of it counts outside the span: so days around the span are looked up too. */
const AROUND = 31 * DAY;

/** The days from one on that the exchanges were closed against their rules, as the calendar told; the hours that are open forget past ones. */
async function closedSince(
  { unitOfWork }: Pick<Core, 'unitOfWork'>,
  first: string,
  last: string,
): Promise<readonly string[]> {
  const days = await unitOfWork.read(({ marketDays }) => marketDays.since(first));
  return days.flatMap(({ date, session }) => (session === null && date <= last ? [date] : []));
}

/**
 * The days that count: those with a regular session of the exchanges, or all days (contract 9). `closedDays`: those that the rules of
 * the exchanges alone do not know.
 */
async function dayRule(
  core: Pick<Core, 'live' | 'tradingHours' | 'pause' | 'unitOfWork'>,
  { type, createdAt }: Pick<Strategy, 'type' | 'createdAt'>,
  from: string | undefined,
  to: string,
) {
  const { live, tradingHours, pause } = core;
  const stock =
    type === 'stock' ? live.stocks.all().find(({ security }) => security === type) : undefined;
  if (!stock || !tradingHours.nextSession(stock, 0))
    return { daysPerYear: DAYS_A_YEAR, isTradingDay: () => true, closedDays: [] };
  const sessions = new Set<string>();
  const first = Math.max(createdAt, from === undefined ? 0 : dayStart(from)) - AROUND;
  const last = isoDay(dayStart(to) + AROUND);
  for (let at = first, turn = 1; isoDay(at) <= last; at += DAY, turn += 1) {
    const date = isoDay(at);
    if (sessionOn(tradingHours, stock, date)) sessions.add(date);
    if (turn % DAYS_A_TURN === 0) await pause();
  }
  const closedDays = await closedSince(core, isoDay(first), last);
  for (const date of closedDays) sessions.delete(date);
  const isTradingDay = (date: string): boolean => sessions.has(date);
  return { daysPerYear: SESSIONS_A_YEAR, isTradingDay, closedDays };
}

/** A span in a request; dates are `YYYY-MM-DD` in UTC, both included. */
export interface RequestedSpan {
  readonly timeframe?: Timeframe | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What a request of statistics says of them. */
export interface RequestedStatistics extends RequestedSpan {
  /** A yearly fraction. */
  readonly riskFree?: Decimal | undefined;
  readonly minN?: number | undefined;
}

/** The first and last day of the span. A day counts when it is over. */
export function statisticsSpan({ timeframe, from, to }: RequestedSpan, now: Timestamp) {
  if (timeframe !== undefined && (from ?? to) !== undefined)
    throw new Refusal('invalid_field', 'give a timeframe, or from and to, not both');
  const yesterday = isoDay(now - DAY);
  const last = to ?? yesterday;
  if (last > yesterday)
    throw new Refusal(
      'invalid_field',
      `to must be at most ${yesterday}: a day counts when it is over (UTC)`,
    );
  const first = timeframe === undefined ? from : isoDay(now - TIMEFRAME_LENGTHS[timeframe]);
  if (first !== undefined && first > last)
    throw new Refusal('invalid_field', `from must not be after ${last}`);
  return { to: last, ...(first !== undefined && { from: first }) };
}

/** What statistics of that span are computed by. They are computed in doubles: they are not money (contract 9). */
export async function statisticsRequest(
  core: Parameters<typeof dayRule>[0],
  subject: Pick<Strategy, 'type' | 'createdAt'>,
  span: ReturnType<typeof statisticsSpan>,
  { riskFree = ZERO, minN = MIN_RETURNS }: RequestedStatistics,
) {
  const { closedDays, ...rule } = await dayRule(core, subject, span.from, span.to);
  const request = { ...span, ...rule, riskFree: Number(decimalText(riskFree)), minN };
  return { request, riskFree, closedDays };
}
