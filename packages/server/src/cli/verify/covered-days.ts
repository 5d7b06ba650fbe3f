import { type ShownEntry, isLate, isoDay } from '@slipstream/domain';

/** An anchor whose path and stamp were checked. */
export interface CheckedAnchor {
  readonly day: string;
  /** The last entry of the record that it has; 0 if it is not known to have one. */
  readonly seq: number;
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
  const at = anchors.findIndex((anchor) => anchor.seq >= seq);
  const first = anchors[at];
  // The day of the last entry may not be over.
  if (!first) return day < lastDay ? 'has no anchor' : undefined;
  const isOfDay = first.day === day || anchors[at - 1]?.day === day;
  if (!isOfDay) return `has no anchor; the next one is of ${first.day}`;
  if (first.stampedAt === null || !isLate(day, first.stampedAt)) return undefined;
  return `was stamped too late, at ${new Date(first.stampedAt).toISOString()}`;
}

/** The days with entries that have no anchor in time, each with its reason. */
export function lateDays(
  entries: readonly ShownEntry[],
  anchors: readonly CheckedAnchor[],
): ReadonlyMap<string, string> {
  const late = new Map<string, string>();
  const lastDay = isoDay(entries.at(-1)?.at ?? 0);
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
