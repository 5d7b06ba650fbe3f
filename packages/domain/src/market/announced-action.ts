import { type Decimal, ZERO } from '../numbers/decimal.js';
import type { Id, StockId, Timestamp } from '../ids.js';
import type { StockAction } from './stock-action.js';
import { splitRatio } from './split.js';
import { DAY } from '../time.js';

export type AnnouncedActionId = Id<'announced_action'>;

/** The kinds that are booked, and `other`, which is not: its stock is held instead. */
export type AnnouncedKind = 'split' | 'cash_dividend' | 'worthless' | 'other';

/** A corporate action in the words of its source. A stock dividend is a split. */
export interface SourcedAction {
  /** The source's own id. */
  readonly sourceId: string;
  readonly stockId: StockId;
  readonly kind: AnnouncedKind;
  /** Of a split; null otherwise. */
  readonly newShares: Decimal | null;
  readonly oldShares: Decimal | null;
  /** Of a cash dividend, per share; null otherwise. */
  readonly amount: Decimal | null;
  /** The source's name of the kind, for example `cash merger`. */
  readonly name: string;
  /** It is in force from then on: 04:00 New York of the ex-date. */
  readonly dueAt: Timestamp;
}

/**
 * Where an announced action stands: it waits for its time; it is booked; its stock is held until the operator decides; it came too
 * late and was left to the operator; its source took it back; or nothing was to be done for it any more.
 */
export type AnnouncedStatus = 'pending' | 'booked' | 'held' | 'missed' | 'withdrawn' | 'closed';

/** An announced action as this service keeps it. */
export interface AnnouncedAction extends Omit<SourcedAction, 'sourceId'> {
  /** Made from its source and the source's id, so that it is the same on every node and after every restart. */
  readonly id: AnnouncedActionId;
  readonly status: AnnouncedStatus;
  /** When it was first read. */
  readonly seenAt: Timestamp;
}

/** What to do for an announced action now. */
export type AnnouncedDecision = 'wait' | 'book' | 'hold' | 'miss' | 'close';

/** What decides it. */
export interface AnnouncedFacts {
  readonly now: Timestamp;
  /** When the stock was last quoted; undefined before its first quote. */
  readonly quotedAt: Timestamp | undefined;
  /** The corporate actions of the stock that were booked lately, also by hand. */
  readonly booked: readonly StockAction[];
  /** The stock's announced actions of that time, whatever became of them: their ids are those of what was booked for them. */
  readonly known: readonly AnnouncedAction[];
}

/** An action that the operator booked within this time of the announced one is the announced one. */
const SAME_ACTION = 5 * DAY;
/** A stock that was quoted within this time, in the last session before a long weekend, is not worthless, whatever its source says. */
const STILL_TRADED = 4 * DAY;

/**
 * Whether two announced actions are the same one under two ids. Of dividends of one amount only those of one day and one name are: a
 * regular and a special one, or those of two weeks, are paid both.
 */
const isRepeated = (one: AnnouncedAction, other: AnnouncedAction): boolean =>
  one.kind !== 'cash_dividend' || (one.name === other.name && one.dueAt === other.dueAt);

function isSame(
  action: StockAction,
  announced: AnnouncedAction,
  known: readonly AnnouncedAction[],
): boolean {
  const bookedFor = known.find(({ id }) => `${id}` === `${action.id}`);
  if (bookedFor && !isRepeated(bookedFor, announced)) return false;
  if (Math.abs(action.createdAt - announced.dueAt) > SAME_ACTION) return false;
  switch (announced.kind) {
    case 'split': {
      if (action.kind !== 'split' || !announced.newShares || !announced.oldShares) return false;
      const { newShares, oldShares } = splitRatio(action);
      return newShares.times(announced.oldShares).eq(announced.newShares.times(oldShares));
    }
    case 'cash_dividend':
      return action.kind === 'cash_dividend' && announced.amount?.eq(action.figure) === true;
    case 'worthless':
      return action.kind === 'delisting';
    case 'other':
      return false;
  }
}

/** Whether the action has the figures of its kind, all above zero. One without them is not booked. */
export function hasFigures({
  kind,
  newShares,
  oldShares,
  amount,
}: Omit<SourcedAction, 'sourceId'>): boolean {
  if (kind === 'split') return newShares?.gt(ZERO) === true && oldShares?.gt(ZERO) === true;
  return kind !== 'cash_dividend' || amount?.gt(ZERO) === true;
}

/**
 * Decides what becomes of a pending action (contract 11). One that was read in time is booked when it is due, however long after: its
 * stock takes no quotes in between. One that was read too late is booked only if the stock was not quoted since: otherwise orders
 * may have filled in new shares, and which books are to be adjusted is for the operator to say.
 */
export function decideAnnounced(
  announced: AnnouncedAction,
  { now, quotedAt, booked, known }: AnnouncedFacts,
): AnnouncedDecision {
  if (booked.some((action) => isSame(action, announced, known))) return 'close';
  if (now < announced.dueAt) return 'wait';
  const isQuotedSince = quotedAt !== undefined && quotedAt >= announced.dueAt;
  const isLate = announced.seenAt >= announced.dueAt && isQuotedSince;
  if (!hasFigures(announced)) return 'hold';
  switch (announced.kind) {
    case 'other':
      return 'hold';
    case 'worthless':
      return quotedAt !== undefined && now - quotedAt < STILL_TRADED ? 'hold' : 'book';
    case 'split':
      return isLate ? 'hold' : 'book';
    case 'cash_dividend':
      return isLate ? 'miss' : 'book';
  }
}

const facts = ({
  stockId,
  kind,
  newShares,
  oldShares,
  amount,
  name,
  dueAt,
}: Omit<SourcedAction, 'sourceId'>): string =>
  [stockId, kind, newShares?.toFixed(), oldShares?.toFixed(), amount?.toFixed(), name, dueAt].join(
    '|',
  );

type Said = Omit<SourcedAction, 'sourceId'>;

/** Whether two actions do the same to a holding, whenever. Of what is not booked the name says what it is. */
function hasSameEffect(one: Said, other: Said): boolean {
  if (one.stockId !== other.stockId || one.kind !== other.kind) return false;
  switch (one.kind) {
    case 'split': {
      const [{ newShares, oldShares }, { newShares: others, oldShares: before }] = [one, other];
      if (!newShares || !oldShares || !others || !before) return newShares === others;
      return newShares.times(before).eq(others.times(oldShares));
    }
    case 'cash_dividend':
      return one.amount && other.amount ? one.amount.eq(other.amount) : one.amount === other.amount;
    case 'worthless':
      return true;
    case 'other':
      return one.name === other.name;
  }
}

/** Whether the source may name by another id what was due under the id of `row`, which it does not name any more. */
const isNamedAnew = (
  row: AnnouncedAction,
  action: Said,
  named: ReadonlySet<AnnouncedActionId>,
  now: Timestamp,
): boolean =>
  !named.has(row.id) &&
  row.status !== 'withdrawn' &&
  row.dueAt <= now &&
  Math.abs(row.dueAt - action.dueAt) <= SAME_ACTION &&
  hasSameEffect(row, action);

/** Whether the source says by another id otherwise what is booked under the id of `row`, which it does not name any more: of its day. */
const isCorrected = (
  row: AnnouncedAction,
  action: Said,
  named: ReadonlySet<AnnouncedActionId>,
): boolean =>
  !named.has(row.id) &&
  row.status === 'booked' &&
  row.dueAt === action.dueAt &&
  row.stockId === action.stockId &&
  row.kind === action.kind &&
  !hasSameEffect(row, action);

/**
 * The rows to save after the source was read: new actions, those of which it says otherwise now, and those that it took back. What
 * is due is left as it is: its time has come, also under another id. What was taken back is not due, and may be announced again for a
 * later day.
 */
export function followSource(
  known: readonly AnnouncedAction[],
  sourced: readonly Omit<AnnouncedAction, 'status' | 'seenAt'>[],
  {
    now,
    until,
    unanswered,
  }: {
    readonly now: Timestamp;
    readonly until: Timestamp;
    /** The stocks of which it said nothing. */
    readonly unanswered: readonly StockId[];
  },
): AnnouncedAction[] {
  const before = new Map(known.map((row) => [row.id, row]));
  const named = new Set(sourced.map(({ id }) => id));
  const changed = sourced.flatMap((action): AnnouncedAction[] => {
    const row = before.get(action.id);
    if (!row) {
      const isKnown = known.some((other) => isNamedAnew(other, action, named, now));
      if (isKnown) return [{ ...action, status: 'closed', seenAt: now }];
      // It is not booked beside what it corrects: that is for the operator to say.
      const isCorrection = known.some(
        (other) =>
          isCorrected(other, action, named) &&
          !sourced.some((same) => same.dueAt === other.dueAt && hasSameEffect(same, other)),
      );
      const left = action.kind === 'cash_dividend' ? 'missed' : 'held';
      return [{ ...action, status: isCorrection ? left : 'pending', seenAt: now }];
    }
    const isOpen = row.status === 'pending' || row.status === 'withdrawn';
    const isTakenBack = row.status === 'withdrawn';
    const isNews = isTakenBack || facts(row) !== facts(action);
    if (!isOpen || !isNews || (row.dueAt <= now && !isTakenBack)) return [];
    // Its day is past: only now it is known that it was that day.
    const seenAt = action.dueAt <= now ? now : row.seenAt;
    return [{ ...row, ...action, status: 'pending', seenAt }];
  });
  const withdrawn = known.filter(
    ({ id, stockId, status, dueAt }) =>
      status === 'pending' &&
      dueAt > now &&
      dueAt < until &&
      !named.has(id) &&
      !unanswered.includes(stockId),
  );
  return [...changed, ...withdrawn.map((row) => ({ ...row, status: 'withdrawn' as const }))];
}

/**
 * The booked actions of which the source says otherwise now, by the same id or by another one. What it names no more may be asked for
 * by another symbol now.
 */
export function contradicted(
  known: readonly AnnouncedAction[],
  sourced: readonly Omit<AnnouncedAction, 'status' | 'seenAt'>[],
): readonly AnnouncedAction[] {
  const said = new Map(sourced.map((action) => [action.id, action]));
  const named = new Set(said.keys());
  return known.filter((row) => {
    if (row.status !== 'booked') return false;
    const same = said.get(row.id);
    if (same && same.stockId === row.stockId)
      return same.dueAt !== row.dueAt || !hasSameEffect(same, row);
    return (
      sourced.some((action) => isCorrected(row, action, named)) &&
      !sourced.some((other) => other.dueAt === row.dueAt && hasSameEffect(other, row))
    );
  });
}
