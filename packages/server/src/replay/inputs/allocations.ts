import { Refusal, type StrategyId, type Timestamp, sign } from '@slipstream/domain';
import { operations } from '@slipstream/wire';
import { namesOf, otherSeparator } from '../data/cells.js';
import type { Periods } from '../data/periods.js';
import { allRows } from '../data/table.js';
import { timeIn } from '../data/times.js';
import type { Traded } from '../run/instruments.js';
import type { Command } from '../run/score.js';
import type { ReplayedService } from '../run/service.js';

interface Target {
  readonly stock: string;
  readonly percent: string;
  readonly line: number;
}

/** One complete target. */
export interface AllocationSet {
  readonly at: Timestamp;
  readonly line: number;
  readonly targets: readonly Target[];
  /** The reserve when sizing; undefined for newOrderAllocations' own. */
  readonly slippage: string | undefined;
}

/** The moment of an order: a day means its beginning in UTC, before any session of that day. */
export function orderedAt(text: string, periods: Periods, place: string): Timestamp {
  const time = timeIn(text);
  const at =
    time?.kind === 'day'
      ? Date.parse(`${time.date}T00:00:00Z`)
      : time && periods.momentOf(time, place);
  if (at !== undefined && !Number.isNaN(at)) return at;
  throw new Refusal(
    'invalid_field',
    `${place}: "${text.slice(0, 40)}" is no time, such as 2024-06-10 or 2024-06-10T14:30:00Z`,
  );
}

/** Reads target allocations: the rows of one `at` are one complete target, an `at` with an empty stock_id closes all. */
export async function readAllocations(file: string, periods: Periods): Promise<AllocationSet[]> {
  const sets = new Map<
    Timestamp,
    { line: number; targets: Target[]; slippage: string | undefined }
  >();
  let names: string[] | undefined;
  for (const { line, cells } of await allRows(file)) {
    const place = `${file}:${line}`;
    if (!names) {
      names = namesOf(cells);
      const missing = ['at', 'stock_id', 'percent'].find((name) => names?.includes(name) !== true);
      if (missing !== undefined)
        throw new Refusal(
          'invalid_field',
          `${place}: there is no column ${missing}${otherSeparator(cells)}`,
        );
      continue;
    }
    const cell = (name: string): string => cells[names?.indexOf(name) ?? -1]?.trim() ?? '';
    const at = orderedAt(cell('at'), periods, place);
    const set = sets.get(at) ?? { line, targets: [], slippage: cell('slippage') || undefined };
    sets.set(at, set);
    const [stock, percent] = [cell('stock_id'), cell('percent')];
    if (stock !== '') set.targets.push({ stock, percent, line });
    else if (percent !== '')
      throw new Refusal('invalid_field', `${place}: a percent needs a stock_id`);
  }
  return [...sets].map(([at, set]) => ({ at, ...set })).sort((one, other) => one.at - other.at);
}

/** The names of the stocks in the targets. */
export const namesIn = (sets: readonly AllocationSet[]): string[] => [
  ...new Set(sets.flatMap(({ targets }) => targets.map(({ stock }) => stock))),
];

const row = operations.newOrderAllocations;

/** The targets as newOrderAllocations takes them; refuses a wrong one by its line. */
function commandOf(
  file: string,
  { line, targets, slippage }: AllocationSet,
  traded: Traded,
  strategyId: StrategyId,
) {
  const read = row.request.safeParse({
    strategy_id: strategyId,
    allocations: targets.map(({ stock, percent, line: at }) => ({
      stock_id: traded.resolve(stock, `${file}:${at}`).id,
      percent,
    })),
    ...(slippage !== undefined && { slippage }),
  });
  if (read.success) return row.command(read.data);
  const [issue] = read.error.issues;
  const target = typeof issue?.path[1] === 'number' ? targets[issue.path[1]] : undefined;
  const field = String(issue?.path.at(-1) ?? 'it');
  throw new Refusal(
    'invalid_field',
    `${file}:${target?.line ?? line}: ${field} ${issue?.message ?? 'is wrong'}`,
  );
}

/** A target after the end of the data: instruments that begin later may be named in it. */
const tooLate = (file: string, { at, line }: AllocationSet): Command => ({
  at,
  place: `${file}:${line}`,
  needs: [],
  arrivesFor: null,
  perform: () => Promise.reject(new Refusal('invalid_field', 'the data ends before it')),
});

/** The targets as orders of the strategy. All of the time of the data are checked before the first is placed. */
export const allocationCommands = (
  file: string,
  sets: readonly AllocationSet[],
  traded: Traded,
  {
    application,
    caller,
    strategyId,
  }: Pick<ReplayedService, 'application' | 'caller' | 'strategyId'>,
  endsAt: Timestamp,
): Command[] =>
  sets.map((set) => {
    if (set.at >= endsAt) return tooLate(file, set);
    const command = commandOf(file, set, traded, strategyId);
    return {
      at: set.at,
      place: `${file}:${set.line}`,
      arrivesFor: null,
      needs: command.allocations
        .filter(({ percent }) => sign(percent) !== 0)
        .map(({ stock }) => traded.resolve(stock, file).id),
      perform: () => application.operations.newOrderAllocations(caller, command),
    };
  });
