import type { Timestamp } from '../../ids.js';
import type { TrackEntryKind } from '../../performance/track-bodies.js';
import { dayOf } from '../../performance/values/value-day.js';
import {
  type Holdings,
  type RoundTrip,
  adjustRecorded,
  bookRecorded,
  startAnew,
} from './holdings.js';
import {
  type RecordedAdjustment,
  type RecordedDay,
  type RecordedFill,
  type RecordedSegment,
  keptNumber,
  recordedDecimal,
  recordedNumber,
} from './recorded-bodies.js';

/** An entry of a track record, as far as its figures depend on it. */
export interface RecordedEntry {
  readonly kind: TrackEntryKind;
  readonly at: Timestamp;
  readonly body: string;
}

/** A day of a record in doubles. Days are counted from 1970-01-01 in UTC. */
export interface DayFigures {
  readonly day: number;
  readonly close: number;
  /** All samples of the day; null for a day from before they were kept. */
  readonly samples: {
    readonly high: number;
    readonly low: number;
    readonly drawdown: number;
    /** Gross exposure at the close, normalized. */
    readonly gross: number;
    /** The part of the day with a position. */
    readonly held: number;
  } | null;
}

/** The fills of a day, normalized. */
export interface DayFlows {
  readonly day: number;
  readonly bought: number;
  readonly sold: number;
  readonly fees: number;
  /** Price worse than the quote; null if the record of a fill does not keep its quote. */
  readonly slippage: number | null;
}

/** A time with a position; `to` is null while it lasts. */
export interface HeldSpan {
  readonly from: Timestamp;
  readonly to: Timestamp | null;
}

/** The segment that goes on: when it started, and its first value. */
export interface SegmentBase {
  readonly startedAt: Timestamp;
  readonly value: number;
}

/** Everything that the statistics of a record need: the segment that goes on, oldest first. */
export interface RecordFigures {
  /** Null while the next segment opens, and for an empty record without a start. */
  readonly segment: SegmentBase | null;
  readonly days: readonly DayFigures[];
  readonly flows: readonly DayFlows[];
  readonly trips: readonly RoundTrip[];
  readonly held: readonly HeldSpan[];
}

/** Reads a record entry by entry. It keeps its place, so that later entries continue it. */
export interface RecordReader {
  /**
   * Reads the next entry.
   * @throws when its body is not the one of an entry.
   */
  add(entry: RecordedEntry): void;
  /**
   * The figures so far. They share the reader's lists: use them before the next entry. `pending` is the last day's entry while
   * the record does not have it yet: it is added within a minute after the day is over.
   */
  figures(pending?: Pick<RecordedEntry, 'at' | 'body'>): RecordFigures;
}

function dayFigures(at: Timestamp, body: RecordedDay): DayFigures {
  const [high, low, drawdown] = [body.high, body.low, body.drawdown].map(keptNumber);
  const [gross, held] = [body.gross, body.held].map(keptNumber);
  const isKept =
    typeof high === 'number' &&
    typeof low === 'number' &&
    typeof drawdown === 'number' &&
    typeof gross === 'number' &&
    typeof held === 'number';
  const close = recordedNumber(body.strategy_value);
  return { day: dayOf(at), close, samples: isKept ? { high, low, drawdown, gross, held } : null };
}

/** Price worse than the quote, times the amount. A delisting has no quote and no cost. */
function slippageOf(fill: RecordedFill): number | null {
  const { action, quote_bid: bid, quote_ask: ask } = fill;
  if (bid === undefined || ask === undefined) return null;
  if (bid === null || ask === null) return 0;
  const price = recordedDecimal(fill.price);
  const worse =
    action === 'buy' ? price.minus(recordedDecimal(ask)) : recordedDecimal(bid).minus(price);
  return recordedNumber(worse.toFixed()) * recordedNumber(fill.amount);
}

function flowsOf(day: number, fill: RecordedFill, before: DayFlows | undefined): DayFlows {
  const total = recordedNumber(fill.total);
  const fees = recordedNumber(fill.fee_total) + recordedNumber(fill.rounding);
  const slippage = slippageOf(fill);
  const { action } = fill;
  return {
    day,
    bought: (before?.bought ?? 0) + (action === 'buy' ? total : 0),
    sold: (before?.sold ?? 0) + (action === 'sell' ? total : 0),
    fees: (before?.fees ?? 0) + fees,
    slippage:
      slippage === null || before?.slippage === null ? null : (before?.slippage ?? 0) + slippage,
  };
}

/** Adds a part of a day: in place of the last one, if that is of the same day. */
function put<Part extends { readonly day: number }>(parts: Part[], part: Part): void {
  if (parts.at(-1)?.day === part.day) parts.pop();
  parts.push(part);
}

/** The samples of two parts of a day; null if one lacks them. */
function samplesOfBoth(
  earlier: DayFigures['samples'],
  later: DayFigures['samples'],
): DayFigures['samples'] {
  if (!earlier || !later) return null;
  const fall = earlier.high > 0 ? (earlier.high - later.low) / earlier.high : 0;
  return {
    high: Math.max(earlier.high, later.high),
    low: Math.min(earlier.low, later.low),
    drawdown: Math.max(earlier.drawdown, later.drawdown, fall),
    gross: later.gross,
    held: Math.max(earlier.held, later.held),
  };
}

/** Adds a day in its place: the clock may have been set. A day with two entries is one day, and the later one closes it. */
function putDay(days: DayFigures[], day: DayFigures): void {
  const at = days.findLastIndex((one) => one.day <= day.day);
  const before = days[at];
  if (before?.day === day.day)
    days.splice(at, 1, { ...day, samples: samplesOfBoth(before.samples, day.samples) });
  else days.splice(at + 1, 0, day);
}

/**
 * Reads a strategy's record for its statistics (contract 9). `startedAt` is when the strategy was created, which no entry says;
 * without it the record starts with its first entry. A new strategy is worth 1.
 */
export function recordReader(startedAt?: Timestamp): RecordReader {
  const holdings: Holdings = new Map();
  let segment: SegmentBase | null = startedAt === undefined ? null : { startedAt, value: 1 };
  let isEmpty = segment === null;
  let [last, lastAt] = [1, -Infinity];
  const clear = () => ({
    days: new Array<DayFigures>(),
    flows: new Array<DayFlows>(),
    trips: new Array<RoundTrip>(),
    held: new Array<HeldSpan>(),
  });
  let lists = clear();

  /** A time with a position begins or ends when the number of holdings leaves or reaches zero. */
  const updateHeld = (at: Timestamp): void => {
    const { held } = lists;
    const open = held.at(-1)?.to === null ? held.at(-1) : undefined;
    if (holdings.size > 0 && !open) held.push({ from: at, to: null });
    if (holdings.size === 0 && open) {
      held.pop();
      held.push({ from: open.from, to: at });
    }
  };

  const addFill = (at: Timestamp, fill: RecordedFill): void => {
    const ended = bookRecorded(holdings, fill, at, last);
    if (fill.strategy_value !== null) [last, lastAt] = [recordedNumber(fill.strategy_value), at];
    updateHeld(at);
    if (!segment) return;
    lists.trips.push(...ended);
    const before = lists.flows.at(-1);
    const day = dayOf(at);
    put(lists.flows, flowsOf(day, fill, before?.day === day ? before : undefined));
  };

  const addAdjustment = (at: Timestamp, body: RecordedAdjustment): void => {
    // The fill of a delisting settles it.
    if (body.kind === 'delisting') return;
    const [amount, cash] = [recordedDecimal(body.amount_after), recordedDecimal(body.cash)];
    const ended = adjustRecorded(holdings, body.stock_id, amount, cash, at);
    if (segment) lists.trips.push(...ended);
    updateHeld(at);
  };

  const addSegment = (at: Timestamp, body: RecordedSegment): void => {
    lists = clear();
    segment = null;
    if (body.state === 'opened') return;
    [last, lastAt] = [recordedNumber(body.start_value), at];
    segment = { startedAt: at, value: last };
    startAnew(holdings);
    updateHeld(at);
  };

  return {
    add({ kind, at, body: text }) {
      const body: unknown = JSON.parse(text);
      if (isEmpty) segment = { startedAt: at, value: 1 };
      isEmpty = false;
      if (kind === 'trade') addFill(at, body as RecordedFill);
      else if (kind === 'adjustment') addAdjustment(at, body as RecordedAdjustment);
      else if (kind === 'segment') addSegment(at, body as RecordedSegment);
      else {
        const day = dayFigures(at, body as RecordedDay);
        // A day's entry may follow the fills of the next day.
        if (at >= lastAt) [last, lastAt] = [day.close, at];
        if (segment && at >= segment.startedAt) putDay(lists.days, day);
      }
    },
    figures(pending) {
      if (!pending || !segment) return { segment, ...lists };
      const days = [...lists.days];
      putDay(days, dayFigures(pending.at, JSON.parse(pending.body) as RecordedDay));
      return { segment, ...lists, days };
    },
  };
}
