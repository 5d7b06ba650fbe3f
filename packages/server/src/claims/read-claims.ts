import {
  type ClaimedPoint,
  DAY,
  MAX_CLAIMED_POINTS,
  ONE,
  Refusal,
  type Timestamp,
} from '@slipstream/domain';
import { allRows } from '../replay/data/table.js';
import { type Claim, type ClaimsChoices, claimReader } from './claimed-columns.js';

/** The points of a file, oldest first, and what was done to get them, in sentences. */
export interface Claims {
  readonly points: readonly ClaimedPoint[];
  readonly notes: readonly string[];
}

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

/** One of each time, oldest first: the last one in the file's order of time. */
function inOrder(claims: readonly Claim[]): Claim[] {
  const [first, last] = [claims[0], claims.at(-1)];
  const isNewestFirst = first && last && first.at > last.at;
  const byTime = new Map<Timestamp, Claim>();
  for (const claim of isNewestFirst ? claims.toReversed() : claims) byTime.set(claim.at, claim);
  return [...byTime.values()].sort((one, other) => one.at - other.at);
}

/** The last point of each span of that many days, and the first of all. */
const thinned = (points: readonly ClaimedPoint[], days: number): ClaimedPoint[] =>
  points.filter(({ at }, index) => {
    const next = points[index + 1];
    const spanOf = (moment: Timestamp): number => Math.floor(moment / (days * DAY));
    return index === 0 || !next || spanOf(next.at) !== spanOf(at);
  });

/**
 * Reads a charting platform's list of trades or a CSV of equity. Points at or after `before` are left out: they are the strategy's own.
 * @throws Refusal `invalid_field` for a file that has not two points.
 */
export async function readClaims(
  file: string,
  choices: ClaimsChoices & { readonly before: Timestamp },
): Promise<Claims> {
  const [header, ...rows] = await allRows(file);
  if (!header) throw new Refusal('invalid_field', `${file} is empty`);
  const read = claimReader(header.cells, choices);
  const notes: string[] = [];
  const claims: Claim[] = [];
  const unusable: string[] = [];
  for (const { line, cells } of rows) {
    const claim = read(cells);
    if (typeof claim === 'string') unusable.push(`line ${line} ${claim}`);
    else claims.push(claim);
  }
  if (unusable.length > 0)
    notes.push(`Left out ${counted(unusable.length, 'row')}; the first: ${unusable[0]}.`);
  const ordered = inOrder(claims.filter(({ isEntry }) => !isEntry));
  const began = inOrder(claims.filter(({ isEntry }) => isEntry))[0];
  if (began && began.at < (ordered[0]?.at ?? -Infinity)) ordered.unshift({ ...began, value: ONE });
  const earlier = ordered.filter(({ at }) => at < choices.before);
  if (earlier.length < ordered.length)
    notes.push(
      `Left out ${counted(ordered.length - earlier.length, 'point')} from the time when the strategy was here already: they are its own.`,
    );
  let points: ClaimedPoint[] = earlier.map(({ at, value }) => ({ at, value }));
  for (const days of [1, 7, 28]) {
    if (points.length <= MAX_CLAIMED_POINTS) break;
    points = thinned(earlier, days);
    if (points.length <= MAX_CLAIMED_POINTS)
      notes.push(
        `Kept the last of every ${days === 1 ? 'day' : `${days} days`}: ${counted(points.length, 'point')} of ${earlier.length}.`,
      );
  }
  if (points.length < 2)
    throw new Refusal(
      'invalid_field',
      [`${file} has fewer than two points before the strategy was created.`, ...notes].join(' '),
    );
  return { points, notes };
}
