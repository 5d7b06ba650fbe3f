import { type ShownEntry, isLate, isoDay } from '@slipstream/domain';

/** An anchor whose path and stamp were checked. */
export interface CheckedAnchor {
  readonly day: string;
  /** The last entry of the record that it has, 0 if it has none; null if that is not known. */
  readonly seq: number | null;
  /** The time in its token; null without one. */
  readonly stampedAt: number | null;
}

/** Whether a day is named by `--allow-late`, alone or in a range. */
export const isAllowed = (day: string, allowed: readonly string[]): boolean =>
  allowed.some((text) => {
    const [from = '', to = from] = text.split('..');
    return from <= day && day <= to;
  });

/** Why an entry of that day has no anchor in time; undefined when it has. */
function faultOf(
  { seq }: ShownEntry,
  day: string,
  lastDay: string,
  anchors: readonly CheckedAnchor[],
): string | undefined {
  const at = anchors.findIndex((anchor) => (anchor.seq ?? 0) >= seq);
  const first = anchors[at];
  if (!first) {
    // The newest day may not be over, but the anchor of a later day has all of it.
    const later = anchors.find((anchor) => anchor.day > day && anchor.seq !== null);
    if (later) return `has entries that are in no anchor, not even in that of ${later.day}`;
    return day < lastDay ? 'has no anchor' : undefined;
  }
  // The anchor of a day is made minutes after its end, and so has what was recorded in those minutes of the next one.
  const isInTime = first.day <= day || anchors[at - 1]?.day === day;
  if (!isInTime) return `has no anchor; the next one is of ${first.day}`;
  if (first.stampedAt === null || !isLate(day, first.stampedAt)) return undefined;
  return `was stamped too late, at ${new Date(first.stampedAt).toISOString()}`;
}

/** The days with entries that have no anchor in time, each with its reason. */
export function lateDays(
  entries: readonly ShownEntry[],
  anchors: readonly CheckedAnchor[],
): ReadonlyMap<string, string> {
  const late = new Map<string, string>();
  const lastDay = isoDay(entries.reduce((newest, { at }) => Math.max(newest, at), 0));
  for (const entry of entries) {
    const day = isoDay(entry.at);
    const fault = late.has(day) ? undefined : faultOf(entry, day, lastDay, anchors);
    if (fault !== undefined) late.set(day, fault);
  }
  for (const { day, stampedAt } of anchors)
    if (stampedAt !== null && isLate(day, stampedAt) && !late.has(day))
      late.set(day, `was stamped too late, at ${new Date(stampedAt).toISOString()}`);
  return late;
}
