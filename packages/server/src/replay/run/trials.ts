import { appendFile } from 'node:fs/promises';
import {
  type DeflatedSharpe,
  Refusal,
  type StatisticsView,
  dailySharpe,
  deflatedSharpeOf,
  figureText,
} from '@slipstream/domain';
import { z } from 'zod';
import { isThere } from '../../settings/is-there.js';
import { textOf } from '../../settings/text-of.js';
import { writing } from '../../settings/writing.js';

/** A replay of a search: its record's last hash names it, so the same replay counts once. */
const trialLine = z.object({
  record: z.string(),
  orders: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  days_per_year: z.int(),
  sharpe: z.string().refine((text) => Number.isFinite(Number(text))),
});
type Trial = z.infer<typeof trialLine>;

function trialIn(text: string, place: string): Trial {
  try {
    return trialLine.parse(JSON.parse(text));
  } catch {
    throw new Refusal('invalid_field', `${place} is no trial of a replay`);
  }
}

const trialsIn = (file: string, text: string): readonly Trial[] =>
  text
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : trialIn(line, `${file}:${index + 1}`)));

/**
 * The trials of a file, one a line; none if it is not there yet.
 * @throws Refusal when a line is none.
 */
export const readTrials = async (file: string): Promise<readonly Trial[]> =>
  isThere(file) ? trialsIn(file, await textOf(file)) : [];

/** What is counted of a replay. */
interface Counted {
  readonly file: string;
  /** The hash of the record's last entry; null for an empty record. */
  readonly record: string | null;
  readonly orders: string;
  /** With its series. */
  readonly statistics: StatisticsView;
  readonly minN: number;
}

const requireSame = (file: string, days: number, trials: readonly Trial[]): void => {
  const other = trials.find(({ days_per_year }) => days_per_year !== days);
  if (other)
    throw new Refusal(
      'conflict',
      `${file} counts replays with ${other.days_per_year} days a year, this one has ${days}: give each search a file of its own`,
    );
};

/** Adds the replay to the trials of its search, unless it is among them, and deflates its Sharpe ratio by all of them. */
export async function countTrial({
  file,
  record,
  orders,
  statistics,
  minN,
}: Counted): Promise<DeflatedSharpe> {
  const { series, from, to, daysPerYear } = statistics;
  const points = series ?? [];
  const text = isThere(file) ? await textOf(file) : '';
  const before = trialsIn(file, text);
  requireSame(file, daysPerYear, before);
  const trial: Trial = {
    record: record ?? 'empty',
    ...{ orders, from, to, days_per_year: daysPerYear },
    sharpe: figureText(dailySharpe(points)),
  };
  const isKnown = before.some((one) => one.record === trial.record);
  // An editor may have left the last line without its end.
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  if (!isKnown) await writing(file, appendFile(file, `${end}${JSON.stringify(trial)}\n`));
  const all = isKnown ? before : [...before, trial];
  // Ratios are statistics, in doubles; sorted, the sum does not depend on the order of the replays.
  const ratios = all.map(({ sharpe }) => Number(sharpe)).sort((one, two) => one - two);
  return deflatedSharpeOf(points, ratios, { from: from ?? to, to, minN });
}
