import { Refusal, decimal } from '@slipstream/domain';
import { type ResponseOf, operations, presentStatistics } from '@slipstream/wire';
import { contentOf } from '../../reports/record-content.js';
import { type TrackFile, entriesOf } from '../track-file.js';
import type { Findings } from './findings.js';
import { textOf } from '../../settings/text-of.js';

type Statistics = ResponseOf<'getStrategyStatistics'>;
type Field = keyof Statistics;

/** No record has the closes of a benchmark. */
const OF_BENCHMARK: readonly Field[] = ['benchmark', 'beta', 'alpha', 'correlation', 'tracking'];
/** Of releases up to 0.2.0 they may differ: there a fall could begin on another day. */
const COUNTED_OTHERWISE: readonly Field[] = ['underwater_days', 'underwater_days_now', 'drawdowns'];
const OF_EARLIER_RELEASE =
  ' Releases up to 0.2.0 counted the days below a peak otherwise: if these figures are of one, ask for them again.';
/** All days of the year count: coins, or stocks that trade always. */
const ALL_DAYS = 365;

async function readStatistics(file: string): Promise<Statistics> {
  const text = await textOf(file);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Refusal(
      'invalid_json',
      `${file} cannot be read as JSON: ${(error as Error).message}`,
    );
  }
  const { data } = operations.getStrategyStatistics.response.safeParse(json);
  if (data) return data;
  throw new Refusal('invalid_field', `${file} has no answer of getStrategyStatistics`);
}

/** The same figures, of the record alone. A first day is given only where the record begins earlier. */
async function computed(file: TrackFile, said: Statistics, minN: number): Promise<Statistics> {
  const isAlways = said.days_per_year === ALL_DAYS;
  const options = {
    to: said.to,
    riskFree: decimal(said.risk_free),
    minN,
    hours: isAlways ? ('always' as const) : ('exchange' as const),
    closedDays: said.closed_days ?? [],
    type: file.strategy?.type ?? (isAlways ? ('cryptocurrency' as const) : ('stock' as const)),
  };
  const since = async (start: { readonly from?: string }): Promise<Statistics> => {
    const { statistics } = await contentOf(file, entriesOf(file), { ...options, ...start }, 0);
    return operations.getStrategyStatistics.response.parse(presentStatistics(statistics));
  };
  const whole = await since({});
  return said.from === null || said.from === whole.from ? whole : since({ from: said.from });
}

/** Checks figures that somebody shows against those that follow from the record. */
export async function againstStatistics(
  file: TrackFile,
  path: string,
  minN: number,
): Promise<Findings> {
  const said = await readStatistics(path);
  if (said.strategy_id !== file.strategy_id)
    return { notes: [], faults: [`The statistics of ${path} are of another strategy.`] };
  const found = await computed(file, said, minN);
  const isCompared = said.benchmark !== null;
  const fields = (Object.keys(found) as Field[]).filter(
    (field) => field !== 'disclosure' && !(isCompared && OF_BENCHMARK.includes(field)),
  );
  const wrong = fields.filter(
    (field) => JSON.stringify(said[field]) !== JSON.stringify(found[field]),
  );
  const [first] = wrong;
  if (first !== undefined) {
    const isOlder = wrong.every((field) => COUNTED_OTHERWISE.includes(field));
    return {
      notes: [],
      faults: [
        `The statistics of ${path} do NOT follow from the record: ${wrong.join(', ')}. ${first} is ${JSON.stringify(said[first])} there, and ${JSON.stringify(found[first])} by the record. --min-n must be that of the statistics.${isOlder ? OF_EARLIER_RELEASE : ''}`,
      ],
    };
  }
  const notes = [
    `The statistics of ${path}, ${said.from ?? 'no day'} to ${said.to}, follow from the record, each to the digit.`,
  ];
  if (said.closed_days)
    notes.push(
      `They leave out ${said.closed_days.join(', ')}: the exchanges were closed against their rules, which no record proves.`,
    );
  if (isCompared)
    notes.push(
      'Their beta, alpha, correlation and tracking were not checked: no record has the closes of a benchmark.',
    );
  return { notes, faults: [] };
}
