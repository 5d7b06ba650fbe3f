import { DAY, Refusal, type Timestamp } from '@slipstream/domain';
import type { NumberedRow } from './file-rows.js';
import type { Periods } from './periods.js';
import { lengthText } from './times.js';

/** No exchange is closed for so long between all of its days: rows that are always as far apart are of weeks or months. */
const WEEKS = 5 * DAY;
/** Fewer steps between days say nothing: a file may have days here and there. */
const STEPS_OF_DAYS = 3;

/** The steps between neighbouring rows of one symbol. */
interface Steps {
  /** The smallest one; infinite without any. */
  least: number;
  count: number;
}

const refusal = (path: string, reason: string): Refusal =>
  new Refusal('invalid_field', `${path}: ${reason}`);

/** The steps of the rows that name whole days, and of those that name a clock's time. */
function stepsIn(path: string, rows: readonly NumberedRow[], periods: Periods) {
  const last = {
    day: new Map<string | undefined, Timestamp>(),
    clock: new Map<string | undefined, Timestamp>(),
  };
  const steps: Record<keyof typeof last, Steps> = {
    day: { least: Infinity, count: 0 },
    clock: { least: Infinity, count: 0 },
  };
  for (const { line, said } of rows) {
    if (typeof said === 'string' || said.kind !== 'bar') continue;
    const { time, symbol } = said;
    const kind = time.kind === 'day' ? 'day' : 'clock';
    const at =
      time.kind === 'day'
        ? Date.parse(`${time.date}T00:00:00Z`)
        : periods.momentOf(time, `${path}:${line}`);
    const step = Math.abs(at - (last[kind].get(symbol) ?? at));
    if (step > 0) {
      steps[kind].least = Math.min(steps[kind].least, step);
      steps[kind].count += 1;
    }
    last[kind].set(symbol, at);
  }
  return { steps, hasClock: last.clock.size > 0, hasDays: last.day.size > 0 };
}

/**
 * The length of a file's bars, from its first rows: the smallest step between rows of one symbol. Undefined if all rows are of whole
 * days. `given` is the user's word.
 * @throws Refusal when it cannot be seen, and for bars of weeks or months that would be played within their first day.
 */
export function barLength(
  path: string,
  rows: readonly NumberedRow[],
  periods: Periods,
  given: number | undefined,
): number | undefined {
  const { steps, hasClock, hasDays } = stepsIn(path, rows, periods);
  if (hasDays && given !== undefined && given > DAY)
    throw refusal(
      path,
      'a date alone stands for one day: longer bars need the moment of their start',
    );
  const { day, clock } = steps;
  if (given === undefined && day.count >= STEPS_OF_DAYS && day.least >= WEEKS)
    throw refusal(
      path,
      `its rows are ${lengthText(day.least).replace('d', '')} days apart, and a date alone stands for one day: bars of weeks or months would be played on their first day, before their prices were known. If they are of single days, say --interval 1d`,
    );
  if (!hasClock) return given;
  if (given === undefined && clock.least === Infinity)
    throw refusal(
      path,
      'the length of its bars cannot be seen; say it with --interval (1m, 1h, …)',
    );
  const length = given ?? clock.least;
  if (!periods.hasSessions || length <= DAY) return length;
  if (given === undefined && length < WEEKS) return DAY;
  throw refusal(
    path,
    `its bars are of ${lengthText(length)}: a bar of a stock is of one session at most`,
  );
}
