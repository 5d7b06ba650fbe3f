import { isoDay } from '@slipstream/domain';

/** Whether it is a day that there is, like 2026-01-31. */
export function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(at) && isoDay(at) === text;
}
