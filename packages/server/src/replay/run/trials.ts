import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import {
  type DeflatedSharpe,
  Refusal,
  type StatisticsView,
  dailySharpe,
  deflatedSharpeOf,
  figureText,
} from '@slipstream/domain';
import { z } from 'zod';
import { isFolder } from '../../settings/is-there.js';

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

/**
 * The trials of a file, one a line; none if it is not there yet.
 * @throws Refusal when a line is none.
 */
export function readTrials(file: string): readonly Trial[] {
  if (!existsSync(file)) return [];
  if (isFolder(file)) throw new Refusal('invalid_field', `${file} is a folder: name a file`);
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => (line === '' ? [] : trialIn(line, `${file}:${index + 1}`)));
}

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
export function countTrial({ file, record, orders, statistics, minN }: Counted): DeflatedSharpe {
  const { series, from, to, daysPerYear } = statistics;
  const points = series ?? [];
  const before = readTrials(file);
  requireSame(file, daysPerYear, before);
  const trial: Trial = {
    record: record ?? 'empty',
    ...{ orders, from, to, days_per_year: daysPerYear },
    sharpe: figureText(dailySharpe(points)),
  };
  const isKnown = before.some((one) => one.record === trial.record);
  if (!isKnown) appendFileSync(file, `${JSON.stringify(trial)}\n`);
  const all = isKnown ? before : [...before, trial];
  // Ratios are statistics, in doubles; sorted, the sum does not depend on the order of the replays.
  const ratios = all.map(({ sharpe }) => Number(sharpe)).sort((one, two) => one - two);
  return deflatedSharpeOf(points, ratios, { from: from ?? to, to, minN });
}
