import type { Decimal } from '@slipstream/domain';
import { type Exact, asText, exactOf } from './engine/exact.js';

/** The two sides differ. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

/** Decimal places of a figure in a difference. */
export const SHOWN_PLACES = 40;

/** Throws unless both figures are equal to the last digit. */
export function sameFigure(
  what: string,
  wanted: Exact | null,
  found: Decimal | null | undefined,
): void {
  const other = found ? exactOf(found) : null;
  if (wanted === null ? other === null : other !== null && wanted.equals(other)) return;
  const shown = (value: Exact | null): string =>
    value === null ? 'none' : asText(value, SHOWN_PLACES);
  throw new Difference(`${what}: reference ${shown(wanted)}, core ${shown(other)}`);
}

/** Throws unless both are the same as JSON. */
export function same(what: string, wanted: unknown, found: unknown): void {
  const [first, second] = [JSON.stringify(wanted), JSON.stringify(found)];
  if (first !== second) throw new Difference(`${what}: reference ${first}, core ${second}`);
}
