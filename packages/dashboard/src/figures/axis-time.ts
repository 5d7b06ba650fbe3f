const MINUTE = 60;
const DAY = 86_400;

const seconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const minutes = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const days = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const months = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' });

/** A mark of an axis of time in the reader's zone, midnight by its day; seconds, and seconds from one mark to the next. */
export function axisTime(at: number, step: number): string {
  const date = new Date(at * 1000);
  // Marks between two seconds would all be of the first one.
  if (!Number.isInteger(at)) return '';
  const isDay = step >= DAY || date.toTimeString().startsWith('00:00:00');
  if (!isDay) return (step < MINUTE ? seconds : minutes).format(date);
  return (step < 28 * DAY ? days : months).format(date);
}
