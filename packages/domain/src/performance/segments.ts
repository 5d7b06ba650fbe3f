import type { Timestamp } from '../ids.js';
import type { Market } from '../market/market.js';
import type { FillMarket } from '../market/source.js';
import { type Decimal, ONE, max } from '../numbers/decimal.js';
import { DAY } from '../time.js';
import type { Book } from '../trading/book.js';
import { strategyValue } from './valuation.js';

/** The kinds of prices that a record can rest on (contract 8). */
export const SEGMENT_KINDS = ['unknown', 'simulated', 'supplied', 'live'] as const;
export type SegmentKind = (typeof SEGMENT_KINDS)[number];

const KIND_OF_MARKET = {
  demo: 'simulated',
  replay: 'simulated',
  push: 'supplied',
  live: 'live',
  unknown: 'unknown',
} as const satisfies Record<FillMarket, SegmentKind>;

/** The kind of the prices of a market. */
export const segmentKind = (market: FillMarket): SegmentKind => KIND_OF_MARKET[market];

/** The names of the kinds for readers: nothing is better than `hypothetical`, because a strategy fills in its own book. */
export const BASES = ['simulated', 'supplied', 'hypothetical'] as const;
export type Basis = (typeof BASES)[number];

const BASIS_OF_KIND = {
  unknown: 'simulated',
  simulated: 'simulated',
  supplied: 'supplied',
  live: 'hypothetical',
} as const satisfies Record<SegmentKind, Basis>;

/** The name of the kind for readers. */
export const basisOfKind = (kind: SegmentKind): Basis => BASIS_OF_KIND[kind];

/** Strategies rank within their pool only. `isTrusted`: supplied prices count as good as live ones (PUSH_TRUSTED). */
export const poolOf = (kind: SegmentKind, isTrusted: boolean): Basis =>
  kind === 'supplied' && isTrusted ? 'hypothetical' : basisOfKind(kind);

/** Why a segment began: with the strategy, with another kind of market, or after a long stop of the server. */
export const SEGMENT_REASONS = ['created', 'market', 'gap'] as const;
export type SegmentReason = (typeof SEGMENT_REASONS)[number];

/** The last figures of a segment that has ended. */
export interface SegmentEnd {
  readonly at: Timestamp;
  readonly value: Decimal;
  /** A positive fraction. */
  readonly maxDrawdown: Decimal;
}

/** A part of a strategy's record in which the prices are of one kind. Figures never reach across its start. */
export interface Segment {
  readonly kind: SegmentKind;
  readonly reason: SegmentReason;
  readonly startedAt: Timestamp;
  /** The first value that was computed wholly from fresh quotes of this kind. */
  readonly startValue: Decimal;
  /** From the last value of the segment before to `startValue`; it belongs to no segment. Null in the first one. */
  readonly jump: Decimal | null;
  /** Null while it goes on. */
  readonly end: SegmentEnd | null;
}

/** A segment whose first value is not known yet. */
export interface SegmentOpening {
  readonly kind: SegmentKind;
  readonly reason: SegmentReason;
  readonly openedAt: Timestamp;
}

/** The segments of a strategy, oldest first. While `segmentOpening` is set, all of them have ended. */
export interface Segmented {
  readonly segments: readonly [Segment, ...Segment[]];
  readonly segmentOpening: SegmentOpening | null;
}

/** The record of a new strategy: it is worth 1, without any quote. */
export const firstSegments = (market: FillMarket, createdAt: Timestamp): Segmented => ({
  segments: [
    {
      kind: segmentKind(market),
      reason: 'created',
      startedAt: createdAt,
      startValue: ONE,
      jump: null,
      end: null,
    },
  ],
  segmentOpening: null,
});

const lastSegment = ({ segments }: Segmented): Segment => segments.at(-1) ?? segments[0];

/** The segment that goes on; undefined while the next one opens. */
export const currentSegment = (record: Segmented): Segment | undefined =>
  record.segmentOpening ? undefined : lastSegment(record);

/** The kind of the prices at which the strategy trades now. */
export const kindNow = (record: Segmented): SegmentKind =>
  (record.segmentOpening ?? lastSegment(record)).kind;

/** Positions that were open for longer than this while the server did not run begin a new segment. */
const LONGEST_STOP = 7 * DAY;

/** A start of the server, as far as records depend on it. */
export interface ServerStart {
  readonly market: FillMarket;
  readonly now: Timestamp;
  /** When the server ran last; null before its first run. */
  readonly stoppedAt: Timestamp | null;
}

/** The segment that a start of the server opens, if any. `isOpen`: the strategy has positions. */
export function openingAtStart(
  record: Segmented,
  { market, now, stoppedAt }: ServerStart,
  isOpen: boolean,
): SegmentOpening | undefined {
  const kind = segmentKind(market);
  if (kindNow(record) !== kind) return { kind, reason: 'market', openedAt: now };
  if (stoppedAt === null || now - stoppedAt <= LONGEST_STOP || !isOpen) return undefined;
  const current = currentSegment(record);
  // The kept moment is up to a minute or two older than the stop. What began long after it is of a start that was interrupted.
  const isCounted = current === undefined || current.startedAt - stoppedAt > LONGEST_STOP;
  return isCounted ? undefined : { kind, reason: 'gap', openedAt: now };
}

/** Whether a start can open a segment of any record. `before` is the market of the last run. */
export const mayOpenSegments = (
  before: FillMarket | undefined,
  { market, now, stoppedAt }: ServerStart,
): boolean =>
  before === undefined ||
  segmentKind(before) !== segmentKind(market) ||
  now - (stoppedAt ?? now) > LONGEST_STOP;

/** Opens the next segment. `end` has the figures of the one that goes on; undefined if none does. */
export function openSegment(
  record: Segmented,
  opening: SegmentOpening,
  end: SegmentEnd | undefined,
): Segmented {
  const last = lastSegment(record);
  const [first, ...others] = [
    ...record.segments.slice(0, -1),
    { ...last, end: last.end ?? end ?? null },
  ];
  return { segments: [first ?? last, ...others], segmentOpening: opening };
}

/** The opening segment begins with its first value. */
export function startSegment(
  record: Segmented,
  opening: SegmentOpening,
  startedAt: Timestamp,
  startValue: Decimal,
): Segmented {
  const before = lastSegment(record).end;
  const { kind, reason } = opening;
  const jump = before && startValue.minus(before.value);
  const started = { kind, reason, startedAt, startValue, jump, end: null };
  return { segments: [...record.segments, started], segmentOpening: null };
}

/** The value of a book whose every holding has a fresh quote; undefined otherwise. */
export const firstValue = (book: Book, market: Market): Decimal | undefined =>
  [...book.positions.keys()].every((stockId) => market.freshQuote(stockId))
    ? strategyValue(book, market)
    : undefined;

/** The beginning of the figures of a segment. */
export interface Baseline {
  /** Samples before this moment are of other segments. */
  readonly since: Timestamp;
  readonly value: Decimal;
}

/** The baseline of a record of one segment: all samples count. */
export const WHOLE_RECORD: Baseline = { since: -Infinity, value: ONE };

/** The baseline of the segment that goes on; undefined while the next one opens. */
export function baselineOf(record: Segmented): Baseline | undefined {
  const current = currentSegment(record);
  if (!current) return undefined;
  return record.segments.length === 1
    ? WHOLE_RECORD
    : { since: current.startedAt, value: current.startValue };
}

/** The starts that no bucket of the value history may span. */
export const segmentStarts = ({ segments }: Segmented): Timestamp[] =>
  segments.slice(1).map(({ startedAt }) => startedAt);

/** The worst drawdown of the earlier segments of the same kind: a pause wipes nothing. Null without one. */
export const earlierDrawdown = (segments: readonly Segment[], index: number): Decimal | null =>
  segments
    .slice(0, index)
    .flatMap(({ kind, end }) => (kind === segments[index]?.kind && end ? end.maxDrawdown : []))
    .reduce<Decimal | null>((worst, one) => (worst ? max(worst, one) : one), null);
